/**
 * A tool that is not run: what it gave is on the cassette. Its arguments are checked as ever, so that calls that were
 * refused are refused again.
 */
import type { Json, JsonObject } from '../../messages/json.ts'
import { compileSchema } from '../../schema/compile-schema.ts'
import { compileInput, type CompiledInput } from '../../schema/input-schema.ts'
import type { CheckResult } from '../../schema/schema-checker.ts'
import { convertResult } from '../../tools/result-converter.ts'
import { toOutput } from '../../tools/to-output.ts'
import { callDirectly, type FunctionToolCallback } from '../../tools/tool.ts'
import { bodyOf, TOOL_BODY, type ToolBody } from '../../tools/tool-body.ts'
import type { ToolCallback, ToolOutput } from '../../tools/tool-callback.ts'
import type { ToolContext } from '../../tools/tool-context.ts'
import { DEFAULT_METADATA, type ToolMetadata } from '../../tools/tool-metadata.ts'
import { toolRunOf } from '../../tools/tool-run.ts'
import type { AskedExchange, CassetteTool, ToolExchange } from './cassette-file.ts'
import { asJson } from './exact-json.ts'
import { thrownAgain } from './failure.ts'
import type { Replay } from './replay.ts'
import { endEarly } from './replayed-model.ts'
import { Unconverted } from './unconverted.ts'

/** The test's own tool, with its own definition and its own rules. */
export function replayedTool(tool: ToolCallback, replay: Replay): ToolCallback {
  const body = bodyOf(tool)
  const input = body?.input ?? compileInput(tool.definition.inputSchema)
  const supplied = async (result: unknown): Promise<ToolOutput> =>
    (await toOutput(tool, result)).output
  const renamed = (name: string): ToolCallback =>
    replayedTool(
      body?.renamed(name) ?? { ...tool, definition: { ...tool.definition, name } },
      replay,
    )
  const hasOwnConverter = convertsItself(tool)
  return played(tool, { input, supplied, renamed, output: body?.output, hasOwnConverter }, replay)
}

/** Whether what it gives is a text of its own making, which programs get as a text. */
export const convertsItself = (tool: ToolCallback): boolean => bodyOf(tool)?.hasOwnConverter ?? true

/** A tool as the cassette knows it, for tests that have no tools at hand. */
export function tapedTool(taped: CassetteTool, replay: Replay): ToolCallback {
  const { definition } = taped
  const tool: ToolCallback = {
    definition,
    metadata: tapedMetadata(taped.metadata ?? {}),
    call: () => Promise.reject(new TypeError(`Tool "${definition.name}" is on a cassette.`)),
  }
  const renamed = (name: string): ToolCallback =>
    tapedTool({ ...taped, definition: { ...definition, name } }, replay)
  const supplied = async (result: unknown): Promise<ToolOutput> => convertResult(result)
  const input = tapedInput(taped)
  const hasOwnConverter = taped.convertsItself === true
  return played(tool, { input, supplied, renamed, output: undefined, hasOwnConverter }, replay)
}

/** What is left of a tool that is not run. */
interface Shell extends Pick<ToolBody, 'input' | 'output' | 'renamed'> {
  readonly hasOwnConverter: boolean
  /** Converts a result that the application supplied. */
  readonly supplied: (result: unknown) => Promise<ToolOutput>
}

function played(tool: ToolCallback, shell: Shell, replay: Replay): ToolCallback {
  const { name } = tool.definition
  const unconverted = new Unconverted<ToolExchange>()
  const callback: FunctionToolCallback = {
    definition: tool.definition,
    metadata: replayedMetadata(tool, replay),
    call: (text, context) => callDirectly(callback, text, context),
    [TOOL_BODY]: {
      input: lenient(name, shell.input, replay),
      output: shell.output,
      hasOwnConverter: shell.hasOwnConverter,
      renamed: shell.renamed,
      async run(input, context) {
        const exchange = replay.run(name, input, toolRunOf(context).answers)
        const value = await playedValue(exchange, context, replay)
        unconverted.add(value, exchange)
        return value
      },
      convert: (result) =>
        structuredClone(unconverted.take(result)?.output) ?? shell.supplied(result),
    },
  }
  return callback
}

async function playedValue(
  exchange: ToolExchange,
  context: ToolContext,
  replay: Replay,
): Promise<unknown> {
  for (const each of exchange.progress ?? []) context.progress(structuredClone(each))
  if (exchange.question) toolRunOf(context).ask(exchange.question.asks)
  await endEarly(exchange, replay.file, context.signal)
  const { output, returned } = exchange
  if (returned === 'nothing') return undefined
  if (returned === 'json') return JSON.parse(output as string) as Json
  return structuredClone(returned === undefined ? output : returned.value)
}

/** Arguments that were redacted may not fit their schema any more. */
function lenient(tool: string, input: CompiledInput, replay: Replay): CompiledInput {
  const { wrapped } = input
  const judged = (checked: CheckResult, given: unknown): CheckResult => {
    if (checked.ok) return checked
    const recorded = replay.redactedInput(tool, { given, issues: checked.issues, wrapped })
    return recorded === undefined ? checked : { ok: true, value: structuredClone(recorded) }
  }
  return {
    ...input,
    check(value, text) {
      const checked = input.check(value, text)
      return checked instanceof Promise
        ? checked.then((later) => judged(later, value))
        : judged(checked, value)
    },
  }
}

function tapedInput({ definition, ...taped }: CassetteTool): CompiledInput {
  const { inputSchema: jsonSchema } = definition
  const wrapped = taped.wrapped === true
  const checker = compileSchema(jsonSchema)
  return {
    jsonSchema,
    wrapped,
    coerce: (value) => checker.check(value),
    check(value) {
      const checked = checker.check(value)
      if (!checked.ok || !wrapped) return checked
      return { ok: true, value: (checked.value as { readonly value: unknown }).value }
    },
  }
}

/** Stands on the cassette for a function, whose answers are recorded. */
const BY_CALL = 'by-call'

/** What can be written of a tool's metadata. */
export function writtenMetadata(tool: ToolCallback): JsonObject {
  const { approval, preview, ...rest } = tool.metadata ?? DEFAULT_METADATA
  return asJson({
    ...rest,
    ...(approval !== undefined && {
      approval: typeof approval === 'function' ? BY_CALL : approval,
    }),
    ...(preview && { preview: BY_CALL }),
  }) as JsonObject
}

function tapedMetadata(written: JsonObject): ToolMetadata {
  const { approval, preview, ...rest } = written
  return {
    ...DEFAULT_METADATA,
    ...(rest as Partial<ToolMetadata>),
    // A call that was never asked about needs somebody's word.
    ...(approval !== undefined && {
      approval: approval === BY_CALL ? () => true : approval === true,
    }),
    ...(preview === BY_CALL && { preview: () => null }),
  }
}

function replayedMetadata(tool: ToolCallback, replay: Replay): ToolMetadata {
  const { name } = tool.definition
  // Time passes otherwise in a replay.
  const { cache: _cache, rateLimit: _rate, ...metadata } = tool.metadata ?? DEFAULT_METADATA
  const { approval, preview } = metadata
  return {
    ...metadata,
    ...(typeof approval === 'function' && {
      approval: async (input: never, context: ToolContext) => {
        const asked = replay.asked('approval', name, input)
        if (!asked) return approval(input, context)
        // One that did not answer in time asked for somebody's word.
        return asked.aborted ?? saidThen(asked) === true
      },
    }),
    ...(preview && {
      preview: async (input: never, context: ToolContext) => {
        const asked = replay.asked('preview', name, input)
        return asked ? (saidThen(asked) ?? null) : preview(input, context)
      },
    }),
  }
}

function saidThen({ error, gives }: AskedExchange): Json | undefined {
  if (error) throw thrownAgain(error)
  return structuredClone(gives)
}
