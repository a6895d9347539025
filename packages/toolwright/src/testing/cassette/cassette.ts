/**
 * `cassette()` records a whole conversation, model and tools, and plays it again without either. The test uses
 * `model` and `tools` of what it returns, and says with `finish()` that the conversation was as it should be.
 */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CassetteError, ConfigurationError } from '../../errors/errors.ts'
import { checkOptions } from '../../internal/check-options.ts'
import type { ChatModel } from '../../model/chat-model.ts'
import { environmentVariable } from '../../ports/environment.ts'
import { checkKinds, FUNCTION, oneOf } from '../../schema/option-kinds.ts'
import { remembered } from '../../schema/remembered.ts'
import { bodyOf } from '../../tools/tool-body.ts'
import {
  isToolCallback,
  type ToolCallback,
  type ToolCallbackProvider,
} from '../../tools/tool-callback.ts'
import { expandToolSources, flattenSources, type ToolSource } from '../../tools/tool-source.ts'
import type { CassetteFile } from './cassette-file.ts'
import { describeDifferences, jsonDifferences } from './json-differences.ts'
import { readCassetteFile } from './read-cassette.ts'
import { factsOf, recordedModel } from './recorded-model.ts'
import { recordedTool } from './recorded-tool.ts'
import { Recording } from './recording.ts'
import { redactor, type Redactor } from './redactor.ts'
import { Replay } from './replay.ts'
import { replayedModel } from './replayed-model.ts'
import { convertsItself, replayedTool, tapedTool, writtenMetadata } from './replayed-tool.ts'
import { standingOf, writeCassette } from './write-cassette.ts'

export interface CassetteOptions {
  /**
   * Who answers while it is recorded: a model, or a function that makes one, which a replay does not call. Without it
   * a cassette can only be replayed, as the model that it was recorded with.
   */
  readonly model?: ChatModel | (() => ChatModel)
  /**
   * The tools that are recorded: they run once, and never in a replay. Providers are not asked in a replay either.
   * Default: none while it is recorded; in a replay, all tools that were.
   */
  readonly tools?: ToolSource
  /**
   * `record`: asks the model, and writes the file. `replay`: asks nobody. `auto`, the default: a replay if the file is
   * there; otherwise it records, but not where the variable CI is set.
   */
  readonly mode?: 'auto' | 'record' | 'replay'
  /**
   * Takes out of any text what must not be written, or what differs each time, besides what looks like a secret. It
   * must give the same for the same text, and leave alone what it has given.
   */
  readonly redact?: (text: string) => string
}

export interface Cassette {
  /** What it does: `auto` is decided when the cassette is made. */
  readonly mode: 'record' | 'replay'
  /** The model to give to the client. */
  readonly model: ChatModel
  /** The tools to give to the client, each where it stood among the given ones. */
  readonly tools: readonly (ToolCallback | ToolCallbackProvider)[]
  /**
   * Ends the conversation: a recording is written, whole or not at all, and a replay rejects if anything differed or
   * was not asked for. Call it at the end of a test: one that failed before writes nothing.
   */
  finish(): Promise<void>
}

const OPTIONS = ['model', 'tools', 'mode', 'redact'] as const satisfies readonly (keyof CassetteOptions)[] // prettier-ignore

/**
 * Throws a `CassetteError` if the file is missing, damaged, of another version, or was recorded with another model.
 *
 * @param path of the file; relative to the working directory, or a `file:` URL
 * @example
 * const tape = cassette(new URL('weather.cassette.json', import.meta.url), {
 *   model: () => openai('gpt-5.4'),
 *   tools: [weather],
 * })
 * const client = ChatClient.create(tape.model, { tools: tape.tools })
 * expect(await client.prompt('Is it warm in Rome?').call().content()).toContain('21')
 * await tape.finish()
 */
export function cassette(path: string | URL, options: CassetteOptions = {}): Cassette {
  checkOptions('cassette()', options, OPTIONS)
  checkKinds('cassette()', options, { mode: oneOf('auto', 'record', 'replay'), redact: FUNCTION })
  const file = String(path)
  const place = placeOf(path)
  const failures: unknown[] = []
  const redact = redactor(options.redact && remembering(options.redact, failures))
  return modeOf({ path: place, file }, options) === 'record'
    ? record({ path: place, file, redact, failures }, options)
    : replay(readCassetteFile(place, file), { path: place, file, redact, failures }, options)
}

/** What it throws may be turned into words for a model; nothing is written all the same. */
const remembering =
  (own: (text: string) => string, failures: unknown[]) =>
  (text: string): string => {
    try {
      const clean: unknown = own(text)
      if (typeof clean === 'string') return clean
      throw new ConfigurationError(
        'invalid-option',
        `redact of cassette() takes a text and returns one; it returned ${clean instanceof Promise ? 'a promise' : typeof clean}.`,
      )
    } catch (thrown) {
      failures.push(thrown)
      throw thrown
    }
  }

/** A function, because adapters of providers throw for a missing key when they are made. */
const madeModel = (model: NonNullable<CassetteOptions['model']>): ChatModel =>
  typeof model === 'function' ? model() : model

function placeOf(path: string | URL): string {
  if (path === '' || (typeof path !== 'string' && !(path instanceof URL)))
    throw new ConfigurationError('invalid-option', 'cassette() needs the path of a file.')
  const isUrl = path instanceof URL || path.startsWith('file:')
  return isUrl ? fileURLToPath(path) : resolve(path)
}

function modeOf(
  { path, file }: Pick<Place, 'path' | 'file'>,
  { mode = 'auto', model }: CassetteOptions,
): Cassette['mode'] {
  if (mode === 'record' && !model)
    throw new ConfigurationError('invalid-option', "cassette() with mode 'record' needs a model.")
  if (mode !== 'auto') return mode
  if (standingOf(path) !== undefined) return 'replay'
  if (!model)
    throw new CassetteError(
      'cassette-missing',
      `There is no cassette ${file}, and no model was given that could record it. Give cassette() a model.`,
      { file },
    )
  return isCi() ? 'replay' : 'record'
}

const isCi = (): boolean => !['', '0', 'false'].includes(environmentVariable('CI') ?? '')

interface Place {
  readonly path: string
  /** As the test named it. */
  readonly file: string
  readonly redact: Redactor
  /** What the test's own function threw. */
  readonly failures: readonly unknown[]
}

function record({ path, file, redact, failures }: Place, options: CassetteOptions): Cassette {
  const before = standingOf(path)
  const model = madeModel(options.model!)
  const recording = new Recording(file, redact)
  const add = (tool: ToolCallback, provider?: number): ToolCallback =>
    added(tool, provider, recording)
  let finishing: Promise<void> | undefined
  const write = async (): Promise<void> => {
    const written = recording.finish(model)
    if (failures.length > 0) throw failures[0]
    writeCassette(written, { path, file, before })
  }
  return {
    mode: 'record',
    model: recordedModel(model, recording),
    tools: eachTool(
      options.tools,
      (tool) => add(tool),
      (source, at) => ({
        toolCallbacks: async (listing) =>
          (await expandToolSources([source], listing)).map((tool) => add(tool, at)),
      }),
    ),
    finish: () => (finishing ??= write()),
  }
}

/** Each tool keeps one recorded object for all runs: rates, caches and wire forms are kept by object. */
const recordedTools = new WeakMap<Recording, WeakMap<ToolCallback, ToolCallback>>()

function added(
  tool: ToolCallback,
  provider: number | undefined,
  recording: Recording,
): ToolCallback {
  const known = remembered(
    recordedTools,
    recording,
    () => new WeakMap<ToolCallback, ToolCallback>(),
  )
  return remembered(known, tool, () => {
    const about = {
      metadata: recording.redact.data(writtenMetadata(tool)),
      ...(bodyOf(tool)?.input.wrapped && { wrapped: true as const }),
      ...(convertsItself(tool) && { convertsItself: true as const }),
      ...(provider !== undefined && { provider }),
    }
    recording.addTool({ tool, about })
    return recordedTool(tool, recording)
  })
}

function replay(tape: CassetteFile, { file, redact }: Place, options: CassetteOptions): Cassette {
  const playing = new Replay(tape, file, redact)
  const given = typeof options.model === 'object' ? options.model : undefined
  if (given) refuseOtherModel(tape, given, file)
  const taped = Object.values(tape.tools).filter(({ metadata }) => metadata !== undefined)
  let finishing: Promise<void> | undefined
  return {
    mode: 'replay',
    model: replayedModel(given ? factsOf(given) : { ...tape.model }, playing),
    tools:
      options.tools === undefined
        ? taped.map((each) => tapedTool(each, playing))
        : eachTool(
            options.tools,
            (tool) => replayedTool(tool, playing),
            (_source, at) => {
              const own = taped.filter(({ provider }) => provider === at)
              const tools = own.map((each) => tapedTool(each, playing))
              return { toolCallbacks: () => tools }
            },
          ),
    finish: () => (finishing ??= Promise.resolve().then(() => playing.finish())),
  }
}

/** Providers are counted: in a replay each stands for the tools that it gave then. */
function eachTool(
  source: ToolSource | undefined,
  one: (tool: ToolCallback) => ToolCallback,
  many: (source: ToolCallbackProvider, at: number) => ToolCallbackProvider,
): Cassette['tools'] {
  let providers = 0
  return flattenSources(source === undefined ? [] : [source]).map((each) =>
    isToolCallback(each) ? one(each) : many(each, providers++),
  )
}

/** Another model would have answered otherwise. */
function refuseOtherModel(tape: CassetteFile, { provider, model }: ChatModel, file: string): void {
  const { provider: recorded, model: name } = tape.model
  const differences = jsonDifferences(
    { model: { provider: recorded, model: name } },
    { model: { provider, model } },
  )
  if (differences.length === 0) return
  throw new CassetteError(
    'cassette-mismatch',
    `The cassette ${file} was recorded with another model:\n${describeDifferences(differences)}`,
    { file, differences },
  )
}
