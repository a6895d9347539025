/**
 * From the lines of a streamed `/api/chat` answer to chat events. Text and thoughts come in pieces, calls whole;
 * the last line says `done`. Nothing is told as complete before it.
 */
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { ToolCall } from '../../messages/message.ts'
import type { AnswerEvents } from '../wire/answer-events.ts'
import type { StreamConverter } from '../wire/chat-dialect.ts'
import type { TextPath } from '../wire/repeated-records.ts'
import { isJsonObject } from '../wire/wire-value.ts'
import { callsIn, functionOf, listOf, toCall, toResponse } from './from-wire.ts'
import type { WireAnswer } from './wire-types.ts'

export const STREAMED_TEXTS: readonly TextPath[] = [
  ['message', 'content'],
  ['message', 'thinking'],
]

/** One answer while it streams. */
interface OpenAnswer {
  readonly events: AnswerEvents
  text: string
  thinking: string
  readonly images: Json[]
  readonly calls: ToolCall[]
  /** The calls of all lines before this one, by what tells them apart. */
  readonly known: Set<string>
  readonly logprobs: Json[]
  last: WireAnswer | undefined
}

type Handler = (answer: OpenAnswer, value: unknown) => void

/** What each field of a message does. Fields not listed say nothing to us. */
const HANDLERS = new Map<string, Handler>([
  ['content', takeText],
  ['thinking', takeThought],
  ['tool_calls', takeCalls],
  ['images', takeImages],
])

export function streamConverter(events: AnswerEvents): StreamConverter {
  return new LineConverter(events)
}

class LineConverter implements StreamConverter {
  readonly #answer: OpenAnswer

  constructor(events: AnswerEvents) {
    this.#answer = {
      events,
      text: '',
      thinking: '',
      images: [],
      calls: [],
      known: new Set(),
      logprobs: [],
      last: undefined,
    }
  }

  take(line: JsonObject): void {
    const { message, logprobs, done } = line
    if (isJsonObject(message))
      for (const field in message) HANDLERS.get(field)?.(this.#answer, message[field])
    for (const entry of listOf(logprobs)) this.#answer.logprobs.push(entry)
    if (done === true) this.#answer.last = line
  }

  get hasEnded(): boolean {
    return this.#answer.last !== undefined
  }

  get isComplete(): boolean {
    return this.hasEnded
  }

  finish(): ChatResponse {
    const { events, last = {} } = this.#answer
    const response = toResponse(last, this.#answer)
    const { content } = response.results[0]!.message
    if (typeof content !== 'string') for (const part of content) events.complete(part)
    return response
  }
}

function takeText(answer: OpenAnswer, text: unknown): void {
  if (typeof text !== 'string') return
  answer.text += text
  answer.events.text(text)
}

function takeThought(answer: OpenAnswer, text: unknown): void {
  if (typeof text !== 'string') return
  answer.thinking += text
  answer.events.reasoning(text)
}

function takeImages({ images }: OpenAnswer, given: unknown): void {
  for (const image of listOf(given)) images.push(image)
}

/**
 * A call that an earlier line had already, under the same id or number, is that call again: some gateways repeat
 * a line. Side by side in one line, or without either, two equal calls are two.
 */
function takeCalls({ events, calls, known }: OpenAnswer, given: unknown): void {
  const seen: string[] = []
  for (const wire of callsIn(given)) {
    const call = toCall(wire)
    const { index } = functionOf(wire)
    const key = JSON.stringify([call.id, index ?? null, call.name]) + call.arguments
    if (known.has(key)) continue
    if (call.id !== '' || index !== undefined) seen.push(key)
    calls.push(call)
    events.callStart(call.id, call.name)
    events.callDelta(call.id, call.arguments)
  }
  for (const key of seen) known.add(key)
}
