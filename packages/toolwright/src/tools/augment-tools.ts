/**
 * Adds extra arguments to tools, e.g. the model's reasons or confidence. They are checked together with the
 * tool's own arguments, visible to policies and approval rules, passed to `onArguments`, and then removed.
 * Nothing else about the tools changes.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import { checkOptions } from '../internal/check-options.ts'
import { untilAborted } from '../internal/on-abort.ts'
import { compileExtra } from '../schema/augment-schema.ts'
import type { InferInput } from '../schema/infer-schema.ts'
import type { CompiledInput } from '../schema/input-schema.ts'
import { remembered } from '../schema/remembered.ts'
import { augmentedInput, type AugmentedCall } from './augmented-input.ts'
import type { DefaultToolContext } from './default-tool-context.ts'
import { settle } from './settle.ts'
import { bodyOf, TOOL_BODY, type ToolBody } from './tool-body.ts'
import { isToolCallback, type ToolCallback, type ToolCallbackProvider } from './tool-callback.ts'
import type { ToolContext } from './tool-context.ts'
import type { ToolDefinition } from './tool-definition.ts'
import { DEFAULT_METADATA, type ToolMetadata } from './tool-metadata.ts'
import { expandToolSources, flattenSources, rename, type ToolSource } from './tool-source.ts'
import { callDirectly, type FunctionToolCallback, type SchemaSource } from './tool.ts'

/** The argument of `onArguments`. */
export interface AugmentedArguments<Arguments = unknown> {
  /** The definition that the model sees, including the extra arguments. */
  readonly toolDefinition: ToolDefinition
  /** All arguments of the call, as the JSON text that the model sent. */
  readonly rawInput: string
  /** The extra arguments, checked. */
  readonly arguments: Arguments
  readonly callId: string
}

export interface AugmentOptions<Input extends SchemaSource> {
  /** The schema of the extra arguments: an object schema. Describe every field. */
  readonly input: Input
  /**
   * Called and awaited before the tool runs, once per call, whatever the number of attempts and resumes. If
   * it throws, there is a `notice` event with code `on-arguments-failed`, and the call goes on.
   */
  readonly onArguments?: (event: AugmentedArguments<InferInput<Input>>) => void | Promise<void>
  /** Also passes the extra arguments to the tool, if its input is an object. Default false. */
  readonly keepArguments?: boolean
}

/**
 * Adds extra arguments to each tool of a source. Tools are augmented now, those of a provider when it is
 * asked. An argument name that the tool already has is an error.
 *
 * @example
 * const thinking = augmentTools(weather, {
 *   input: z.object({ innerThought: z.string().describe('Your reasoning for calling this tool') }),
 *   onArguments: ({ toolDefinition, arguments: { innerThought } }) =>
 *     console.log(toolDefinition.name, innerThought),
 * })
 */
export function augmentTools<const Input extends SchemaSource>(
  source: ToolSource,
  options: AugmentOptions<Input>,
): readonly (ToolCallback | ToolCallbackProvider)[] {
  const extra = extraOf(options)
  // Each tool keeps one augmented object for all runs: rates, caches and wire forms are kept by object.
  const augmentedByTool = new WeakMap<ToolCallback, ToolCallback>()
  const augment = (tool: ToolCallback): ToolCallback =>
    remembered(augmentedByTool, tool, () => augmented(tool, extra))
  return flattenSources([source]).map((each) =>
    isToolCallback(each)
      ? augment(each)
      : {
          toolCallbacks: async (listing) => (await expandToolSources([each], listing)).map(augment),
        },
  )
}

/** The options without their type parameters: the schema checks the arguments. */
interface UntypedOptions {
  readonly input: SchemaSource
  readonly onArguments?: (event: AugmentedArguments<never>) => void | Promise<void>
  readonly keepArguments?: boolean
}

interface Extra extends UntypedOptions {
  readonly compiled: CompiledInput
}

function extraOf(options: UntypedOptions): Extra {
  checkOptions('augmentTools()', options, ['input', 'onArguments', 'keepArguments'])
  const { input, onArguments } = options ?? {}
  if (!input || !['undefined', 'function'].includes(typeof onArguments))
    throw new ConfigurationError(
      'invalid-option',
      'augmentTools() needs input, a schema; onArguments is a function.',
    )
  return { ...options, compiled: compileExtra(input) }
}

function augmented(tool: ToolCallback, extra: Extra): ToolCallback {
  const input = augmentedInput(tool, extra.compiled)
  const definition = definitionOf(tool, input)
  const ownBody = bodyOf(tool)
  const visibleArguments = (checked: unknown): never => input.callOf(checked).seen as never
  const body: ToolBody = {
    input,
    run(checked, context) {
      const call = input.callOf(checked)
      const work = (): unknown => runTool(tool, call, { context, extra })
      return extra.onArguments && isFirstRun(context)
        ? tellArgumentsFirst(extra.onArguments, work, { call, definition, context })
        : work()
    },
    convert: ownBody?.convert ?? ((result) => result as string),
    isPlain: ownBody?.isPlain,
    output: ownBody?.output,
    checkOutput: ownBody?.checkOutput,
    pickContext: ownBody?.pickContext,
    renamed: (name) => augmented(rename(tool, name), extra),
  }
  const callback: FunctionToolCallback = {
    ...tool,
    definition,
    metadata: metadataOf(tool, visibleArguments, (checked) =>
      inputOf(tool, input.callOf(checked), extra),
    ),
    call: (text, context) => callDirectly(callback, text, context),
    [TOOL_BODY]: body,
  }
  return callback
}

/** A tool that is resumed after a question runs again from the start, but it is still the same call. */
function isFirstRun(context: ToolContext): boolean {
  const { outer } = context as Partial<DefaultToolContext>
  return context.attempt === 1 && !outer?.answers.length && !outer?.inside?.isAgain
}

function definitionOf({ definition }: ToolCallback, { jsonSchema }: CompiledInput): ToolDefinition {
  const { inputExamples, ...rest } = definition
  const isComplete = jsonSchema.required?.length === definition.inputSchema.required?.length
  return {
    ...rest,
    inputSchema: jsonSchema,
    // Examples that lack a required argument would be wrong, and providers reject wrong examples.
    ...(inputExamples && isComplete && { inputExamples }),
  }
}

/** Approval, preview and lock get the extra arguments too; undo gets what the tool got. */
function metadataOf(
  { metadata }: ToolCallback,
  visibleArguments: (checked: unknown) => never,
  toolInput: (checked: unknown) => never,
): ToolMetadata {
  const { approval, preview, undo, lock } = metadata ?? {}
  return {
    ...DEFAULT_METADATA,
    ...metadata,
    ...(typeof approval === 'function' && {
      approval: (input: unknown, context: ToolContext) =>
        approval(visibleArguments(input), context),
    }),
    ...(preview && {
      preview: (input: unknown, context: ToolContext) => preview(visibleArguments(input), context),
    }),
    ...(undo && {
      undo: (input: unknown, result: never, context: ToolContext) =>
        undo(toolInput(input), result, context),
    }),
    ...(lock && { lock: (input: unknown) => lock(visibleArguments(input)) }),
  }
}

interface Around {
  readonly context: ToolContext
  readonly extra: Extra
}

function runTool(tool: ToolCallback, call: AugmentedCall, { context, extra }: Around): unknown {
  const input = inputOf(tool, call, extra)
  const body = bodyOf(tool)
  return body ? body.run(input, context) : tool.call(JSON.stringify(input), context)
}

/** What the tool itself gets. */
function inputOf(tool: ToolCallback, call: AugmentedCall, { keepArguments }: Extra): never {
  if (!keepArguments) return call.own as never
  return (bodyOf(tool) ? call.seen : call.json()) as never
}

interface Telling {
  readonly call: AugmentedCall
  readonly definition: ToolDefinition
  readonly context: ToolContext
}

async function tellArgumentsFirst(
  onArguments: NonNullable<Extra['onArguments']>,
  work: () => unknown,
  { call, definition, context }: Telling,
): Promise<unknown> {
  const { signal } = context
  try {
    const event = {
      toolDefinition: definition,
      rawInput: call.text,
      arguments: call.extra as never,
      callId: context.callId,
    }
    // One that never ends must not keep the call's lock when the call was given up.
    await untilAborted(signal, async () => onArguments(event))
  } catch (thrown) {
    signal.throwIfAborted()
    const message = `onArguments of tool "${definition.name}" failed: ${redact(messageOfThrown(thrown))}`
    ;(context as Partial<DefaultToolContext>).notice?.('on-arguments-failed', message)
  }
  // `onArguments` may have used up the call's time: an abandoned call must not run.
  signal.throwIfAborted()
  return settle(work(), context)
}
