/**
 * From the events of a Messages API stream to chat events. Blocks are assembled until each equals what the
 * API would have sent whole. A call that was cut is never told as complete.
 */
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { AnswerEvents } from '../wire/answer-events.ts'
import type { StreamConverter } from '../wire/chat-dialect.ts'
import { GrowingText } from '../wire/growing-text.ts'
import { PartAssembler } from '../wire/part-assembler.ts'
import type { TextPath } from '../wire/repeated-records.ts'
import { addFields, isJsonObject, textField, type OwnFields } from '../wire/wire-value.ts'
import { checkedBlock, toPart, toResponse, withInput } from './from-wire.ts'
import type { WireBlock, WireMessage } from './wire-types.ts'

export const STREAMED_TEXTS: readonly TextPath[] = [
  ['delta', 'text'],
  ['delta', 'partial_json'],
  ['delta', 'thinking'],
]

/** One content block while it streams. */
interface OpenBlock {
  readonly content: { type: string; [field: string]: Json }
  /** The tool input as JSON text, as far as it came. */
  readonly input: GrowingText
}

/** One message while it streams. */
interface OpenMessage {
  readonly events: AnswerEvents
  readonly blocks: PartAssembler<OpenBlock>
  fields: WireMessage | undefined
  hasEnded: boolean
}

type EventHandler = (message: OpenMessage, event: JsonObject) => void
type DeltaHandler = (block: OpenBlock, delta: JsonObject, events: AnswerEvents) => void

/** What each event does. Events not listed, such as `ping`, say nothing to us. */
const EVENT_HANDLERS: ReadonlyMap<Json | undefined, EventHandler> = new Map([
  ['message_start', startMessage],
  ['content_block_start', startBlock],
  ['content_block_delta', changeBlock],
  ['content_block_stop', stopBlock],
  ['message_delta', changeMessage],
  ['message_stop', (message) => void (message.hasEnded = true)],
] satisfies [string, EventHandler][])

/** What each delta does to its block. One that is not listed adds its fields to the block's. */
const DELTA_HANDLERS: ReadonlyMap<Json | undefined, DeltaHandler> = new Map([
  ['text_delta', (block, delta, events) => addText(block, textField(delta, 'text'), events)],
  [
    'thinking_delta',
    (block, delta, events) => addText(block, textField(delta, 'thinking'), events),
  ],
  [
    'signature_delta',
    ({ content }, delta) => void (content['signature'] = textField(delta, 'signature')),
  ],
  ['input_json_delta', addInput],
  ['citations_delta', addCitation],
] satisfies [string, DeltaHandler][])

export function streamConverter(events: AnswerEvents): StreamConverter {
  return new EventConverter(events)
}

class EventConverter implements StreamConverter {
  readonly #message: OpenMessage

  constructor(events: AnswerEvents) {
    const blocks = new PartAssembler<OpenBlock>(events)
    this.#message = { events, blocks, fields: undefined, hasEnded: false }
  }

  /** Some proxies name an event only in its SSE frame. */
  take(record: JsonObject, event: string | undefined): void {
    const type = record['type']
    EVENT_HANDLERS.get(typeof type === 'string' ? type : event)?.(this.#message, record)
  }

  get hasEnded(): boolean {
    return this.#message.hasEnded
  }

  get isComplete(): boolean {
    const { fields, blocks } = this.#message
    if (typeof fields?.stop_reason !== 'string') return false
    // Text loses nothing by a missing stop event; an input may have been cut.
    return !blocks.entries().some(([, block]) => 'input' in block.content || !block.input.isEmpty)
  }

  finish(): ChatResponse {
    const { fields = {}, blocks } = this.#message
    for (const [index, block] of blocks.entries()) closeBlock(blocks, index, block)
    return toResponse(fields, blocks.parts)
  }
}

function startMessage(message: OpenMessage, event: JsonObject): void {
  const { events } = message
  if (!isJsonObject(event['message'])) throw events.invalid('a message_start without a message')
  const { content, ...fields } = event['message']
  if (message.fields === undefined) {
    message.fields = fields
    if (Array.isArray(content)) for (const block of content) addWholeBlock(message, block)
  } else if (fields['id'] !== message.fields.id) {
    throw events.invalid('another message started inside an open one')
  }
}

/** Calls made by the provider's own code come whole, inside the start of the message. */
function addWholeBlock({ blocks, events }: OpenMessage, content: Json): void {
  const block = checkedBlock(content)
  announce(block, events)
  blocks.add(toPart(block))
}

function startBlock({ blocks, events }: OpenMessage, event: JsonObject): void {
  const content = { ...checkedBlock(event['content_block']) }
  const open = blocks.at(event['index'])
  // Proxies that resume a stream send the last start again.
  if (open !== undefined && isStartOf(open, content)) return
  if (open !== undefined) throw events.invalid('a block started inside an open one')
  blocks.start(event['index'], { content, input: new GrowingText() })
  announce(content, events)
}

/** Nothing has come since, so the start is the whole block, as far as it came. */
const isStartOf = ({ content, input }: OpenBlock, start: WireBlock): boolean =>
  input.isEmpty && JSON.stringify(content) === JSON.stringify(start)

/** What a block brings along at its start counts like a delta. */
function announce(block: WireBlock, events: AnswerEvents): void {
  if (block.type === 'tool_use') events.callStart(textField(block, 'id'), textField(block, 'name'))
  else tellText(block, textField(block, block.type), events)
}

function tellText({ type }: WireBlock, text: string, events: AnswerEvents): void {
  if (type === 'text') events.text(text)
  else if (type === 'thinking') events.reasoning(text)
}

function changeBlock({ blocks, events }: OpenMessage, event: JsonObject): void {
  const block = blocks.at(event['index'])
  const delta = event['delta']
  if (block === undefined) throw events.invalid('a delta of a block that is not open')
  if (!isJsonObject(delta)) throw events.invalid('a content_block_delta without a delta')
  const handle = DELTA_HANDLERS.get(delta['type']) ?? addUnknown
  handle(block, delta, events)
}

function addText({ content }: OpenBlock, text: string, events: AnswerEvents): void {
  const field = content.type === 'thinking' ? 'thinking' : 'text'
  content[field] = textField(content, field) + text
  tellText(content, text, events)
}

function addInput(block: OpenBlock, delta: JsonObject, events: AnswerEvents): void {
  const piece = textField(delta, 'partial_json')
  block.input.add(piece)
  if (block.content.type === 'tool_use') events.callDelta(textField(block.content, 'id'), piece)
}

function addCitation({ content }: OpenBlock, delta: JsonObject): void {
  content['citations'] = appendDelta(content['citations'] ?? [], [delta['citation'] ?? null])
}

/** Compaction and deltas yet to come: strings grow, lists get longer, anything else is replaced. */
function addUnknown({ content }: OpenBlock, delta: JsonObject): void {
  for (const [key, value] of Object.entries(delta)) {
    if (key === 'type' || key === '__proto__') continue
    content[key] = appendDelta(content[key], value)
  }
}

function appendDelta(before: Json | undefined, value: Json): Json {
  if (typeof before === 'string' && typeof value === 'string') return before + value
  if (Array.isArray(before) && Array.isArray(value)) {
    // Ours since it was parsed; copying it for each delta would be quadratic.
    for (const item of value) before.push(item)
    return before
  }
  return value ?? before ?? null
}

function stopBlock({ blocks }: OpenMessage, event: JsonObject): void {
  const block = blocks.at(event['index'])
  if (block !== undefined) closeBlock(blocks, event['index'], block)
}

function closeBlock(blocks: PartAssembler<OpenBlock>, index: unknown, block: OpenBlock): void {
  const inputText = block.input.toString()
  const isCall = block.content.type === 'tool_use'
  const content = isCall ? block.content : withInput(block.content, inputText)
  blocks.close(index, [toPart(content, inputText)])
}

/** Usage counts are cumulative, so the newest wins. */
function changeMessage(message: OpenMessage, event: JsonObject): void {
  const { type: _type, delta, usage, ...extra } = event
  const fields = (message.fields ??= {}) as OwnFields
  const before = fields['stop_reason']
  if (isJsonObject(delta)) addFields(fields, delta)
  addFields(fields, extra)
  if (typeof fields['stop_reason'] !== 'string') fields['stop_reason'] = before ?? null
  if (!isJsonObject(fields['usage'])) fields['usage'] = {}
  if (isJsonObject(usage)) addFields(fields['usage'] as OwnFields, usage)
}
