/**
 * A cassette that is being recorded: exchanges in the order in which they began, each filled in when it ends.
 * Everything is redacted when it comes here, so that nothing else can be written.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { CassetteError } from '../../errors/errors.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { ChatModel, Prompt } from '../../model/chat-model.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import { canonicalDefinition, canonicalRequest, keyOf, optionsOf } from './canonical-request.ts'
import {
  CASSETTE_FORMAT,
  CASSETTE_VERSION,
  type AskedExchange,
  type CanonicalRequest,
  type CassetteExchange,
  type CassetteFile,
  type CassetteTool,
  type ModelExchange,
  type StoredRequest,
  type ToolExchange,
} from './cassette-file.ts'
import { asJson, exactJson } from './exact-json.ts'
import { failureOf } from './failure.ts'
import type { Redactor } from './redactor.ts'
import { steadyResponse } from './steady-response.ts'

type Open<Exchange> = { -readonly [Field in keyof Exchange]: Exchange[Field] }

/** An exchange that may still be going on. */
interface Entry {
  readonly exchange: Open<CassetteExchange>
  isEnded: boolean
}

export interface RecordedTool {
  readonly tool: ToolCallback
  readonly about: Omit<CassetteTool, 'definition'>
}

export class Recording {
  readonly redact: Redactor
  readonly #file: string
  readonly #entries: Entry[] = []
  readonly #tools = new Map<string, { readonly key: string; readonly tool: CassetteTool }>()
  readonly #insideTool = new AsyncLocalStorage<true>()
  #before: CanonicalRequest | undefined
  /** The first tool that waited for calls which it made itself. */
  #waited: string | undefined
  #isFinished = false

  constructor(file: string, redact: Redactor) {
    this.#file = file
    this.redact = redact
  }

  /** Inside a recorded tool nothing is recorded: in a replay the tool is not run, and nothing in it is asked. */
  get isInsideTool(): boolean {
    return this.#insideTool.getStore() === true
  }

  insideTool<Result>(run: () => Result): Result {
    return this.#insideTool.run(true, run)
  }

  /** Tells of a tool that was given to the cassette. */
  addTool({ tool, about }: RecordedTool): void {
    const definition = canonicalDefinition(tool.definition, this.redact)
    this.#keyOf(definition, about)
  }

  ask(prompt: Prompt): OpenModelExchange {
    const request = canonicalRequest(prompt, this.redact)
    const exchange: Open<ModelExchange> = { kind: 'model', request: this.#stored(request) }
    this.#before = request
    return new OpenModelExchange(this.#begin(exchange), this.redact)
  }

  run(tool: string, input: unknown, answers: readonly Json[]): OpenToolExchange {
    const given = asJson(input)
    const clean = this.redact.data(given)
    const exchange: Open<ToolExchange> = {
      kind: 'tool',
      tool,
      input: clean,
      ...(keyOf(clean) !== keyOf(given) && { redacted: true }),
      ...(answers.length > 0 && { answers: this.redact.data(answers) }),
    }
    const entry = this.#begin(exchange)
    return new OpenToolExchange(entry, this.redact, () => (this.#waited ??= tool))
  }

  /** What a tool's own function said; of one that threw, that it did. */
  asked(kind: AskedExchange['kind'], tool: string, input: unknown): (said: Said) => void {
    const exchange: Open<AskedExchange> = { kind, tool, input: this.redact.data(asJson(input)) }
    const entry = this.#begin(exchange)
    return (said) => {
      if ('thrown' in said) exchange.error = failureOf(said.thrown, this.redact)
      else exchange.gives = this.redact.data(asJson(said.gives))
      entry.isEnded = true
    }
  }

  /** The whole file. Nothing can be recorded any more. Throws for a conversation that could not be replayed. */
  finish(model: ChatModel): CassetteFile {
    this.#isFinished = true
    if (this.#waited !== undefined) throw waitedForCalls(this.#waited, this.#file)
    const { provider, model: name, capabilities, options } = model
    return {
      format: CASSETTE_FORMAT,
      version: CASSETTE_VERSION,
      model: {
        provider,
        model: name,
        capabilities,
        options: optionsOf(options, this.redact),
      },
      tools: Object.fromEntries([...this.#tools.values()].map(({ key, tool }) => [key, tool])),
      exchanges: this.#entries.map(({ exchange, isEnded }) =>
        isEnded ? exchange : { ...exchange, aborted: true },
      ),
    }
  }

  #begin<Exchange extends Open<CassetteExchange>>(
    exchange: Exchange,
  ): Entry & { readonly exchange: Exchange } {
    if (this.#isFinished) throw finished(this.#file)
    const entry = { exchange, isEnded: false }
    this.#entries.push(entry)
    return entry
  }

  #stored({ options, tools = {}, messages }: CanonicalRequest): StoredRequest {
    const keys = Object.values(tools).map((definition) => this.#keyOf(definition, {}))
    const before = this.#before?.messages ?? []
    const differs = before.findIndex((each, at) => keyOf(each) !== keyOf(messages[at] ?? null))
    const repeats = differs === -1 ? before.length : differs
    return {
      ...(options && { options }),
      ...(keys.length > 0 && { tools: keys.sort() }),
      ...(repeats > 0 && { repeats }),
      messages: messages.slice(repeats),
    }
  }

  #keyOf(definition: JsonObject, about: RecordedTool['about']): string {
    const print = keyOf(definition)
    const known = this.#tools.get(print)
    if (known) return known.key
    const name = definition['name'] as string
    const namesakes = [...this.#tools.values()].filter(({ tool }) => tool.definition.name === name)
    const key = namesakes.length === 0 ? name : `${name}#${namesakes.length + 1}`
    const tool = { definition: definition as unknown as CassetteTool['definition'], ...about }
    this.#tools.set(print, { key, tool })
    return key
  }
}

export type Said = { readonly gives: unknown } | { readonly thrown: unknown }

export const finished = (file: string): CassetteError =>
  new CassetteError('cassette-finished', `The cassette ${file} is finished.`, { file })

/** A replay does not run the tool, so nobody would make the calls that are to be decided. */
const waitedForCalls = (tool: string, file: string): CassetteError =>
  new CassetteError(
    'cassette-inner-calls',
    `The cassette ${file} was not written: tool "${tool}" waited for calls of its own, which a cassette does not hold.`,
    { file },
  )

/** Follow from the response, so they are not kept. */
const DERIVED = ['reasoning-delta', 'tool-call-start', 'tool-call-delta', 'tool-call', 'part']

export class OpenModelExchange {
  readonly #entry: Entry & { readonly exchange: Open<ModelExchange> }
  readonly #redact: Redactor
  #said = ''

  constructor(entry: Entry & { readonly exchange: Open<ModelExchange> }, redact: Redactor) {
    this.#entry = entry
    this.#redact = redact
  }

  hear(event: ChatEvent): void {
    if (event?.type === 'response') this.answer(event.response)
    else if (event?.type === 'text-delta') this.#said += event.text
    else if (!DERIVED.includes(event?.type)) {
      const { exchange } = this.#entry
      const heard = this.#redact.data(asJson(event)) as unknown as ChatEvent
      exchange.events = [...(exchange.events ?? []), heard]
    }
  }

  answer(response: ChatResponse): void {
    const { exchange } = this.#entry
    exchange.response = this.#redact.data(
      steadyResponse(exactJson(response)),
    ) as unknown as ChatResponse
    this.#entry.isEnded = true
  }

  fail(thrown: unknown, signal: AbortSignal | undefined): void {
    if (this.#entry.isEnded) return
    this.#keepSaid()
    if (signal?.aborted) this.#entry.exchange.aborted = true
    else this.#entry.exchange.error = failureOf(thrown, this.#redact)
    this.#entry.isEnded = true
  }

  /** Its reader went away before the end. */
  leave(): void {
    if (this.#entry.isEnded) return
    this.#keepSaid()
    this.#entry.exchange.aborted = true
    this.#entry.isEnded = true
  }

  #keepSaid(): void {
    if (this.#said !== '') this.#entry.exchange.said = this.#redact.text(this.#said)
  }
}

export class OpenToolExchange {
  readonly #entry: Entry & { readonly exchange: Open<ToolExchange> }
  readonly #redact: Redactor
  readonly #waits: () => void

  constructor(
    entry: Entry & { readonly exchange: Open<ToolExchange> },
    redact: Redactor,
    waits: () => void,
  ) {
    this.#entry = entry
    this.#redact = redact
    this.#waits = waits
  }

  /** It failed, was aborted or asked; what the tool returns later does not count. */
  get isEnded(): boolean {
    return this.#entry.isEnded
  }

  progress(value: unknown): void {
    if (this.#entry.isEnded) return
    const { exchange } = this.#entry
    exchange.progress = [...(exchange.progress ?? []), this.#redact.data(asJson(value))]
  }

  /** What the model reads, and what the tool returned. */
  give(output: NonNullable<ToolExchange['output']>, value: unknown): void {
    const clean = this.#redact.data(exactJson(output)) as NonNullable<ToolExchange['output']>
    const returned = this.#returned(clean, value)
    this.#end({ output: clean, ...(returned !== undefined && { returned }) })
  }

  ask(question: Json): void {
    this.#end({ question: { asks: this.#redact.data(question) } })
  }

  /** It left until somebody has decided about calls that it made. */
  waitForCalls(): void {
    this.#waits()
    this.#end({ aborted: true })
  }

  fail(thrown: unknown): void {
    this.#end({ error: failureOf(thrown, this.#redact) })
  }

  abort(): void {
    this.#end({ aborted: true })
  }

  #returned(output: NonNullable<ToolExchange['output']>, value: unknown): ToolExchange['returned'] {
    if (value === undefined) return 'nothing'
    const clean = this.#redact.data(asJson(value))
    if (keyOf(clean) === keyOf(output)) return undefined
    return JSON.stringify(clean) === output ? 'json' : { value: clean }
  }

  #end(ending: Partial<ToolExchange>): void {
    if (this.#entry.isEnded) return
    Object.assign(this.#entry.exchange, ending)
    this.#entry.isEnded = true
  }
}
