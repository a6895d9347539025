/**
 * Tools that ask the model for more than they need themselves: its reasons, its confidence. The extra
 * arguments are checked with the tool's own, seen by policies and approval rules, handed to `onArguments`
 * and then taken away again. Everything else about the tools stays as it is.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import { checkOptions } from '../internal/check-options.ts'
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
import { expandToolSources, flattened, rename, type ToolSource } from './tool-source.ts'
import { callDirectly, type FunctionToolCallback, type SchemaSource } from './tool.ts'

/** What `onArguments` is told. */
export interface AugmentedArguments<Arguments = unknown> {
  /** As the model sees the tool, the extra arguments included. */
  readonly toolDefinition: ToolDefinition
  /** All arguments of the call, as the JSON text they were sent in. */
  readonly rawInput: string
  /** The extra arguments, checked. */
  readonly arguments: Arguments
  readonly callId: string
}

export interface AugmentOptions<Input extends SchemaSource> {
  /** The extra arguments: an object schema. Required and optional as it says; describe every field. */
  readonly input: Input
  /**
   * Awaited before the tool runs, once per call whatever the number of attempts and resumes. A throw is noticed
   * (`notice` event, code `on-arguments-failed`) and never breaks the call.
   */
  readonly onArguments?: (event: AugmentedArguments<InferInput<Input>>) => void | Promise<void>
  /** The tool gets the extra arguments too, if its input is an object. Default false. */
  readonly keepArguments?: boolean
}

/**
 * The tools of a source, each with extra arguments. Tools are augmented now, those of a provider when it is
 * asked. A name that the tool already has is an error.
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
  // The same tool stays the same object for every run: its rate, its cache and its wire form hang on it.
  const made = new WeakMap<ToolCallback, ToolCallback>()
  const augment = (tool: ToolCallback): ToolCallback =>
    remembered(made, tool, () => augmented(tool, extra))
  return flattened([source]).map((each) =>
    isToolCallback(each)
      ? augment(each)
      : { toolCallbacks: async () => (await expandToolSources([each])).map(augment) },
  )
}

/** The options with their types worn off: the schema guards the arguments. */
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
  const own = bodyOf(tool)
  const seenOf = (checked: unknown): never => input.callOf(checked).seen as never
  const body: ToolBody = {
    input,
    run(checked, context) {
      const call = input.callOf(checked)
      const work = (): unknown => runOwn(tool, call, { context, extra })
      return extra.onArguments && isFirst(context)
        ? tellFirst(extra.onArguments, work, { call, definition, context })
        : work()
    },
    convert: own?.convert ?? ((result) => result as string),
    checkOutput: own?.checkOutput,
    pickContext: own?.pickContext,
    renamed: (name) => augmented(rename(tool, name), extra),
  }
  const made: FunctionToolCallback = {
    ...tool,
    definition,
    metadata: metadataOf(tool, seenOf),
    call: (text, context) => callDirectly(made, text, context),
    [TOOL_BODY]: body,
  }
  return made
}

/** A tool that asked a question and got its answer runs again from the start; it is still the same call. */
const isFirst = (context: ToolContext): boolean =>
  context.attempt === 1 && !(context as Partial<DefaultToolContext>).outer?.answers.length

function definitionOf({ definition }: ToolCallback, { jsonSchema }: CompiledInput): ToolDefinition {
  const { inputExamples, ...rest } = definition
  const isComplete = jsonSchema.required?.length === definition.inputSchema.required?.length
  return {
    ...rest,
    inputSchema: jsonSchema,
    // Examples without a required argument would be wrong, and providers refuse wrong ones.
    ...(inputExamples && isComplete && { inputExamples }),
  }
}

/** Whoever decides about a call sees the extra arguments too. */
function metadataOf({ metadata }: ToolCallback, seenOf: (checked: unknown) => never): ToolMetadata {
  const { approval, preview, lock } = metadata ?? {}
  return {
    ...DEFAULT_METADATA,
    ...metadata,
    ...(typeof approval === 'function' && {
      approval: (input: unknown, context: ToolContext) => approval(seenOf(input), context),
    }),
    ...(preview && {
      preview: (input: unknown, context: ToolContext) => preview(seenOf(input), context),
    }),
    ...(lock && { lock: (input: unknown) => lock(seenOf(input)) }),
  }
}

interface Around {
  readonly context: ToolContext
  readonly extra: Extra
}

function runOwn(tool: ToolCallback, call: AugmentedCall, { context, extra }: Around): unknown {
  const { keepArguments = false } = extra
  const body = bodyOf(tool)
  if (body) return body.run(keepArguments ? call.seen : call.own, context)
  return tool.call(JSON.stringify(keepArguments ? call.json() : call.own), context)
}

interface Telling {
  readonly call: AugmentedCall
  readonly definition: ToolDefinition
  readonly context: ToolContext
}

async function tellFirst(
  onArguments: NonNullable<Extra['onArguments']>,
  work: () => unknown,
  { call, definition, context }: Telling,
): Promise<unknown> {
  try {
    await onArguments({
      toolDefinition: definition,
      rawInput: call.text,
      arguments: call.extra as never,
      callId: context.callId,
    })
  } catch (thrown) {
    const message = `onArguments of tool "${definition.name}" failed: ${redact(messageOfThrown(thrown))}`
    ;(context as Partial<DefaultToolContext>).notice?.('on-arguments-failed', message)
  }
  // It may have taken longer than the call had: what was given up must not run.
  context.signal.throwIfAborted()
  return settle(work(), context)
}
