/**
 * `tool()` makes a tool from a function and its schema. Types are inferred from the schema; settings are
 * normalised here, once, into definition, metadata and body.
 */
import { ConfigurationError, ToolInputError } from '../errors/errors.ts'
import { checkLimit, checkOptions } from '../internal/check-options.ts'
import {
  ANY,
  FUNCTION,
  listOf,
  oneOf,
  PROVIDER_OPTIONS,
  TEXT,
  TEXTS,
  TRUTH,
  wrongKind,
  type Kind,
  type Kinds,
} from '../schema/option-kinds.ts'
import { parseJson } from '../internal/parse-json.ts'
import type { Json } from '../messages/json.ts'
import type { Annotations } from '../messages/message.ts'
import type { InferInput, InferOutput } from '../schema/infer-schema.ts'
import { compileInput, type CompiledInput } from '../schema/input-schema.ts'
import { describeValue } from '../schema/describe-value.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { StandardJsonSchema, StandardSchema } from '../schema/standard-schema.ts'
import { checkGates } from './check-gates.ts'
import { contextPicker } from './context-picker.ts'
import { DefaultToolContext } from './default-tool-context.ts'
import { nameInWords } from './name-in-words.ts'
import { outputOf } from './output-check.ts'
import { invalidName, LONGEST_NAME } from './tool-name.ts'
import { pick } from './pick.ts'
import { convertResult } from './result-converter.ts'
import { settle } from './settle.ts'
import { toOutput } from './to-output.ts'
import { TOOL_BODY, type ToolBody } from './tool-body.ts'
import type { ToolCallback, ToolCallResultConverter, ToolOutput } from './tool-callback.ts'
import type { ToolContext } from './tool-context.ts'
import type { ToolDefinition } from './tool-definition.ts'
import type { ToolSource } from './tool-source.ts'
import type {
  CompositeTool,
  ToolEffect,
  ToolHints,
  ToolLabels,
  ToolMetadata,
  ToolRetry,
} from './tool-metadata.ts'

/** Any Standard Schema that can give its JSON Schema, or a plain JSON Schema. */
export type SchemaSource = StandardJsonSchema | JsonSchema

/** The schema of a tool's context. The model is not told, so it need not have a JSON Schema. */
export type ContextSource = StandardSchema | JsonSchema

/** The schema of an input; or that there is none, which is also what no schema means for a function. */
export type InputSource = SchemaSource | 'none'

/** What `execute` returned, without the promise or generator around it. */
export type ResultOf<Returned> =
  Returned extends AsyncGenerator<unknown, infer Result, never>
    ? Awaited<Result>
    : Returned extends Generator<unknown, infer Result, never>
      ? Awaited<Result>
      : Awaited<Returned>

/**
 * What `execute` may return if the tool declares this `output`. A plain JSON Schema describes the JSON form of a
 * result, which dates, maps and objects of classes have too, so it is held against the result at run time only.
 */
export type ReturnFor<Output> = [Output] extends [StandardSchema]
  ? Returnable<InferOutput<Output>>
  : unknown

type Returnable<Result> =
  | Result
  | PromiseLike<Result>
  | Generator<unknown, Result | PromiseLike<Result>, never>
  | AsyncGenerator<unknown, Result, never>

/** The values that a tool with this `context` schema gets; without one, all values of the request. */
export type ContextOf<Schema> = [Schema] extends [undefined]
  ? { readonly [key: string]: unknown }
  : Extract<InferInput<Schema>, object>

/** The options of every way to make a tool, without the schemas and the function. */
export interface ToolSettings<Input, Result, Values extends object> {
  /** Default: the method's name, or the tool's key in a record. */
  readonly name?: string
  /** A name for people, where tools are listed. */
  readonly title?: string
  /**
   * When and how to use the tool. Models choose by this text; without it they only have the name, in words.
   */
  readonly description?: string
  /** The result is the answer; the model does not see it. Default false. */
  readonly returnDirect?: boolean
  /** Default: `Done` for undefined, strings as they are, media as parts, anything else as JSON. */
  readonly resultConverter?: ToolCallResultConverter<Result>
  /** What running the tool does, so that the runner can act on it. */
  readonly hints?: ToolHints
  /** Default: follows from the hints, otherwise `once`. */
  readonly effect?: ToolEffect
  /** Default: `limits.toolTimeoutMs`. */
  readonly timeoutMs?: number | 'unlimited'
  /** Runs the tool again when it fails. Needs hints or an effect that allow it. Default: once. */
  readonly retry?: ToolRetry
  /** Whether somebody must approve the call: always, or by its input. Default: only what is `destructive`. */
  readonly approval?:
    boolean | ((input: Input, context: ToolContext<Values>) => boolean | Promise<boolean>)
  /** Describes what would happen, for the person who approves. */
  readonly preview?: (input: Input, context: ToolContext<Values>) => Json | Promise<Json>
  /**
   * Undoes what a finished call did, when its durable run is cancelled with `undo: true`: once for each call, the
   * newest first. `input` is the checked input; `result` is what `execute` returned, after a way through JSON, so
   * that a date is a text. `context` is that of the call: the same values, `callId` and `idempotencyKey`. Only for
   * tools that have an effect. Default: what the tool did stays.
   */
  readonly undo?: (
    input: Input,
    result: Result,
    context: ToolContext<Values>,
  ) => void | Promise<void>
  /** Calls with equal keys run one after another, unless the tool is read-only. Default: none waits. */
  readonly lock?: (input: Input) => string | undefined
  /** At most `calls` may start within `perMs`; further calls wait. Default: no limit. */
  readonly rateLimit?: ToolMetadata['rateLimit']
  /** Equal calls within `ttlMs` get the earlier result. Default: nothing is kept. */
  readonly cache?: ToolMetadata['cache']
  /** Questions that this tool answers, for tool search. */
  readonly examples?: readonly string[]
  /** Inputs as they should be, for providers that show them to the model. */
  readonly inputExamples?: readonly Json[]
  /** `history`: the tool gets the conversation as `context.history`. */
  readonly needs?: readonly 'history'[]
  /** How data flows through the tool, for policies. */
  readonly labels?: ToolLabels
  /**
   * The tool calls other tools, by `toolRunOf(context).call`: these. They are not offered to the model unless they are
   * listed there too. Such a tool is no durable step, is not timed, retried or cached; what it calls is.
   */
  readonly composite?: {
    readonly tools?: readonly ToolSource[] | (() => readonly ToolSource[] | Promise<readonly ToolSource[]>) // prettier-ignore
    /** Rejects if the tool cannot go on from its journal. Asked before a resume uses its state up. */
    readonly reopen?: CompositeTool['reopen']
    /** Stands for the description where a suspended run seals the tool. Default: the description itself. */
    readonly sealedDescription?: string
  }
  /** Options for one provider, passed on unchanged, keyed by its name. */
  readonly providerOptions?: Annotations['providerOptions']
}

export interface ToolOptions<Input, Returned, Values extends object> extends ToolSettings<
  Input,
  ResultOf<Returned>,
  Values
> {
  /**
   * Takes up to two parameters. It may be sync, async, or a generator whose yields are progress and whose
   * return value is the result. Without it the application supplies the result: the run is suspended.
   */
  readonly execute?: (input: Input, context: ToolContext<Values>) => Returned
}

/** The name, as a literal type where it is one. */
export interface NameOption<Name extends string> {
  /** Default: the tool's key in a record. */
  readonly name?: Name
}

/** The schemas of a tool. */
export interface ToolSchemas<Input, Context, Output = SchemaSource> {
  /**
   * The schema of the input. Everything is required unless optional. A model that must send what it does
   * not know makes it up, so mark as optional what is. Describe every field. `'none'`: there is no input,
   * which a method that only takes the context has to say.
   */
  readonly input?: Input
  /** The schema of the result. It is sent to the model where the provider supports it, and checked. */
  readonly output?: Output
  /** The keys of the request's `toolContext` that this tool needs. It gets only those, checked. */
  readonly context?: Context
}

/** A tool made by `tool()`. The type parameters are only for the compiler. */
export interface FunctionToolCallback<
  Input = unknown,
  Result = unknown,
  Name extends string = string,
> extends ToolCallback {
  readonly [TOOL_BODY]: ToolBody
  readonly '~types'?: { readonly input: Input; readonly result: Result; readonly name: Name }
}

const DEFINITION_OPTIONS = ['title', 'examples', 'inputExamples', 'providerOptions'] as const
const METADATA_OPTIONS = [
  'timeoutMs', 'retry', 'approval', 'preview', 'undo', 'lock', 'rateLimit', 'cache', 'needs', 'labels', 'composite',
] as const // prettier-ignore

const TOOL_KINDS: Kinds<UntypedOptions> = {
  name: ['a non-empty text', (x) => typeof x === 'string' && x.trim() !== ''],
  description: TEXT,
  input: ANY,
  output: ANY,
  context: ANY,
  execute: FUNCTION,
  returnDirect: TRUTH,
  resultConverter: FUNCTION,
  hints: ANY,
  effect: /* @__PURE__ */ oneOf('read', 'idempotent', 'keyed', 'once'),
  title: TEXT,
  examples: TEXTS,
  inputExamples: /* @__PURE__ */ listOf('inputs', () => true),
  providerOptions: PROVIDER_OPTIONS,
  timeoutMs: ANY,
  retry: ANY,
  approval: ['true, false or a function', (x) => ['boolean', 'function'].includes(typeof x)],
  preview: FUNCTION,
  undo: FUNCTION,
  lock: FUNCTION,
  rateLimit: ANY,
  cache: ANY,
  needs: ["['history']", (x) => Array.isArray(x) && x.every((need) => need === 'history')],
  labels: ANY,
  composite: ANY,
}
export const TOOL_OPTIONS: readonly string[] = /* @__PURE__ */ Object.keys(TOOL_KINDS)

const NESTED_KINDS: { readonly [option: string]: { readonly [name: string]: Kind } } = {
  hints: { readOnly: TRUTH, destructive: TRUTH, idempotent: TRUTH, openWorld: TRUTH },
  retry: { attempts: ANY, delayMs: ANY },
  rateLimit: { calls: ANY, perMs: ANY },
  cache: { ttlMs: ANY },
  labels: {
    emits: /* @__PURE__ */ oneOf('trusted', 'untrusted'),
    reads: /* @__PURE__ */ oneOf('private'),
    sends: TRUTH,
  },
  composite: {
    tools: ['a list of tools, or a function', (x) => Array.isArray(x) || typeof x === 'function'],
    reopen: FUNCTION,
    sealedDescription: TEXT,
  },
}

/**
 * Makes a tool.
 *
 * @example
 * const add = tool({
 *   name: 'add',
 *   description: 'Add two numbers',
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   execute: ({ a, b }) => a + b,
 * })
 */
export function tool<
  const Input extends InputSource | undefined = undefined,
  const Output extends SchemaSource | undefined = undefined,
  Returned extends ReturnFor<Output> = ReturnFor<Output>,
  const Context extends ContextSource | undefined = undefined,
  const Name extends string = string,
>(
  options: ToolOptions<InferInput<Input>, Returned, ContextOf<Context>> &
    ToolSchemas<Input, Context, Output> &
    NameOption<Name>,
): FunctionToolCallback<InferInput<Input>, ResultOf<Returned>, Name> {
  const untyped = options as UntypedOptions
  checkToolOptions('tool', untyped)
  return makeTool(untyped, untyped.name ?? '') as never
}

/** The options without their type parameters: from here on the schemas check the values. */
export type UntypedOptions = ToolOptions<never, unknown, never> &
  ToolSchemas<InputSource, ContextSource>

/** Makes a tool from options that were already checked. */
export function makeTool(
  options: UntypedOptions,
  name: string,
  input: CompiledInput = compileInput(options.input),
): FunctionToolCallback<never, never> {
  if (name.length > LONGEST_NAME) throw invalidName(name)
  const output = options.output && outputOf(options.output)
  const definition: ToolDefinition = {
    name,
    description: options.description?.trim() || nameInWords(name),
    inputSchema: input.jsonSchema,
    ...(output && { outputSchema: output.jsonSchema }),
    ...pick(options, DEFINITION_OPTIONS),
  }
  const body: ToolBody = {
    input,
    run: (options.execute as ToolBody['run'] | undefined) ?? noExecute,
    convert: (options.resultConverter as ToolCallResultConverter | undefined) ?? convertResult,
    hasOwnConverter: options.resultConverter !== undefined,
    output: options.output,
    checkOutput: output?.check,
    pickContext: options.context && contextPicker(name, options.context),
    renamed: (newName) => makeTool(options, newName, input),
  }
  const callback: FunctionToolCallback<never, never> = {
    definition,
    metadata: metadataFrom(options),
    call: (text, context) => callDirectly(callback, text, context),
    [TOOL_BODY]: body,
  }
  return callback
}

function metadataFrom(options: UntypedOptions): ToolMetadata {
  const { hints = {}, returnDirect = false, effect, execute } = options
  return {
    returnDirect,
    hints,
    effect: effect ?? (hints.readOnly ? 'read' : hints.idempotent ? 'idempotent' : 'once'),
    ...(execute === undefined && { suppliedResult: true }),
    ...(pick(options, METADATA_OPTIONS) as Partial<ToolMetadata>),
  }
}

function noExecute(): never {
  throw toolError('This tool has no execute.')
}

/** Calls a callback directly: checks, runs and converts, without limits or approval. */
export async function callDirectly(
  callback: FunctionToolCallback,
  text: string,
  context: ToolContext = new DefaultToolContext({ toolName: callback.definition.name }),
): Promise<ToolOutput> {
  const body = callback[TOOL_BODY]
  const parsed = parseJson(text, { maxBytes: Infinity, maxDepth: 256 })
  if (!parsed.ok) {
    const received = describeValue(text)
    const issue = { path: '$', expected: 'a JSON object', received, message: parsed.problem }
    throw new ToolInputError(callback.definition.name, [issue])
  }
  const checked = await body.input.check(parsed.value, text)
  if (!checked.ok) throw new ToolInputError(callback.definition.name, checked.issues)
  const value = await settle(body.run(checked.value, context), context)
  return (await toOutput(callback, value)).output
}

/**
 * Throws for unknown options and for options of the wrong type. `maker` is the function they were given to.
 */
export function checkToolOptions(
  maker: string,
  options: UntypedOptions,
  known: readonly string[] = TOOL_OPTIONS,
): void {
  if (options === undefined)
    throw toolError(`${maker}() takes an object of options, such as { description, input }.`)
  checkOptions(`${maker}()`, options, known)
  const where = `${maker}(${describeValue(options.name ?? '')})`
  refuseWrongKinds(where, options, TOOL_KINDS)
  for (const [key, kinds] of Object.entries(NESTED_KINDS)) {
    const nested = options[key as keyof UntypedOptions] as object | undefined
    checkOptions(`${where}.${key}`, nested, Object.keys(kinds))
    refuseWrongKinds(`${where}.${key}`, nested ?? {}, kinds)
  }
  checkLimit(`${where}.timeoutMs`, options.timeoutMs)
  checkGates(where, options)
  const { effect } = metadataFrom(options)
  if (options.retry && effect === 'once')
    throw toolError(`${where}: retry needs a tool that may run twice; say so with hints or effect.`)
  if (options.undo && effect === 'read')
    throw toolError(`${where}: a tool that only reads has nothing to undo.`)
}

function refuseWrongKinds(
  where: string,
  options: object,
  kinds: { readonly [name: string]: Kind },
): void {
  const wrong = wrongKind(where, options, kinds)
  if (wrong) throw toolError(wrong)
}

const toolError = (message: string): ConfigurationError =>
  new ConfigurationError('invalid-tool', message)
