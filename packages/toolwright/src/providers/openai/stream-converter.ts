/**
 * From the events of a streamed Chat Completions answer to `ChatEvent`s. Deltas go out as they come;
 * calls and the response only once every choice said how it ended. Nothing cut off looks complete.
 */
import { ModelResponseError, ProviderError } from '../../errors/errors.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse, Generation } from '../../messages/chat-response.ts'
import type { Json } from '../../messages/json.ts'
import { errorIn } from '../wire/exchange.ts'
import { reportedError } from '../wire/provider-failure.ts'
import type { SseEvent } from '../wire/sse.ts'
import type { WireSettings } from '../wire/wire-settings.ts'
import {
  addExtra,
  EXTRA_FIELDS,
  isObject,
  isText,
  kindOf,
  readContent,
  REASONING_FIELDS,
  toGeneration,
  toResponse,
} from './from-wire.ts'
import { ToolCallAssembler, type Emit } from './tool-call-assembler.ts'
import type { WireAnswer, WireChoice, WireMessage } from './wire-types.ts'

const END = '[DONE]'

const isEnd = ({ data }: SseEvent): boolean => data.length < 16 && data.trim() === END

/** One choice while it streams. */
interface OpenChoice {
  text: string
  reasoning: string
  reasoningField: string | undefined
  readonly extras: Map<string, Json>
  readonly assembler: ToolCallAssembler
  rawFinishReason: string | undefined
  logprobs: Json | undefined
}

type Handler = (choice: OpenChoice, value: unknown, emit: Emit) => void

/** What each field of a delta does. Fields not listed say nothing to us. */
const HANDLERS = new Map<string, Handler>([
  ...REASONING_FIELDS.map((field): [string, Handler] => [field, reasoningHandler(field)]),
  ['content', takeContent],
  ['tool_calls', takeToolCalls],
  [
    'function_call',
    (choice, value, emit) => takeToolCalls(choice, [{ index: 0, function: value }], emit),
  ],
  ...EXTRA_FIELDS.map((field): [string, Handler] => [
    field,
    (choice, value) => addExtra(choice.extras, field, value),
  ]),
])

export class StreamConverter {
  readonly #settings: WireSettings
  readonly #choices = new Map<number, OpenChoice>()
  #position = 0
  #ended = false
  #noticed = false
  #failure: { readonly thrown: unknown } | undefined
  #first: WireAnswer | undefined
  #last: WireAnswer = {}
  #out: ChatEvent[] = []
  readonly #emit: Emit = (event) => void this.#out.push(event)
  /** Several choices would talk at once; only the first is heard live. */
  readonly #mute: Emit = () => {}

  constructor(settings: WireSettings) {
    this.#settings = settings
  }

  /** The text so far, of the first choice. */
  get partial(): string {
    return this.#choices.values().next().value?.text ?? ''
  }

  /** Whether the end marker came. */
  get hasEnded(): boolean {
    return this.#ended
  }

  /** Whether the answer is complete, should the connection fail from here on. */
  get isComplete(): boolean {
    if (this.#choices.size === 0) return false
    for (const choice of this.#choices.values())
      if (choice.rawFinishReason === undefined) return false
    return true
  }

  /** The events of one batch, converted. Those before a failure still count; it is thrown by `check`. */
  take(batch: readonly SseEvent[]): readonly ChatEvent[] {
    try {
      for (const event of batch) this.#takeEvent(event)
    } catch (thrown) {
      this.#failure = { thrown }
    }
    return this.#drain()
  }

  check(): void {
    if (this.#failure !== undefined) throw this.#failure.thrown
  }

  /** The end of the stream: complete calls and parts, then the response. */
  finish(): readonly ChatEvent[] {
    if (!this.isComplete)
      throw this.incomplete(this.#ended ? 'without a finish reason' : 'before its end')
    const generations = [...this.#choices.values()].map((choice, position) =>
      this.#close(choice, position),
    )
    for (const generation of generations) announce(generation, this.#emit)
    this.#emit({
      type: 'response',
      response: toResponse(generations, this.#first ?? {}, this.#last),
    })
    return this.#drain()
  }

  incomplete(how: string, cause?: unknown): ModelResponseError {
    const message = `The stream of ${this.#settings.provider} ended ${how}, after ${this.#position} events.`
    const details = { partial: this.partial, retryable: true }
    return new ModelResponseError(
      'incomplete-stream',
      message,
      cause === undefined ? details : { ...details, cause },
    )
  }

  #takeEvent(event: SseEvent): void {
    if (this.#ended) return
    this.#position++
    if (isEnd(event)) this.#ended = true
    else this.#takeAnswer(this.#parse(event))
  }

  #drain(): readonly ChatEvent[] {
    const events = this.#out
    this.#out = []
    return events
  }

  #parse(event: SseEvent): WireAnswer {
    let value: unknown
    try {
      value = JSON.parse(event.data)
    } catch {
      if (event.event === 'error') throw reportedError(this.#settings, event.data)
      throw this.#invalid('is not JSON', event.data)
    }
    const error = errorIn(value)
    if (error !== undefined) throw reportedError(this.#settings, error)
    if (event.event === 'error' || isErrorObject(value)) throw reportedError(this.#settings, value)
    if (!isObject(value)) throw this.#invalid('is no object', event.data)
    return value
  }

  #invalid(how: string, data: string): ModelResponseError {
    const shown = this.#settings.redact(JSON.stringify(data.slice(0, 80)))
    const message = `Event ${this.#position} of the stream of ${this.#settings.provider} ${how}: ${shown}.`
    return new ModelResponseError('invalid-response', message, { partial: this.partial })
  }

  #takeAnswer(answer: WireAnswer): void {
    if (this.#first === undefined || !isText(this.#first.id)) this.#first = answer
    if (answer.usage || answer.x_groq?.usage || !this.#last.usage) this.#last = answer
    if (!Array.isArray(answer.choices)) return
    for (const choice of answer.choices) if (isObject(choice)) this.#takeChoice(choice)
  }

  #takeChoice(wire: WireChoice): void {
    const index = typeof wire.index === 'number' ? wire.index : 0
    const choice = this.#choiceAt(index)
    if (choice.rawFinishReason !== undefined) return this.#late(wire)
    const delta = wire.delta ?? wire.message
    if (isObject(delta)) this.#takeDelta(choice, delta)
    if (wire.logprobs) choice.logprobs = joinedLogprobs(choice.logprobs, wire.logprobs as Json)
    if (isText(wire.finish_reason)) choice.rawFinishReason = wire.finish_reason
  }

  #choiceAt(index: number): OpenChoice {
    let choice = this.#choices.get(index)
    if (choice === undefined) {
      choice = {
        text: '',
        reasoning: '',
        reasoningField: undefined,
        extras: new Map(),
        assembler: new ToolCallAssembler(),
        rawFinishReason: undefined,
        logprobs: undefined,
      }
      this.#choices.set(index, choice)
    }
    return choice
  }

  #takeDelta(choice: OpenChoice, delta: WireMessage): void {
    const emit = choice === this.#choices.values().next().value ? this.#emit : this.#mute
    for (const field in delta) {
      const value = (delta as Record<string, unknown>)[field]
      if (value !== undefined && value !== null) HANDLERS.get(field)?.(choice, value, emit)
    }
  }

  /** Content after the finish reason is nobody's: acting on it would run a call that was never announced. */
  #late({ delta }: WireChoice): void {
    if (this.#noticed || !isObject(delta) || (!isText(delta.content) && !delta.tool_calls?.length))
      return
    this.#noticed = true
    const message = `${this.#settings.provider} sent content after the finish reason; it was ignored.`
    this.#emit({ type: 'notice', code: 'content-after-finish', message })
  }

  #close(choice: OpenChoice, position: number): Generation {
    const calls = choice.assembler.finish(position === 0 ? this.#emit : this.#mute)
    return toGeneration({ ...choice, calls })
  }
}

/** A failure of the connection means an incomplete answer, unless the answer had already ended. */
export function asIncomplete(converter: StreamConverter, thrown: unknown): unknown {
  if (!(thrown instanceof ProviderError) || thrown.code !== 'provider-unreachable') return thrown
  return converter.incomplete('because the connection broke', thrown)
}

/** An answer that came in one piece, as the events a stream would have had. */
export function eventsOfWhole(response: ChatResponse): readonly ChatEvent[] {
  const events: ChatEvent[] = []
  const [first] = response.results
  if (first !== undefined) tell(first, (event) => events.push(event))
  for (const generation of response.results) announce(generation, (event) => events.push(event))
  events.push({ type: 'response', response })
  return events
}

function tell({ message: { content } }: Generation, emit: Emit): void {
  for (const part of typeof content === 'string'
    ? [{ type: 'text', text: content } as const]
    : content) {
    if (part.type === 'text' && part.text !== '') emit({ type: 'text-delta', text: part.text })
    else if (part.type === 'reasoning') emit({ type: 'reasoning-delta', text: part.text })
    else if (part.type === 'tool-call') {
      emit({ type: 'tool-call-start', id: part.id, name: part.name })
      emit({ type: 'tool-call-delta', id: part.id, delta: part.arguments })
    }
  }
}

function announce(generation: Generation, emit: Emit): void {
  const { content } = generation.message
  if (typeof content === 'string') return
  for (const part of content) {
    if (part.type === 'tool-call') emit({ type: 'tool-call', toolCall: part })
    else if (part.type !== 'text') emit({ type: 'part', part })
  }
}

function reasoningHandler(field: string): Handler {
  return (choice, value, emit) => {
    if (typeof value !== 'string' || value === '') return
    choice.reasoningField ??= field
    // Some servers send the same thought in both fields.
    if (choice.reasoningField === field) addReasoning(choice, value, emit)
  }
}

function addReasoning(choice: OpenChoice, text: string, emit: Emit): void {
  if (text === '') return
  choice.reasoning += text
  emit({ type: 'reasoning-delta', text })
}

function addText(choice: OpenChoice, text: string, emit: Emit): void {
  if (text === '') return
  choice.text += text
  emit({ type: 'text-delta', text })
}

function takeContent(choice: OpenChoice, content: unknown, emit: Emit): void {
  if (typeof content === 'string') return addText(choice, content, emit)
  const { text, reasoning, others } = readContent(content)
  addReasoning(choice, reasoning, emit)
  addText(choice, text, emit)
  for (const item of others) addExtra(choice.extras, kindOf(item), item)
}

function takeToolCalls(choice: OpenChoice, entries: unknown, emit: Emit): void {
  if (!Array.isArray(entries)) return
  choice.assembler.take(entries, emit)
  for (const entry of entries) {
    if (isObject(entry) && 'custom' in entry)
      addExtra(choice.extras, kindOf(entry as Json), [entry])
  }
}

function joinedLogprobs(before: Json | undefined, next: Json): Json {
  const whole = new Map<string, Json>()
  if (before !== undefined) addExtra(whole, 'logprobs', before)
  addExtra(whole, 'logprobs', next)
  return whole.get('logprobs') ?? null
}

const isErrorObject = (value: unknown): boolean =>
  isObject(value) && (value as { object?: unknown }).object === 'error'
