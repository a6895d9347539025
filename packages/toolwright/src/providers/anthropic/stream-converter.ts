/**
 * From the events of a Messages API stream to chat events, one at a time. Blocks are assembled until
 * each equals what the API would have sent whole. It reads no bytes and asks nobody again: a stream
 * that ends without a stop reason is an error, and a call that was cut is never emitted as complete.
 */
import { ModelResponseError } from '../../errors/errors.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { AssistantPart } from '../../messages/message.ts'
import { checkedBlock, toPart, toResponse } from './from-wire.ts'
import {
  isJsonObject,
  textField,
  type WireBlock,
  type WireEvent,
  type WireMessage,
} from './wire-types.ts'

type Mutable = { type: string; [field: string]: Json }

interface StreamedBlock {
  readonly content: Mutable
  /** The tool input as JSON text, as far as it came. */
  inputText: string
  part?: AssistantPart
}

interface StreamState {
  /** Words for an `error` event. */
  readonly toError: (error: unknown) => Error
  message: WireMessage | undefined
  /** In the order they started. */
  readonly blocks: StreamedBlock[]
  readonly open: Map<Json | undefined, StreamedBlock>
  /** How many blocks were emitted as complete; they go out in order. */
  emitted: number
  ended: boolean
}

type EventHandler = (state: StreamState, event: WireEvent, out: ChatEvent[]) => void
type DeltaHandler = (block: StreamedBlock, delta: JsonObject, out: ChatEvent[]) => void

export class StreamConverter {
  readonly #state: StreamState

  constructor(toError: (error: unknown) => Error) {
    this.#state = {
      toError,
      message: undefined,
      blocks: [],
      open: new Map(),
      emitted: 0,
      ended: false,
    }
  }

  /** Takes one event and appends what it means to `out`. What comes after the message's end is ignored. */
  push(event: WireEvent, out: ChatEvent[]): void {
    if (!this.#state.ended) EVENT_HANDLERS.get(event.type)?.(this.#state, event, out)
  }

  /** The provider said why it stopped: nothing that belongs to the answer is missing. */
  get isComplete(): boolean {
    const { message, open } = this.#state
    if (typeof message?.stop_reason !== 'string') return false
    // Text loses nothing by a missing stop event; an input may have been cut.
    return ![...open.values()].some((block) => 'input' in block.content || block.inputText !== '')
  }

  /** The provider said that the message ends here. */
  get hasEnded(): boolean {
    return this.#state.ended
  }

  /** At the end of the stream: the last open blocks and the `response`. */
  finish(out: ChatEvent[]): void {
    if (!this.isComplete) throw this.incomplete()
    for (const index of [...this.#state.open.keys()]) closeBlock(this.#state, index, out)
    const parts = this.#state.blocks.map((block) => block.part!)
    out.push({ type: 'response', response: toResponse(this.#state.message!, parts) })
  }

  incomplete(cause?: unknown): ModelResponseError {
    const partial = partialText(this.#state)
    const details = { partial, retryable: true, ...(cause === undefined ? {} : { cause }) }
    return new ModelResponseError('incomplete-stream', incompleteMessage(this.#state), details)
  }
}

function incompleteMessage(state: StreamState): string {
  const cut = [...state.open.values()].find((block) => block.content.type === 'tool_use')
  const call =
    cut === undefined ? '' : `, inside the call of tool "${textField(cut.content, 'name')}"`
  return `The stream ended before the message did${call}.`
}

const partialText = (state: StreamState): string =>
  state.blocks
    .map(({ content }) => (content.type === 'text' ? textField(content, 'text') : ''))
    .join('')

const EVENT_HANDLERS: ReadonlyMap<string, EventHandler> = new Map([
  ['message_start', startMessage],
  ['content_block_start', startBlock],
  ['content_block_delta', changeBlock],
  ['content_block_stop', stopBlock],
  ['message_delta', changeMessage],
  ['message_stop', endMessage],
  ['error', fail],
])

function startMessage(state: StreamState, event: WireEvent, out: ChatEvent[]): void {
  if (!isJsonObject(event['message'])) throw invalid('a message_start without a message', state)
  const { content, ...message } = event['message']
  if (state.message === undefined) {
    state.message = message
    if (Array.isArray(content)) for (const block of content) addWholeBlock(state, block, out)
  } else if (message['id'] !== state.message.id) {
    throw invalid('another message started inside an open one', state)
  }
}

/** Calls made by the provider's own code come whole, inside the start of the message. */
function addWholeBlock(state: StreamState, content: Json, out: ChatEvent[]): void {
  const block = { content: { ...checkedBlock(content) }, inputText: '' }
  state.blocks.push({ ...block, part: toPart(block.content) })
  announce(block, out)
  emitComplete(state, out)
}

function startBlock(state: StreamState, event: WireEvent, out: ChatEvent[]): void {
  if (state.open.has(event['index'])) throw invalid('a block started inside an open one', state)
  const block = { content: { ...checkedBlock(event['content_block']) }, inputText: '' }
  state.blocks.push(block)
  state.open.set(event['index'], block)
  announce(block, out)
}

/** What a block brings along at its start counts like a delta. */
function announce({ content }: StreamedBlock, out: ChatEvent[]): void {
  if (content.type === 'tool_use') {
    out.push({
      type: 'tool-call-start',
      id: textField(content, 'id'),
      name: textField(content, 'name'),
    })
  } else {
    emitText(content, textField(content, content.type), out)
  }
}

function emitText(content: WireBlock, text: string, out: ChatEvent[]): void {
  if (text === '') return
  if (content.type === 'text') out.push({ type: 'text-delta', text })
  else if (content.type === 'thinking') out.push({ type: 'reasoning-delta', text })
}

function changeBlock(state: StreamState, event: WireEvent, out: ChatEvent[]): void {
  const block = state.open.get(event['index'])
  const delta = event['delta']
  if (block === undefined) throw invalid('a delta of a block that is not open', state)
  if (!isJsonObject(delta)) throw invalid('a content_block_delta without a delta', state)
  const handle = DELTA_HANDLERS.get(delta['type']) ?? addUnknown
  handle(block, delta, out)
}

const DELTA_HANDLERS: ReadonlyMap<unknown, DeltaHandler> = new Map([
  ['text_delta', (block, delta, out) => addText(block, textField(delta, 'text'), out)],
  ['thinking_delta', (block, delta, out) => addText(block, textField(delta, 'thinking'), out)],
  ['signature_delta', setSignature],
  ['input_json_delta', addInput],
  ['citations_delta', addCitation],
] satisfies [string, DeltaHandler][])

function addText({ content }: StreamedBlock, text: string, out: ChatEvent[]): void {
  const field = content.type === 'thinking' ? 'thinking' : 'text'
  content[field] = textField(content, field) + text
  emitText(content, text, out)
}

function setSignature({ content }: StreamedBlock, delta: JsonObject): void {
  content['signature'] = textField(delta, 'signature')
}

function addInput(block: StreamedBlock, delta: JsonObject, out: ChatEvent[]): void {
  const piece = textField(delta, 'partial_json')
  if (piece === '') return
  block.inputText += piece
  if (block.content.type !== 'tool_use') return
  out.push({ type: 'tool-call-delta', id: textField(block.content, 'id'), delta: piece })
}

function addCitation({ content }: StreamedBlock, delta: JsonObject): void {
  content['citations'] = joined(content['citations'] ?? [], [delta['citation'] ?? null])
}

/** Compaction and deltas yet to come: strings grow, lists get longer, anything else is replaced. */
function addUnknown({ content }: StreamedBlock, delta: JsonObject): void {
  for (const [key, value] of Object.entries(delta)) {
    if (key === 'type' || key === '__proto__') continue
    content[key] = joined(content[key], value)
  }
}

function joined(before: Json | undefined, value: Json): Json {
  if (typeof before === 'string' && typeof value === 'string') return before + value
  if (Array.isArray(before) && Array.isArray(value)) {
    // Ours since it was parsed; copying it for each delta would be quadratic.
    for (const item of value) before.push(item)
    return before
  }
  return value ?? before ?? null
}

function stopBlock(state: StreamState, event: WireEvent, out: ChatEvent[]): void {
  if (state.open.has(event['index'])) closeBlock(state, event['index'], out)
}

function closeBlock(state: StreamState, index: Json | undefined, out: ChatEvent[]): void {
  const block = state.open.get(index)!
  state.open.delete(index)
  if (block.inputText !== '' && block.content.type !== 'tool_use') {
    block.content['input'] = parsedInput(block)
  }
  block.part = toPart(block.content, block.inputText)
  emitComplete(state, out)
}

/** The input of a tool the provider runs itself. One that was cut by the token limit stays as it started. */
function parsedInput(block: StreamedBlock): Json {
  try {
    return JSON.parse(block.inputText) as Json
  } catch {
    return block.content['input'] ?? {}
  }
}

function emitComplete(state: StreamState, out: ChatEvent[]): void {
  for (; state.blocks[state.emitted]?.part !== undefined; state.emitted++) {
    const part = state.blocks[state.emitted]!.part!
    if (part.type === 'tool-call') out.push({ type: 'tool-call', toolCall: part })
    else if (part.type !== 'text') out.push({ type: 'part', part })
  }
}

/** Usage counts are cumulative, so the newest wins. */
function changeMessage(state: StreamState, event: WireEvent): void {
  const { type: _type, delta, usage, ...extra } = event
  const before = state.message ?? {}
  const stop = isJsonObject(delta) ? delta['stop_reason'] : undefined
  state.message = {
    ...before,
    ...(isJsonObject(delta) ? delta : {}),
    ...extra,
    stop_reason: typeof stop === 'string' ? stop : before.stop_reason,
    usage: { ...before.usage, ...(isJsonObject(usage) ? usage : {}) },
  } as WireMessage
}

function fail(state: StreamState, event: WireEvent): never {
  throw state.toError(event['error'] ?? event)
}

function endMessage(state: StreamState): void {
  state.ended = true
}

function invalid(what: string, state: StreamState): ModelResponseError {
  const partial = partialText(state)
  return new ModelResponseError('invalid-response', `The stream is not valid: ${what}.`, {
    partial,
  })
}
