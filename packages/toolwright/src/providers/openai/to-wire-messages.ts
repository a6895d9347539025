/**
 * Messages as the Responses API takes them: a flat list of items. What the API gave goes back as the item it
 * was, thoughts and tools of the provider to the byte, so that the model finds its work again without the
 * provider having stored it. Messages never change, so the JSON of each is made once.
 *
 * A part of type `provider` in an assistant's message is sent as its item, also one that a program made
 * itself: the answer to an approval request, the output of a shell call.
 */
import { ConfigurationError } from '../../errors/errors.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type {
  Annotations,
  AssistantMessage,
  AssistantPart,
  MediaPart,
  Message,
  ProviderPart,
  TextPart,
  ToolCall,
  ToolMessage,
  ToolResponse,
  UserPart,
} from '../../messages/message.ts'
import { fragmentCache } from '../wire/fragment-cache.ts'
import { mediaAddress } from '../wire/media-address.ts'
import { mediaNote } from '../wire/media-note.ts'
import { argumentsOnWire, wellFormedJson } from '../wire/well-formed-json.ts'
import { fieldsIn, isJsonObject } from '../wire/wire-value.ts'
import {
  PROVIDER,
  type SentCall,
  type SentContent,
  type SentResult,
  type SentSaid,
  type SentSpoken,
} from './wire-types.ts'

/** The conversation as a JSON array. */
export function messagesToWire(messages: readonly Message[]): string {
  const callers = callersIn(messages)
  const items = messages.map((message) =>
    message.role === 'tool' && callers.size > 0
      ? fragmentOf(toolItems(message, callers))
      : itemsOf(message),
  )
  return `[${items.filter((fragment) => fragment !== '').join(',')}]`
}

const itemsOf = fragmentCache((message: Message) => fragmentOf(makeItems(message)))

const fragmentOf = (items: readonly object[]): string => items.map(wellFormedJson).join(',')

function makeItems(message: Message): readonly object[] {
  switch (message.role) {
    case 'tool':
      return toolItems(message, NO_CALLERS)
    case 'assistant':
      return assistantItems(message)
    default:
      return [withOptions(toSpoken(message), message)]
  }
}

function toSpoken({ role, content }: Exclude<Message, AssistantMessage | ToolMessage>): SentSpoken {
  return { role, content: typeof content === 'string' ? content : content.map(toUserContent) }
}

const optionsOf = (annotated: Annotations): JsonObject =>
  annotated.providerOptions?.[PROVIDER] ?? {}

const withOptions = <Wire extends object>(wire: Wire, annotated: Annotations): Wire => ({
  ...wire,
  ...optionsOf(annotated),
})

type Callers = ReadonlyMap<string, Json>
const NO_CALLERS: Callers = new Map()

/** A call that a program of the provider made: its result has to name the program too. */
function callersIn(messages: readonly Message[]): Callers {
  const callers = new Map<string, Json>()
  for (const message of messages) {
    if (message.role !== 'assistant' || typeof message.content === 'string') continue
    for (const part of message.content) {
      const caller = part.type === 'tool-call' ? ownCall(part)['caller'] : undefined
      if (isJsonObject(caller)) callers.set((part as ToolCall).id, caller)
    }
  }
  return callers
}

/** The options of the whole message are those of its last result. */
function toolItems(message: ToolMessage, callers: Callers): readonly object[] {
  const last = message.responses.length - 1
  return message.responses.map((response, index) => {
    const caller = callers.get(response.id)
    return {
      ...toResult(response),
      ...(caller !== undefined && { caller }),
      ...(index === last && optionsOf(message)),
      ...optionsOf(response),
    }
  })
}

function toResult({ id, content }: ToolResponse): SentResult {
  const output = typeof content === 'string' ? content : content.map(toResultContent)
  return { type: 'function_call_output', call_id: toWireId(id), output }
}

/** The API takes ids of 64 characters. One that is longer keeps its start; what follows tells it from others. */
function toWireId(id: string): string {
  if (id.length <= LONGEST_ID) return id
  let hash = 0n
  for (const character of id) hash = (hash * 131n + BigInt(character.codePointAt(0)!)) % HASHES
  return `${id.slice(0, LONGEST_ID - 18).toWellFormed()}_${hash.toString(16)}`
}

const LONGEST_ID = 64
const HASHES = 2n ** 64n - 59n

/** Items of one assistant's message, and the item of text that may still grow. */
interface OpenItems {
  readonly options: JsonObject
  readonly items: object[]
  open: OpenMessage | undefined
}

interface OpenMessage {
  /** What the parts say of their message, as JSON: the same text means the same message. */
  readonly mark: string
  readonly fields: JsonObject
  readonly contents: JsonObject[]
}

function assistantItems(message: AssistantMessage): readonly object[] {
  const parts: readonly AssistantPart[] =
    typeof message.content === 'string'
      ? [{ type: 'text', text: message.content }]
      : message.content
  const made: OpenItems = { options: optionsOf(message), items: [], open: undefined }
  for (const part of parts) {
    const content = toSaid(part)
    if (content === undefined) addItem(made, toItem(part))
    else addContent(made, content, messageOf(part))
  }
  closeMessage(made)
  return withoutLoneThoughts(made.items)
}

function addItem(made: OpenItems, item: object | undefined): void {
  if (item === undefined) return
  closeMessage(made)
  made.items.push(item)
}

/** Neighbouring parts of one message become one item again. */
function addContent(made: OpenItems, content: JsonObject, fields: JsonObject): void {
  const mark = JSON.stringify(fields)
  if (made.open?.mark !== mark) closeMessage(made)
  made.open ??= { mark, fields, contents: [] }
  made.open.contents.push(content)
}

function closeMessage(made: OpenItems): void {
  if (made.open !== undefined) made.items.push(...messageItems(made.open, made.options))
  made.open = undefined
}

/** The API refuses a thought that nothing follows, as an answer has it that was cut there. */
function withoutLoneThoughts(items: readonly object[]): readonly object[] {
  const last = items.findLastIndex((item) => (item as JsonObject)['type'] !== 'reasoning')
  return items.slice(0, last + 1)
}

/** Content of a message; undefined for a part that is an item of its own, or none at all. */
function toSaid(part: AssistantPart): JsonObject | undefined {
  const { message: _message, ...options } = optionsOf(part)
  if (part.type === 'text') return { ...saidText(part.text), ...options }
  if (part.type === 'provider') return contentData(part, options)
  if (part.type === 'reasoning' || part.type === 'tool-call') return undefined
  return { ...saidText(mediaNote(part)) }
}

const saidText = (text: string): SentSaid & JsonObject => ({
  type: 'output_text',
  text,
  annotations: [],
})

function contentData(part: ProviderPart, options: JsonObject): JsonObject | undefined {
  // Another dialect gives the words alone.
  if (part.kind === 'refusal' && typeof part.data === 'string')
    return { ...toRefusal(part.data), ...options }
  const isContent = part.kind === 'refusal' || isJsonObject(optionsOf(part)['message'])
  return isContent && isJsonObject(part.data) ? { ...part.data, ...options } : undefined
}

const toRefusal = (refusal: string): SentSaid & JsonObject => ({ type: 'refusal', refusal })

const messageOf = (part: Annotations): JsonObject => fieldsIn(optionsOf(part)['message'])

/** A message without an id is one that this API did not make; blank, it says nothing. */
function messageItems({ fields, contents }: OpenMessage, options: JsonObject): readonly object[] {
  if ('id' in fields)
    return [{ type: 'message', role: 'assistant', ...fields, content: contents, ...options }]
  const text = contents.map(({ text: said, refusal }) => said ?? refusal ?? '').join('')
  if (text.trim() === '') return []
  const spoken: SentSpoken = { role: 'assistant', content: text }
  return [{ ...spoken, ...fields, ...options }]
}

/** A part that is an item of its own; undefined for one of another provider, which would be refused. */
function toItem(part: AssistantPart): object | undefined {
  switch (part.type) {
    case 'reasoning':
      return isOwn(part.providerData, 'reasoning') ? part.providerData : undefined
    case 'tool-call':
      return toCall(part)
    case 'provider':
      return isForeign(part) ? undefined : withOptions(part.data as JsonObject, part)
    default:
      return undefined
  }
}

const isOwn = (data: Json | undefined, type: string): data is JsonObject =>
  isJsonObject(data) && data['type'] === type

const ownCall = ({ providerData }: ToolCall): JsonObject =>
  isOwn(providerData, 'function_call') ? providerData : {}

function toCall(call: ToolCall): object {
  const wire: SentCall = {
    type: 'function_call',
    call_id: toWireId(call.id),
    name: call.name,
    arguments: argumentsOnWire(call),
  }
  return withOptions({ ...ownCall(call), ...wire }, call)
}

/** Items of this API carry their type, and are not named like the blocks and parts of the others. */
function isForeign({ kind, data }: ProviderPart): boolean {
  if (!isJsonObject(data) || data['type'] !== kind) return true
  if (kind === 'compaction') return !('encrypted_content' in data)
  if (OWN_ITEMS.test(kind)) return false
  return typeof data['id'] !== 'string' || /[A-Z]|_(?:use|result)$/.test(kind)
}

const OWN_ITEMS =
  /_(?:call|output|list_tools|additional_tools|approval_request|approval_response|reference|trigger|update)$|^program$/

const toUserContent = (part: UserPart): SentContent =>
  withOptions(part.type === 'text' ? inputText(part) : toMedia(part), part)

const inputText = ({ text }: Pick<TextPart, 'text'>): SentContent => ({ type: 'input_text', text })

/** What a tool returned must not end the conversation: what the API would refuse is named instead. */
function toResultContent(part: UserPart): SentContent {
  const isTaken = part.type === 'text' || isShown(part)
  return isTaken ? toUserContent(part) : inputText({ text: mediaNote(part) })
}

const SHOWN_FILES =
  /^(?:text\/.+|application\/(?:pdf|json|xml|rtf|msword|vnd\.(?:ms-|openxmlformats-|oasis\.).+))$/

function isShown(part: MediaPart): boolean {
  if ('file_id' in optionsOf(part)) return true
  if (part.type === 'audio' || (part.data === undefined && part.url === undefined)) return false
  if (isImage(part)) return !isInline(part) || /^image\/(?:png|jpeg|gif|webp)$/.test(part.mediaType)
  return SHOWN_FILES.test(part.mediaType)
}

const isImage = ({ type, mediaType }: MediaPart): boolean =>
  type === 'image' || mediaType.startsWith('image/')

const isInline = ({ data, url }: MediaPart): boolean =>
  data !== undefined || url?.startsWith('data:') === true

/** The options may bring a `file_id` instead of data and url. */
function toMedia(part: MediaPart): SentContent {
  if (part.type === 'audio') {
    throw new ConfigurationError(
      'invalid-message',
      `The Responses API takes no audio, and a message holds ${part.mediaType}.`,
    )
  }
  const address = 'file_id' in optionsOf(part) ? undefined : mediaAddress(part)
  if (isImage(part))
    return { type: 'input_image', ...(address && { image_url: address }), detail: 'auto' }
  if (address === undefined) return { type: 'input_file' }
  // The name of a file at an address stands in the address.
  if (!isInline(part)) return { type: 'input_file', file_url: address }
  const name = part.name ?? (part.mediaType === 'application/pdf' ? 'file.pdf' : 'file')
  return { type: 'input_file', filename: name, file_data: address }
}
