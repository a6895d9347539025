/**
 * From the chunks of a streamed Chat Completions answer to chat events. Deltas go out as they come; calls
 * and the response only once every choice said how it ended. Nothing cut off looks complete.
 */
import type { ChatResponse, Generation } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import { AnswerEvents } from '../wire/answer-events.ts'
import type { StreamConverter } from '../wire/chat-dialect.ts'
import type { TextPath } from '../wire/repeated-records.ts'
import { ToolCallAssembler } from '../wire/tool-call-assembler.ts'
import { isJsonObject, isText } from '../wire/wire-value.ts'
import {
  addExtra,
  callPiece,
  EXTRA_FIELDS,
  kindOf,
  callsIn,
  readContent,
  REASONING_FIELDS,
  toGeneration,
  toResponse,
} from './from-wire.ts'
import type { WireAnswer, WireChoice, WireMessage, WireToolCall } from './wire-types.ts'

export const STREAMED_TEXTS: readonly TextPath[] = [
  ['choices', 0, 'delta', 'content'],
  ['choices', 0, 'delta', 'tool_calls', 0, 'function', 'arguments'],
  ...REASONING_FIELDS.map((field) => ['choices', 0, 'delta', field] as const),
]

/** One choice while it streams. */
interface OpenChoice {
  /** Several choices would talk at once; only the first is heard live. */
  readonly events: AnswerEvents
  text: string
  reasoning: string
  reasoningField: string | undefined
  readonly extras: Map<string, Json>
  readonly calls: ToolCallAssembler
  rawFinishReason: string | undefined
  logprobs: Json | undefined
}

type Handler = (choice: OpenChoice, value: unknown) => void

/** What each field of a delta does. Fields not listed say nothing to us. */
const HANDLERS = new Map<string, Handler>([
  ['content', takeContent],
  ['tool_calls', takeCalls],
  ['function_call', (choice, value) => takeCalls(choice, [{ index: 0, function: value }])],
  ...REASONING_FIELDS.map((field): [string, Handler] => [
    field,
    (choice, value) => takeReasoning(choice, value, field),
  ]),
  ...EXTRA_FIELDS.map((field): [string, Handler] => [
    field,
    (choice, value) => addExtra(choice.extras, field, value),
  ]),
])

export function streamConverter(provider: string, events: AnswerEvents): StreamConverter {
  return new ChunkConverter(provider, events)
}

class ChunkConverter implements StreamConverter {
  /** The end marker is not part of the dialect's records. */
  readonly hasEnded = false
  readonly #provider: string
  readonly #events: AnswerEvents
  readonly #choices = new Map<number, OpenChoice>()
  #hasNoticed = false
  /** Carries id and model. */
  #first: WireAnswer | undefined
  /** Carries the usage. */
  #last: WireAnswer = {}

  constructor(provider: string, events: AnswerEvents) {
    this.#provider = provider
    this.#events = events
  }

  get isComplete(): boolean {
    if (this.#choices.size === 0) return false
    for (const choice of this.#choices.values())
      if (choice.rawFinishReason === undefined) return false
    return true
  }

  take(chunk: JsonObject & WireAnswer): void {
    if (this.#first === undefined || !isText(this.#first.id)) this.#first = chunk
    if (chunk.usage || chunk.x_groq?.usage || !this.#last.usage) this.#last = chunk
    if (!Array.isArray(chunk.choices)) return
    for (const choice of chunk.choices) if (isJsonObject(choice)) this.#takeChoice(choice)
  }

  finish(): ChatResponse {
    const generations = Array.from(this.#choices.values(), closed)
    for (const { message } of generations)
      if (typeof message.content !== 'string')
        for (const part of message.content) this.#events.complete(part)
    return toResponse(generations, this.#first ?? {}, this.#last)
  }

  #takeChoice(wire: WireChoice): void {
    const choice = this.#choiceAt(typeof wire.index === 'number' ? wire.index : 0)
    if (choice.rawFinishReason !== undefined) return this.#late(wire)
    const delta = wire.delta ?? wire.message
    if (isJsonObject(delta)) takeDelta(choice, delta)
    if (wire.logprobs) choice.logprobs = joinedLogprobs(choice.logprobs, wire.logprobs as Json)
    if (isText(wire.finish_reason)) choice.rawFinishReason = wire.finish_reason
  }

  #choiceAt(index: number): OpenChoice {
    let choice = this.#choices.get(index)
    if (choice === undefined) {
      const events = this.#choices.size === 0 ? this.#events : new AnswerEvents(true)
      choice = openChoice(events)
      this.#choices.set(index, choice)
    }
    return choice
  }

  /** Content after the finish reason belongs to no answer: acting on it would run a call that was never announced. */
  #late({ delta }: WireChoice): void {
    const saysSomething =
      isJsonObject(delta) && (isText(delta.content) || (delta as WireMessage).tool_calls?.length)
    if (this.#hasNoticed || !saysSomething) return
    this.#hasNoticed = true
    this.#events.notice(
      'content-after-finish',
      `${this.#provider} sent content after the finish reason; it was ignored.`,
    )
  }
}

function openChoice(events: AnswerEvents): OpenChoice {
  return {
    events,
    text: '',
    reasoning: '',
    reasoningField: undefined,
    extras: new Map(),
    calls: new ToolCallAssembler(events),
    rawFinishReason: undefined,
    logprobs: undefined,
  }
}

const closed = (choice: OpenChoice): Generation =>
  toGeneration({ ...choice, calls: choice.calls.finish() })

function takeDelta(choice: OpenChoice, delta: JsonObject): void {
  for (const field in delta) {
    const value = delta[field]
    if (value !== undefined && value !== null) HANDLERS.get(field)?.(choice, value)
  }
}

function takeContent(choice: OpenChoice, content: unknown): void {
  if (typeof content === 'string') return addText(choice, content)
  const { text, reasoning, others } = readContent(content)
  addReasoning(choice, reasoning)
  addText(choice, text)
  for (const item of others) addExtra(choice.extras, kindOf(item), item)
}

function takeReasoning(choice: OpenChoice, value: unknown, field: string): void {
  if (typeof value !== 'string' || value === '') return
  choice.reasoningField ??= field
  // Some servers send the same thought in both fields.
  if (choice.reasoningField === field) addReasoning(choice, value)
}

function addText(choice: OpenChoice, text: string): void {
  choice.text += text
  choice.events.text(text)
}

function addReasoning(choice: OpenChoice, text: string): void {
  choice.reasoning += text
  choice.events.reasoning(text)
}

function takeCalls(choice: OpenChoice, given: unknown): void {
  const entries = callsIn(given)
  for (let position = 0; position < entries.length; position++) {
    const entry = entries[position]
    if (!isJsonObject(entry)) continue
    if ('custom' in entry) addExtra(choice.extras, kindOf(entry as Json), [{ ...entry }])
    if (!isJsonObject(entry.function)) continue
    // Without an index, entries side by side in one delta are different calls.
    const index = indexOf(entry.index) ?? (entries.length > 1 ? position : undefined)
    choice.calls.take(callPiece(entry as WireToolCall, index))
  }
}

/** Indexes come as numbers and as strings of digits. */
function indexOf(index: unknown): number | undefined {
  const number = typeof index === 'string' && index.trim() !== '' ? Number(index) : index
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined
}

function joinedLogprobs(before: Json | undefined, next: Json): Json {
  const whole = new Map<string, Json>()
  if (before !== undefined) addExtra(whole, 'logprobs', before)
  addExtra(whole, 'logprobs', next)
  return whole.get('logprobs') ?? null
}
