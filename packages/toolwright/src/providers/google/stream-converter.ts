/**
 * From the chunks of a streamed Gemini answer to chat events. Texts grow until another part begins; calls come
 * whole, or in pieces where a server streams arguments. A call that was cut is never told as complete.
 */
import type { ChatResponse, Generation } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import { AnswerEvents } from '../wire/answer-events.ts'
import type { StreamConverter } from '../wire/chat-dialect.ts'
import { GrowingText } from '../wire/growing-text.ts'
import { PartAssembler } from '../wire/part-assembler.ts'
import type { TextPath } from '../wire/repeated-records.ts'
import { ValuesByPath } from '../wire/values-by-path.ts'
import {
  addFields,
  argumentsText,
  fieldsIn,
  isJsonObject,
  isText,
  textField,
  type OwnFields,
} from '../wire/wire-value.ts'
import {
  blockReason,
  continues,
  groundingOf,
  isCut,
  refuseBroken,
  saysSomething,
  toGeneration,
  toPart,
  toResponse,
  toToolCall,
} from './from-wire.ts'
import {
  partsIn,
  type WireAnswer,
  type WireCandidate,
  type WireFunctionCall,
  type WirePart,
  type WirePartialArg,
} from './wire-types.ts'

/** A text that may go on in the next chunk. */
interface OpenText {
  readonly kind: 'text'
  readonly part: WirePart
  readonly text: GrowingText
}

/** A call whose arguments still come. */
interface OpenCall {
  readonly kind: 'call'
  readonly call: OwnFields
  readonly extra: OwnFields
  readonly values: ValuesByPath
  /** Arguments that came as a whole after all. */
  whole: string
  hasStarted: boolean
}

/** One candidate while it streams. */
interface OpenCandidate {
  /** Several candidates would talk at once; only the first is heard live. */
  readonly events: AnswerEvents
  readonly parts: PartAssembler<OpenText | OpenCall>
  readonly fields: OwnFields
  /** Whose fields were taken last. */
  last: WireCandidate | undefined
}

export const STREAMED_TEXTS: readonly TextPath[] = [
  ['candidates', 0, 'content', 'parts', 0, 'text'],
]

/** The tokens so far, which come with every piece. */
export const GROWING_COUNTS: readonly TextPath[] = [
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'totalTokenCount',
].map((count) => ['usageMetadata', count])

/** There is one open part at most, and this is its key. */
const OPEN = 'open'

type PartHandler = (candidate: OpenCandidate, part: WirePart) => void

/** What a part does, by the field with its data. Any other is complete as it is. */
const PART_HANDLERS: readonly (readonly [field: string, handle: PartHandler])[] = [
  ['functionCall', takeCall],
  ['text', takeText],
]

type FieldHandler = (fields: OwnFields, field: string, value: Json) => void

/** How a field of an answer or a candidate changes when it comes again. Any other is replaced. */
const FIELD_HANDLERS: ReadonlyMap<string, FieldHandler> = new Map([
  ['usageMetadata', mergeField],
  ['promptFeedback', mergeField],
  ['groundingMetadata', mergeField],
  ['urlContextMetadata', mergeField],
  ['responseId', keepField],
  ['candidates', () => {}],
  ['content', () => {}],
] satisfies [string, FieldHandler][])

export function streamConverter(events: AnswerEvents): StreamConverter {
  return new ChunkConverter(events)
}

class ChunkConverter implements StreamConverter {
  /** The API marks no end: the connection closes. */
  readonly hasEnded = false
  readonly #events: AnswerEvents
  readonly #candidates = new Map<number, OpenCandidate>()
  readonly #answer: OwnFields = {}
  /** The chunk whose fields were taken last. It may come again, and only its counts are others then. */
  #last: JsonObject | undefined
  #hasNoticed = false

  constructor(events: AnswerEvents) {
    this.#events = events
  }

  get isComplete(): boolean {
    if (this.#candidates.size === 0) return blockReason(this.#answer) !== undefined
    for (const candidate of this.#candidates.values()) if (!hasEnded(candidate)) return false
    return true
  }

  take(chunk: JsonObject & WireAnswer): void {
    if (this.#isOfAnother(chunk) && (this.#hasNoticed || this.isComplete)) return this.#late()
    if (chunk !== this.#last) {
      this.#takeCounts()
      takeFields(this.#answer, chunk)
      this.#last = chunk
    }
    if (!Array.isArray(chunk.candidates)) return
    for (const candidate of chunk.candidates)
      if (isJsonObject(candidate)) this.#takeCandidate(candidate)
  }

  finish(): ChatResponse {
    this.#takeCounts()
    return toResponse(Array.from(this.#candidates.values(), closed), this.#answer)
  }

  /** Of the chunk that came last, however often. */
  #takeCounts(): void {
    const counts = this.#last?.['usageMetadata']
    if (isJsonObject(counts)) mergeField(this.#answer, 'usageMetadata', counts)
  }

  #takeCandidate(wire: JsonObject & WireCandidate): void {
    const candidate = this.#candidateAt(typeof wire.index === 'number' ? wire.index : 0)
    for (const part of partsIn(wire)) takePart(candidate, part)
    if (candidate.events === this.#events) refuseBroken(wire, this.#events.partial)
    if (wire === candidate.last) return
    takeFields(candidate.fields, wire)
    candidate.last = wire
  }

  #candidateAt(index: number): OpenCandidate {
    let candidate = this.#candidates.get(index)
    if (candidate === undefined) {
      const events = this.#candidates.size === 0 ? this.#events : new AnswerEvents(true)
      candidate = { events, parts: new PartAssembler(events), fields: {}, last: undefined }
      this.#candidates.set(index, candidate)
    }
    return candidate
  }

  /** Some servers give a finish reason with every chunk, so only another id tells what is not of this answer. */
  #isOfAnother({ responseId }: WireAnswer): boolean {
    const own = this.#answer['responseId']
    return isText(responseId) && isText(own) && responseId !== own
  }

  #late(): void {
    if (this.#hasNoticed) return
    this.#hasNoticed = true
    this.#events.notice(
      'content-after-finish',
      'google sent another answer after the finish reason; it was ignored.',
    )
  }
}

function hasEnded({ fields, parts }: OpenCandidate): boolean {
  const raw = fields['finishReason']
  return isText(raw) && (parts.at(OPEN)?.kind !== 'call' || isCut(raw))
}

function closed(candidate: OpenCandidate): Generation {
  const { parts, fields } = candidate
  closePart(candidate)
  const own = parts.parts
  for (const part of groundingOf(fields)) parts.add(part)
  return toGeneration(fields, own)
}

function takeFields(fields: OwnFields, given: JsonObject): void {
  for (const field of Object.keys(given)) {
    const value = given[field]!
    if (value === null || field === '__proto__') continue
    const handle = FIELD_HANDLERS.get(field) ?? replaceField
    handle(fields, field, value)
  }
}

const replaceField: FieldHandler = (fields, field, value) => void (fields[field] = value)

function keepField(fields: OwnFields, field: string, value: Json): void {
  if (!isText(fields[field])) fields[field] = value
}

/** Counts and findings come several times, later ones often with less. */
function mergeField(fields: OwnFields, field: string, value: Json): void {
  if (!isJsonObject(value)) return
  const before = fields[field]
  if (isJsonObject(before)) addFields(before as OwnFields, value)
  else fields[field] = { ...value }
}

function takePart(candidate: OpenCandidate, part: WirePart): void {
  for (const [field, handle] of PART_HANDLERS) if (field in part) return handle(candidate, part)
  if (!saysSomething(part)) return
  closePart(candidate)
  candidate.parts.add(toPart(part))
}

function takeText(candidate: OpenCandidate, part: WirePart): void {
  if (!saysSomething(part)) return
  const { events, parts } = candidate
  const text = textField(part, 'text')
  const open = parts.at(OPEN)
  if (open?.kind === 'text' && continues(open.part, part)) {
    open.text.add(text)
  } else {
    closePart(candidate)
    const growing = new GrowingText()
    growing.add(text)
    parts.start(OPEN, { kind: 'text', part: { ...part }, text: growing })
  }
  if (part.thought === true) events.reasoning(text)
  else events.text(text)
}

/** A piece belongs to the open call, unless it names another one. */
function takeCall(candidate: OpenCandidate, { functionCall, ...extra }: WirePart): void {
  if (!isJsonObject(functionCall)) return
  const open = candidate.parts.at(OPEN)
  let call = open?.kind === 'call' && !startsAnother(open, functionCall) ? open : undefined
  if (call === undefined) {
    // The end of a call that has ended before says nothing.
    if (Object.keys(functionCall).length === 0) return
    closePart(candidate)
    call = {
      kind: 'call',
      call: {},
      extra,
      values: new ValuesByPath(),
      whole: '',
      hasStarted: false,
    }
    candidate.parts.start(OPEN, call)
  } else {
    Object.assign(call.extra, extra)
  }
  addPiece(call, functionCall, candidate.events)
  if (functionCall['willContinue'] !== true) closePart(candidate)
}

function startsAnother(open: OpenCall, piece: WireFunctionCall): boolean {
  const { id, name } = open.call
  if (isText(piece.id) && isText(id) && piece.id !== id) return true
  if (!isText(piece.name) || (isText(piece.id) && piece.id === id)) return false
  const isRepeated = piece.name === name && Array.isArray(piece.partialArgs)
  return open.hasStarted && !isRepeated
}

function addPiece(open: OpenCall, piece: JsonObject, events: AnswerEvents): void {
  const { call } = open
  const { name, args, partialArgs, ...more } = piece
  for (const [field, value] of Object.entries(more))
    if (value !== '' && value !== null && field !== '__proto__') call[field] = value
  if (isText(name) && name !== call['name']) call['name'] = textField(call, 'name') + name
  if (args !== undefined && args !== null) open.whole = argumentsText(args)
  if (!Array.isArray(partialArgs)) return
  startCall(open, events)
  for (const value of partialArgs) putValue(open.values, value as WirePartialArg, events)
}

function putValue(values: ValuesByPath, given: WirePartialArg, events: AnswerEvents): void {
  const value = valueOf(fieldsIn(given))
  if (value === undefined) return
  const { jsonPath, willContinue } = given
  if (typeof jsonPath !== 'string' || !values.put(jsonPath, value, willContinue === true))
    throw events.invalid('a piece of arguments without a place')
}

function valueOf(given: WirePartialArg): Json | undefined {
  const { stringValue, numberValue, boolValue, nullValue } = given
  if (nullValue !== undefined) return null
  const value = stringValue ?? numberValue ?? boolValue
  return value === undefined ? undefined : (value as Json)
}

/** The start comes with the first argument, when the name cannot grow any more. */
function startCall(open: OpenCall, events: AnswerEvents): void {
  if (open.hasStarted) return
  open.hasStarted = true
  events.callStart(textField(open.call, 'id'), textField(open.call, 'name'))
}

function closePart({ parts, events }: OpenCandidate): void {
  const open = parts.at(OPEN)
  if (open === undefined) return
  if (open.kind === 'text')
    return parts.close(OPEN, [toPart({ ...open.part, text: open.text.toString() })])
  startCall(open, events)
  const text = open.values.isEmpty ? open.whole : open.values.toString()
  const call = toToolCall(open, text)
  events.callDelta(call.id, call.arguments)
  parts.close(OPEN, [call])
}
