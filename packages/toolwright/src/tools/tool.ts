/**
 * `tool()`: a function and its schema become a tool. Types are inferred from the schema; settings are
 * normalised here, once, into definition, metadata and body.
 */
import { ConfigurationError, ToolExecutionError, ToolInputError } from '../errors/errors.ts'
import { checkLimit, checkOptions } from '../internal/check-options.ts'
import { parseJson } from '../internal/parse-json.ts'
import type { Json } from '../messages/json.ts'
import type { Annotations } from '../messages/message.ts'
import type { InferInput } from '../schema/infer-schema.ts'
import { compileInput } from '../schema/input-schema.ts'
import { describeIssue } from '../schema/issue.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { StandardSchema } from '../schema/standard-schema.ts'
import { contextPicker } from './context-picker.ts'
import { DefaultToolContext } from './default-tool-context.ts'
import { nameInWords } from './name-in-words.ts'
import { outputOf } from './output-check.ts'
import { convertResult } from './result-converter.ts'
import { settle } from './settle.ts'
import { TOOL_BODY, type ToolBody } from './tool-body.ts'
import type { ToolCallback, ToolCallResultConverter } from './tool-callback.ts'
import type { ToolContext } from './tool-context.ts'
import type { ToolDefinition } from './tool-definition.ts'
import type { ToolEffect, ToolHints, ToolLabels, ToolMetadata, ToolRetry } from './tool-metadata.ts'

/** Any Standard Schema that can give its JSON Schema, or a plain JSON Schema. */
export type SchemaSource = StandardSchema | JsonSchema

/** What `execute` returned, without promise and generator around it. */
export type ResultOf<Returned> =
  Returned extends AsyncGenerator<unknown, infer Result, never>
    ? Awaited<Result>
    : Returned extends Generator<unknown, infer Result, never>
      ? Awaited<Result>
      : Awaited<Returned>

type ContextOf<Schema> = [Schema] extends [undefined]
  ? { readonly [key: string]: unknown }
  : Extract<InferInput<Schema>, object>

export interface ToolOptions<Input, Returned, Values extends object> {
  /** Default: the key under which the tool stands in a record. */
  readonly name?: string
  readonly title?: string
  /** When and how to use it. Models choose by this text; without it they only have the name, in words. */
  readonly description?: string
  /**
   * Zero, one or two parameters, sync, async, or a generator whose yields are progress and whose return
   * is the result. Without it the application supplies the result: the run is suspended.
   */
  readonly execute?: (input: Input, context: ToolContext<Values>) => Returned
  /** The result is the answer; the model does not see it. Default false. */
  readonly returnDirect?: boolean
  /** Default: `Done` for nothing, strings as they are, media as parts, the rest as JSON. */
  readonly resultConverter?: ToolCallResultConverter<ResultOf<Returned>>
  readonly hints?: ToolHints
  /** Default: from the hints, else `once`. */
  readonly effect?: ToolEffect
  /** Default: `limits.toolTimeoutMs`. */
  readonly timeoutMs?: number | 'unlimited'
  readonly retry?: ToolRetry
  readonly approval?:
    boolean | ((input: Input, context: ToolContext<Values>) => boolean | Promise<boolean>)
  readonly preview?: (input: Input, context: ToolContext<Values>) => Json | Promise<Json>
  readonly lock?: (input: Input) => string | undefined
  readonly rateLimit?: ToolMetadata['rateLimit']
  readonly cache?: ToolMetadata['cache']
  readonly examples?: readonly string[]
  readonly inputExamples?: readonly Json[]
  readonly needs?: readonly 'history'[]
  readonly labels?: ToolLabels
  readonly providerOptions?: Annotations['providerOptions']
}

/** A tool made by `tool()`; the type parameters only inform. */
export interface Tool<Input = unknown, Result = unknown> extends ToolCallback {
  readonly [TOOL_BODY]: ToolBody
  readonly '~types'?: { readonly input: Input; readonly result: Result }
}

const KNOWN_OPTIONS = [
  'name', 'title', 'description', 'input', 'output', 'context', 'execute', 'returnDirect', 'resultConverter',
  'hints', 'effect', 'timeoutMs', 'retry', 'approval', 'preview', 'lock', 'rateLimit', 'cache', 'examples',
  'inputExamples', 'needs', 'labels', 'providerOptions',
] as const // prettier-ignore

const NESTED_OPTIONS = [
  ['hints', ['readOnly', 'destructive', 'idempotent', 'openWorld']],
  ['retry', ['attempts', 'delayMs']],
  ['rateLimit', ['calls', 'perMs']],
  ['cache', ['ttlMs']],
  ['labels', ['emits', 'reads', 'sends']],
] as const

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
  const Input extends SchemaSource | undefined = undefined,
  Returned = never,
  const Context extends SchemaSource | undefined = undefined,
>(
  options: ToolOptions<InferInput<Input>, Returned, ContextOf<Context>> & {
    /** What the tool takes. Everything is required unless optional; describe every field. */
    readonly input?: Input
    /** What it returns; told to the model where the provider supports it, and checked. */
    readonly output?: SchemaSource
    /** The keys of the request's `toolContext` this tool needs; it gets just those, checked. */
    readonly context?: Context
  },
): Tool<InferInput<Input>, ResultOf<Returned>> {
  checkToolOptions(options)
  const named = options as UntypedOptions
  return makeTool(named, named.name ?? '')
}

/** The options with their types worn off: from here on the schemas guard the values. */
type UntypedOptions = ToolOptions<never, unknown, never> & {
  readonly input?: SchemaSource
  readonly output?: SchemaSource
  readonly context?: SchemaSource
}

function makeTool(options: UntypedOptions, name: string): Tool<never, never> {
  const input = compileInput(options.input)
  const output = options.output === undefined ? undefined : outputOf(options.output)
  const definition = definitionFrom(options, {
    name,
    inputSchema: input.jsonSchema,
    outputSchema: output?.jsonSchema,
  })
  const run = options.execute as ToolBody['run'] | undefined
  const body: ToolBody = {
    input,
    run: run ?? noExecute(name),
    convert: (options.resultConverter as ToolCallResultConverter | undefined) ?? convertResult,
    ...(output && { checkOutput: output.check }),
    ...(options.context && { pickContext: contextPicker(name, options.context) }),
    renamed: (newName) => makeTool(options, newName),
  }
  return {
    definition,
    metadata: metadataFrom(options),
    call: (text, context) => callDirectly(definition, body, { text, context }),
    [TOOL_BODY]: body,
  }
}

function definitionFrom(
  options: UntypedOptions,
  made: Pick<ToolDefinition, 'name' | 'inputSchema' | 'outputSchema'>,
): ToolDefinition {
  const { title, examples, inputExamples, providerOptions } = options
  return {
    name: made.name,
    description: options.description?.trim() || nameInWords(made.name),
    inputSchema: made.inputSchema,
    ...(made.outputSchema && { outputSchema: made.outputSchema }),
    ...(title !== undefined && { title }),
    ...(examples && { examples }),
    ...(inputExamples && { inputExamples }),
    ...(providerOptions && { providerOptions }),
  }
}

function metadataFrom(options: UntypedOptions): ToolMetadata {
  const { timeoutMs, retry, approval, preview, lock, rateLimit, cache, needs, labels } = options
  const hints = options.hints ?? {}
  const optional = { timeoutMs, retry, approval, preview, lock, rateLimit, cache, needs, labels }
  return {
    returnDirect: options.returnDirect ?? false,
    hints,
    effect: options.effect ?? (hints.readOnly ? 'read' : hints.idempotent ? 'idempotent' : 'once'),
    ...(options.execute === undefined && { suppliedResult: true }),
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, value]) => value !== undefined),
    ) as object),
  }
}

const noExecute = (name: string) => (): never => {
  throw new ConfigurationError(
    'invalid-tool',
    `Tool "${name}" has no execute: the application supplies its result.`,
  )
}

interface DirectCall {
  readonly text: string
  readonly context: ToolContext | undefined
}

/** A callback called by hand: checks, runs and converts, without limits or approval. */
async function callDirectly(definition: ToolDefinition, body: ToolBody, call: DirectCall) {
  const parsed = parseJson(call.text, { maxBytes: Infinity, maxDepth: 256 })
  if (!parsed.ok) throw inputProblem(definition.name, parsed.problem, call.text)
  const checked = await body.input.check(parsed.value)
  if (!checked.ok) throw new ToolInputError(definition.name, checked.issues)
  const context = call.context ?? new DefaultToolContext({ toolName: definition.name })
  const result = await settle(body.run(checked.value, context), context)
  return await body.convert(await checkedOutput(definition.name, body, result), { definition })
}

/** The result as its declared output allows it. */
export async function checkedOutput(
  toolName: string,
  body: ToolBody,
  result: unknown,
): Promise<unknown> {
  if (!body.checkOutput) return result
  const checked = await body.checkOutput(result)
  if (checked.ok) return checked.value
  const issues = checked.issues.map(describeIssue).join('; ')
  throw new ToolExecutionError(`it returned what its output schema forbids: ${issues}`, {
    toolName,
    code: 'tool-output',
  })
}

export function inputProblem(toolName: string, problem: string, text: string): ToolInputError {
  return new ToolInputError(toolName, [
    {
      path: '$',
      expected: 'a JSON object',
      received: text.slice(0, 60).toWellFormed(),
      message: problem,
    },
  ])
}

function checkToolOptions(options: object): void {
  checkOptions('tool()', options, KNOWN_OPTIONS)
  const { name, execute, timeoutMs, retry, rateLimit, cache, effect, approval } =
    options as UntypedOptions
  const where = `tool(${JSON.stringify(name ?? '')})`
  if (name !== undefined && (typeof name !== 'string' || name.trim() === '')) {
    throw new ConfigurationError('invalid-tool', 'The name of a tool is a non-empty string.')
  }
  if (execute !== undefined && typeof execute !== 'function') {
    throw new ConfigurationError('invalid-tool', `${where}: execute is a function.`)
  }
  if (!['undefined', 'boolean', 'function'].includes(typeof approval)) {
    throw new ConfigurationError('invalid-tool', `${where}: approval is true, false or a function.`)
  }
  for (const [key, known] of NESTED_OPTIONS) {
    checkOptions(`${where}.${key}`, (options as UntypedOptions)[key], known)
  }
  checkLimit(`${where}.timeoutMs`, timeoutMs, 1)
  checkLimit(`${where}.retry.attempts`, retry?.attempts, 1)
  checkLimit(`${where}.rateLimit.calls`, rateLimit?.calls, 1)
  checkLimit(`${where}.rateLimit.perMs`, rateLimit?.perMs, 1)
  checkLimit(`${where}.cache.ttlMs`, cache?.ttlMs, 1)
  checkRetry(where, options as UntypedOptions)
  if (effect !== undefined && !['read', 'idempotent', 'keyed', 'once'].includes(effect)) {
    throw new ConfigurationError(
      'invalid-tool',
      `${where}: effect is 'read', 'idempotent', 'keyed' or 'once'.`,
    )
  }
}

function checkRetry(where: string, options: UntypedOptions): void {
  if (!options.retry || metadataFrom(options).effect !== 'once') return
  throw new ConfigurationError(
    'invalid-tool',
    `${where}: only a tool that may run twice can be retried; say hints.readOnly, hints.idempotent or effect 'keyed'.`,
  )
}
