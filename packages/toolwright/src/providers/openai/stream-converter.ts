/**
 * From the events of a Responses API stream to chat events. Items are assembled until each equals what the API
 * would have sent whole. What comes whole at the end of a piece counts, so a server may leave the pieces out,
 * and what was not told before is told then. Only the end of the whole response makes an answer complete.
 */
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { AnswerEvents } from '../wire/answer-events.ts'
import type { StreamConverter } from '../wire/chat-dialect.ts'
import { GrowingText } from '../wire/growing-text.ts'
import { PartAssembler } from '../wire/part-assembler.ts'
import type { TextPath } from '../wire/repeated-records.ts'
import { restOf, TextAssembler, type OpenText, type TextTold } from '../wire/text-assembler.ts'
import { argumentsText, fieldsIn, isJsonObject, isText, textField } from '../wire/wire-value.ts'
import {
  callIdOf,
  checkedItem,
  contentOf,
  isTextContent,
  PARAGRAPH,
  summaryOf,
  toParts,
  toResponse,
} from './from-wire.ts'
import type { WireItem, WireResponse } from './wire-types.ts'

export const STREAMED_TEXTS: readonly TextPath[] = [['delta']]

/** One item while it streams. */
interface OpenItem {
  fields: { type: string; [field: string]: Json }
  /** The content of a message or a thought. */
  readonly content: TextAssembler
  readonly summary: TextAssembler
  /** The arguments of a call, as far as they came in pieces. */
  readonly arguments: GrowingText
  /** The id under which a call was told. */
  callId: string | undefined
  /** Whether a piece of a thought was told. */
  hasThought: boolean
  isClosed: boolean
}

/** One response while it streams. */
interface OpenResponse {
  readonly events: AnswerEvents
  readonly parts: PartAssembler<OpenItem>
  readonly items: OpenItem[]
  readonly byId: Map<string, OpenItem>
  /** The newest item of each index. */
  readonly byIndex: Map<unknown, OpenItem>
  fields: WireResponse
  hasEnded: boolean
}

type EventHandler = (response: OpenResponse, event: JsonObject) => void
type Row = readonly [event: string, handle: EventHandler]

/** What each event does. Events not listed, such as the progress of a search, say nothing to us. */
export const EVENT_HANDLERS: ReadonlyMap<Json | undefined, EventHandler> = new Map<
  Json | undefined,
  EventHandler
>([
  ['response.created', startResponse],
  ['response.in_progress', takeFields],
  ['response.queued', takeFields],
  ['response.output_item.added', startItem],
  ['response.output_item.done', endItem],
  ...contentRows('response.content_part', 'output_text'),
  ...textRows('response.output_text', 'output_text'),
  ['response.output_text.annotation.added', addAnnotation],
  ...textRows('response.refusal', 'refusal'),
  ...contentRows('response.reasoning_summary_part', 'summary_text'),
  ...textRows('response.reasoning_summary_text', 'summary_text'),
  ...textRows('response.reasoning_text', 'reasoning_text'),
  // What some other servers call it.
  ...textRows('response.reasoning', 'reasoning_text'),
  ['response.function_call_arguments.delta', addArguments],
  ['response.function_call_arguments.done', endArguments],
  ...inputRows('response.custom_tool_call_input', 'custom_tool_call', 'input'),
  ...inputRows('response.mcp_call_arguments', 'mcp_call', 'arguments'),
  ...inputRows('response.code_interpreter_call_code', 'code_interpreter_call', 'code'),
  ['response.completed', (response, event) => endResponse(response, event, 'completed')],
  ['response.incomplete', (response, event) => endResponse(response, event, 'incomplete')],
])

/** A response that failed says so in itself. An answer that is not streamed is the response. */
export function errorIn(record: JsonObject): unknown {
  const { type } = record
  const response = type === undefined && !('response' in record) ? record : responseIn(record)
  const hasFailed = type === 'response.failed' || response.status === 'failed'
  if (!hasFailed && type !== 'response.completed') return undefined
  return response['error'] || (hasFailed ? { message: 'The response failed.' } : undefined)
}

export function streamConverter(events: AnswerEvents): StreamConverter {
  return new EventConverter(events)
}

class EventConverter implements StreamConverter {
  readonly #response: OpenResponse

  constructor(events: AnswerEvents) {
    this.#response = {
      events,
      parts: new PartAssembler(events),
      items: [],
      byId: new Map(),
      byIndex: new Map(),
      fields: {},
      hasEnded: false,
    }
  }

  /** Some proxies name an event only in its SSE frame. */
  take(record: JsonObject, event: string | undefined): void {
    const type = record['type']
    EVENT_HANDLERS.get(typeof type === 'string' ? type : event)?.(this.#response, record)
  }

  get hasEnded(): boolean {
    return this.#response.hasEnded
  }

  get isComplete(): boolean {
    return this.#response.hasEnded
  }

  finish(): ChatResponse {
    const { fields, parts, items } = this.#response
    const whole = items.map((item) => item.fields)
    return toResponse(fields, parts.parts, whole)
  }
}

/** Ids may change from event to event, so it is another response only where the first has begun to speak. */
function startResponse(response: OpenResponse, event: JsonObject): void {
  if (response.items.length > 0 && responseIn(event).id !== response.fields.id)
    throw response.events.invalid('another response started inside an open one')
  takeFields(response, event)
}

function takeFields(response: OpenResponse, event: JsonObject): void {
  response.fields = { ...response.fields, ...responseIn(event) }
}

const responseIn = ({ response }: JsonObject): WireResponse => fieldsIn(response)

/** By its id; where ids change from event to event by its index; without either it is the newest. */
function findItem(response: OpenResponse, id: unknown, index: unknown): OpenItem | undefined {
  const named = isText(id) ? response.byId.get(id) : undefined
  if (named !== undefined) return named
  return index === undefined ? response.items.at(-1) : response.byIndex.get(index)
}

/** The item of an event. One whose start was lost begins here; one that has ended takes nothing more. */
function itemOf(response: OpenResponse, event: JsonObject, type: string): OpenItem | undefined {
  const { item_id: id, output_index: index } = event
  const found = findItem(response, id, index)
  if (found === undefined) return open(response, { type, ...(isText(id) && { id }) }, index)
  return found.isClosed ? undefined : found
}

function open(response: OpenResponse, fields: WireItem, index?: Json): OpenItem {
  const texts = (): TextAssembler => new TextAssembler((told) => tellText(response, item, told))
  const item: OpenItem = {
    fields: { ...fields },
    content: texts(),
    summary: texts(),
    arguments: new GrowingText(),
    callId: undefined,
    hasThought: false,
    isClosed: false,
  }
  response.items.push(item)
  if (index !== undefined) response.byIndex.set(index, item)
  if (isText(fields['id'])) response.byId.set(fields['id'], item)
  response.parts.start(item, item)
  return item
}

/** A refusal is told when it is complete. Thoughts are paragraphs. */
function tellText({ events }: OpenResponse, item: OpenItem, told: TextTold): void {
  if (item.fields.type === 'message') {
    if (isTextContent(told.text)) events.text(told.piece)
  } else if (item.fields.type === 'reasoning') {
    if (told.isFirst && item.hasThought) events.reasoning(PARAGRAPH)
    item.hasThought = true
    events.reasoning(told.piece)
  }
}

function startItem(response: OpenResponse, event: JsonObject): void {
  const fields = checkedItem(event['item'])
  const { id } = fields
  const index = event['output_index']
  // Without an index, another id is another item.
  const isNamed = index === undefined && isText(id)
  const known = isNamed ? response.byId.get(id) : findItem(response, id, index)
  if (known !== undefined && isStartedAgain(known, fields)) return
  const item = open(response, fields, index)
  // What an item brings along at its start counts like a delta.
  tellTexts(item, fields)
  if (fields.type !== CALL) return
  if (isText(fields['call_id']) && isText(fields['name'])) startCall(response, item)
  tellArguments(response, item, fields['arguments'])
}

/** A start that comes twice. Under one index, calls differ by their own id, everything else by its end. */
function isStartedAgain({ fields, isClosed }: OpenItem, again: WireItem): boolean {
  if (fields.type !== again.type) return false
  if (isText(again['id']) && fields['id'] === again['id']) return true
  if (isClosed) return false
  return again.type !== CALL || callIdOf(fields) === callIdOf(again)
}

const CALL = 'function_call'

/** Where texts of this type stand, and in which kind of item. */
function placeOf(type: Json | undefined): readonly ['content' | 'summary', itemType: string] {
  if (type === 'summary_text') return ['summary', 'reasoning']
  return ['content', type === 'reasoning_text' ? 'reasoning' : 'message']
}

interface FoundText {
  readonly texts: TextAssembler
  readonly text: OpenText
}

/** The text that an event is about; undefined where its item has ended. */
function textOf(response: OpenResponse, event: JsonObject, type: string): FoundText | undefined {
  const [place, itemType] = placeOf(type)
  const texts = itemOf(response, event, itemType)?.[place]
  const index = event[place === 'summary' ? 'summary_index' : 'content_index']
  return texts && { texts, text: texts.at(index, type) }
}

/** The text of a part, in pieces and then whole. */
function textRows(name: string, type: string): readonly Row[] {
  const field = type === 'refusal' ? 'refusal' : 'text'
  const add: EventHandler = (response, event) => {
    const found = textOf(response, event, type)
    found?.texts.add(found.text, textField(event, 'delta'))
  }
  const end: EventHandler = (response, event) => {
    const found = textOf(response, event, type)
    found?.texts.whole(found.text, textField(event, field))
  }
  return [
    [`${name}.delta`, add],
    [`${name}.done`, end],
  ]
}

/** A part as it begins and as it ended. */
function contentRows(name: string, usual: string): readonly Row[] {
  const take: EventHandler = (response, event) => {
    const { part } = event
    if (!isJsonObject(part)) return
    const found = textOf(response, event, textField(part, 'type') || usual)
    found?.texts.part(found.text, part)
  }
  return [
    [`${name}.added`, take],
    [`${name}.done`, take],
  ]
}

function addAnnotation(response: OpenResponse, event: JsonObject): void {
  const { annotation } = event
  const text = textOf(response, event, 'output_text')?.text
  if (text === undefined || annotation === undefined) return
  // Ours since it was parsed; copying it for each annotation would be quadratic.
  if (Array.isArray(text['annotations'])) (text['annotations'] as Json[]).push(annotation)
  else text['annotations'] = [annotation]
}

/** The input of a tool of the provider itself, which nobody hears live. */
function inputRows(name: string, type: string, field: string): readonly Row[] {
  const add: EventHandler = (response, event) => {
    const fields = itemOf(response, event, type)?.fields
    if (fields) fields[field] = textField(fields, field) + textField(event, 'delta')
  }
  const end: EventHandler = (response, event) => {
    const fields = itemOf(response, event, type)?.fields
    if (fields && isText(event[field])) fields[field] = event[field]
  }
  return [
    [`${name}.delta`, add],
    [`${name}.done`, end],
  ]
}

function addArguments(response: OpenResponse, event: JsonObject): void {
  const item = itemOf(response, event, CALL)
  if (item !== undefined) addPiece(response, item, textField(event, 'delta'))
}

function endArguments(response: OpenResponse, event: JsonObject): void {
  const item = itemOf(response, event, CALL)
  if (item === undefined) return
  if (isText(event['name']) && !isText(item.fields['name'])) item.fields['name'] = event['name']
  tellArguments(response, item, event['arguments'])
}

/** A call whose name has not come yet is told when it has. */
function addPiece(response: OpenResponse, item: OpenItem, piece: string): void {
  if (piece === '') return
  if (isText(item.fields['name'])) startCall(response, item)
  item.arguments.add(piece)
  if (item.callId !== undefined) response.events.callDelta(item.callId, piece)
}

function startCall({ events }: OpenResponse, item: OpenItem): void {
  if (item.callId !== undefined) return
  item.callId = callIdOf(item.fields)
  events.callStart(item.callId, textField(item.fields, 'name'))
  events.callDelta(item.callId, item.arguments.toString())
}

function tellArguments(response: OpenResponse, item: OpenItem, given: Json | undefined): void {
  const whole = argumentsText(given)
  if (whole === '') return
  addPiece(response, item, restOf(item.arguments.toString(), whole))
  item.fields['arguments'] = whole
}

/** Tells what of the texts of a whole item was not told before. */
function tellTexts({ content, summary }: OpenItem, whole: WireItem): void {
  if (whole.type === 'reasoning') summary.parts(summaryOf(whole))
  if (whole.type === 'reasoning' || whole.type === 'message') content.parts(contentOf(whole))
}

function endItem(response: OpenResponse, event: JsonObject): void {
  const whole = checkedItem(event['item'])
  const item = itemOf(response, { ...event, item_id: whole['id'] ?? '' }, whole.type)
  if (item !== undefined) close(response, item, whole)
}

/** The whole item counts, but for what it leaves out although it streamed. */
function close(response: OpenResponse, item: OpenItem, whole: WireItem): void {
  tellTexts(item, whole)
  const streamed = item.fields
  item.fields = { ...whole }
  if (whole.type === CALL) closeCall(response, item, streamed)
  else keepTexts(item)
  item.isClosed = true
  response.parts.close(item, toParts(item.fields))
}

/** The id under which a call was told stays its id. */
function closeCall(response: OpenResponse, item: OpenItem, streamed: JsonObject): void {
  const { fields } = item
  for (const field of ['call_id', 'name'])
    if (!isText(fields[field]) && isText(streamed[field])) fields[field] = streamed[field]
  startCall(response, item)
  tellArguments(response, item, fields['arguments'])
  fields['arguments'] =
    argumentsText(fields['arguments']) ||
    argumentsText(streamed['arguments']) ||
    item.arguments.toString()
  if (item.callId) fields['call_id'] = item.callId
}

function keepTexts({ fields, content, summary }: OpenItem): void {
  if (content.texts.length > 0 && contentOf(fields).length === 0)
    fields['content'] = content.texts as Json
  if (summary.texts.length > 0 && summaryOf(fields).length === 0)
    fields['summary'] = summary.texts as Json
}

/** What is said at the end counts for items that were not ended, or never began. */
function endResponse(response: OpenResponse, event: JsonObject, ending: string): void {
  const { status } = responseIn(event)
  takeFields(response, event)
  if (!isText(status) || UNENDED.test(status))
    response.fields = { ...response.fields, status: ending }
  for (const [whole, streamed] of matched(response)) {
    if (streamed === undefined) close(response, open(response, whole), whole)
    else if (!streamed.isClosed) close(response, streamed, whole)
  }
  for (const item of response.items) if (!item.isClosed) close(response, item, item.fields)
  response.hasEnded = true
}

/** Some servers repeat the state in which the response began. */
const UNENDED = /^(?:in_progress|queued)$/

type Matched = readonly [whole: WireItem, streamed: OpenItem | undefined]

/**
 * The items that the end lists, each with the one that streamed: by id, or else the next of its type, because
 * ids may have changed. Some servers list none.
 */
function matched({ fields, items, byId }: OpenResponse): readonly Matched[] {
  const output = fields['output']
  const listed = Array.isArray(output) ? (output as readonly Json[]).map(checkedItem) : []
  const byCall = new Map(items.map((item) => [item.callId, item]))
  const free = new Set(items)
  const claim = (item: OpenItem | undefined): OpenItem | undefined =>
    item !== undefined && free.delete(item) ? item : undefined
  const named = listed.map(
    (whole) =>
      claim(byId.get(textField(whole, 'id'))) ??
      claim(whole.type === CALL ? byCall.get(callIdOf(whole)) : undefined),
  )
  const rest = byType([...free].reverse())
  return listed.map((whole, position) => [whole, named[position] ?? rest.get(whole.type)?.pop()])
}

function byType(items: readonly OpenItem[]): ReadonlyMap<string, OpenItem[]> {
  const groups = new Map<string, OpenItem[]>()
  for (const item of items) {
    const group = groups.get(item.fields.type)
    if (group === undefined) groups.set(item.fields.type, [item])
    else group.push(item)
  }
  return groups
}
