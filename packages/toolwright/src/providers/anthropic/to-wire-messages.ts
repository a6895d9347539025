/**
 * Messages as the Messages API takes them: the system prompt apart, then turns of user and assistant
 * in alternation, each a list of content blocks. Messages never change, so the JSON of each is made
 * once. It does not repair a history; pairing calls and results is the history builder's work.
 *
 * Images are image blocks, everything else a document. The API has no sound, and no media in an assistant's
 * message: there a line of text stands for them.
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
  SystemMessage,
  ToolCall,
  ToolMessage,
  ToolResponse,
  UserMessage,
  UserPart,
} from '../../messages/message.ts'
import { dataOfUrl } from '../wire/data-url.ts'
import { fragmentCache } from '../wire/fragment-cache.ts'
import { withoutMedia } from '../wire/media-address.ts'
import { mediaNote } from '../wire/media-note.ts'
import { argumentsOnWire, wellFormedJson } from '../wire/well-formed-json.ts'
import { isJsonObject } from '../wire/wire-value.ts'
import {
  PROVIDER,
  type SentCall,
  type SentResult,
  type SentSource,
  type SentText,
} from './wire-types.ts'

/** The system prompt as JSON: a string, or blocks when one of them has options; nothing when there is none. */
export function systemToWire(messages: readonly Message[]): string | undefined {
  const systems = messages.filter(
    (message): message is SystemMessage => message.role === 'system' && !isBlank(message.content),
  )
  if (systems.length === 0) return undefined
  if (systems.every((message) => message.providerOptions?.[PROVIDER] === undefined)) {
    return wellFormedJson(systems.map((message) => message.content).join('\n\n'))
  }
  return wellFormedJson(
    systems.map((message) => ({ type: 'text', text: message.content, ...optionsOf([message]) })),
  )
}

interface Turn {
  readonly role: 'user' | 'assistant'
  /** The API wants results before anything else the user says. */
  readonly results: string[]
  readonly others: string[]
}

/** The conversation as a JSON array. Neighbours of one role become one turn. */
export function messagesToWire(messages: readonly Message[]): string {
  const turns: Turn[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const blocks = blocksOf(message)
    if (blocks === '') continue
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    if (turns.at(-1)?.role !== role) turns.push({ role, results: [], others: [] })
    turns.at(-1)![message.role === 'tool' ? 'results' : 'others'].push(blocks)
  }
  return `[${turns.map(turnToWire).join(',')}]`
}

const turnToWire = ({ role, results, others }: Turn): string =>
  `{"role":"${role}","content":[${[...results, ...others].join(',')}]}`

type Spoken = UserMessage | AssistantMessage | ToolMessage

const blocksOf = fragmentCache((message: Spoken) => makeBlocks(message).join(','))

function makeBlocks(message: Spoken): readonly string[] {
  if (message.role === 'tool') return eachToWire(message, message.responses, toToolResult)
  const content =
    typeof message.content === 'string'
      ? [{ type: 'text', text: message.content } as const]
      : message.content
  return message.role === 'user'
    ? eachToWire(message, content as readonly UserPart[], toUserBlock)
    : eachToWire(message, content, toAssistantBlock)
}

type ToBlock<Item> = (item: Item, options: JsonObject) => string | undefined

/** Options of the whole message belong to its last block that can have any: that is where a cache mark goes. */
function eachToWire<Item extends AssistantPart | ToolResponse>(
  message: Spoken,
  items: readonly Item[],
  toBlock: ToBlock<Item>,
): readonly string[] {
  const last = items.findLastIndex(takesOptions)
  return items
    .map((item, index) => toBlock(item, optionsOf(index === last ? [message, item] : [item])))
    .filter((block) => block !== undefined)
}

function takesOptions(item: AssistantPart | ToolResponse): boolean {
  if (!('type' in item)) return true
  if (item.type === 'text') return !isBlank(item.text)
  return item.type !== 'reasoning' && item.type !== 'provider'
}

function optionsOf(holders: readonly Annotations[]): JsonObject {
  return Object.assign({}, ...holders.map((holder) => holder.providerOptions?.[PROVIDER]))
}

function toUserBlock(part: UserPart, options: JsonObject): string | undefined {
  if (part.type === 'text') return toTextBlock(part.text, options)
  return wellFormedJson(toMediaBlock(part, options))
}

/** The API refuses blank text. */
function toTextBlock(text: string, options: JsonObject): string | undefined {
  return isBlank(text)
    ? undefined
    : wellFormedJson({ type: 'text', text, ...options } satisfies SentText)
}

function toToolResult(response: ToolResponse, options: JsonObject): string {
  const content = toResultContent(response)
  return wellFormedJson({
    type: 'tool_result',
    tool_use_id: toWireId(response.id),
    ...(content.length === 0 ? {} : { content }),
    ...(response.isError === true ? { is_error: true } : {}),
    ...options,
  } satisfies SentResult)
}

function toResultContent({ content, isError }: ToolResponse): string | readonly Json[] {
  const blocks =
    typeof content === 'string'
      ? content
      : content.flatMap((part) => toResultBlocks(part, isError === true))
  // An error without words is refused.
  return isError === true && blocks.length === 0 ? 'The tool failed.' : blocks
}

function toResultBlocks(part: UserPart, isError: boolean): readonly Json[] {
  const options = optionsOf([part])
  if (part.type === 'text') {
    return isBlank(part.text) ? [] : [{ type: 'text', text: part.text, ...options }]
  }
  // Errors are text only.
  const shown = isError ? undefined : toShownBlock(part, options)
  return [shown ?? { type: 'text', text: mediaNote(part) }]
}

function toAssistantBlock(part: AssistantPart, options: JsonObject): string | undefined {
  switch (part.type) {
    case 'text':
      return toTextBlock(part.text, options)
    case 'reasoning':
      return isOwn(part.providerData, ['thinking', 'redacted_thinking'])
        ? wellFormedJson(part.providerData)
        : undefined
    case 'tool-call':
      return toToolUse(part, options)
    case 'provider':
      return isForeign(part)
        ? undefined
        : wellFormedJson({ ...(part.data as JsonObject), ...options })
    default:
      return toTextBlock(mediaNote(part), {})
  }
}

const isOwn = (data: Json | undefined, types: readonly string[]): data is JsonObject =>
  isJsonObject(data) && types.includes(data['type'] as string)

/**
 * A conversation may have been with another provider before, whose items would be refused. Blocks of
 * this API carry their type, and are not named like the items of the others.
 */
function isForeign({ kind, data }: ProviderPart): boolean {
  if (!isJsonObject(data) || data['type'] !== kind) return true
  if (kind === 'compaction') return !('content' in data)
  return /[A-Z]|^(?:refusal|program)$|_(?:call|output|(?:list|additional)_tools|approval_re(?:quest|sponse))$/.test(
    kind,
  )
}

/** The arguments go back as the text they came as, so that no number loses a digit on the way. */
function toToolUse(call: ToolCall, options: JsonObject): string {
  const head = wellFormedJson({
    type: 'tool_use',
    id: toWireId(call.id),
    name: call.name,
  } satisfies SentCall)
  const extra = isOwn(call.providerData, ['tool_use']) ? call.providerData : {}
  const { type: _type, ...fields } = { ...extra, ...options } as JsonObject
  const tail = wellFormedJson(fields)
  const input = argumentsOnWire(call)
  return `${head.slice(0, -1)},"input":${input}${tail === '{}' ? '}' : `,${tail.slice(1)}`}`
}

/** Ids of other providers may hold characters that this API refuses; the same id always becomes the same. */
function toWireId(id: string): string {
  return id.replace(
    /[^A-Za-z0-9_-]/gu,
    (character) => `_x${character.codePointAt(0)!.toString(16)}_`,
  )
}

const isBlank = (text: string): boolean => text.trim() === ''

/** `options` may bring its own `source`, e.g. an uploaded file's id. */
function toMediaBlock(part: MediaPart, options: JsonObject): JsonObject {
  if (part.type === 'audio') {
    throw new ConfigurationError(
      'invalid-message',
      `Anthropic models take no audio, and a message holds ${part.mediaType}.`,
    )
  }
  const isImage = part.type === 'image' || part.mediaType.startsWith('image/')
  const title: JsonObject = isImage || part.name === undefined ? {} : { title: part.name }
  const source = isJsonObject(options['source']) ? options['source'] : toSource(part)
  return { type: isImage ? 'image' : 'document', source, ...title, ...options }
}

const SHOWN = /^(?:image\/(?:png|jpeg|gif|webp)|text\/.+|application\/(?:pdf|json))$/

/** The same for what a tool returned: undefined when the API would refuse it. */
function toShownBlock(part: MediaPart, options: JsonObject): JsonObject | undefined {
  const isInline = part.data !== undefined && !isJsonObject(options['source'])
  if (isInline && !SHOWN.test(part.mediaType)) return undefined
  try {
    return toMediaBlock(part, options)
  } catch {
    return undefined
  }
}

function toSource(part: MediaPart): SentSource {
  const inline = part.data === undefined ? dataOfUrl(part.url) : part
  if (inline !== undefined) return toInlineSource(inline.mediaType, inline.data!)
  if (part.url !== undefined) return { type: 'url', url: part.url }
  throw withoutMedia(part)
}

function toInlineSource(mediaType: string, data: string): SentSource {
  if (!mediaType.startsWith('text/') && mediaType !== 'application/json') {
    return { type: 'base64', media_type: mediaType, data }
  }
  return { type: 'text', media_type: 'text/plain', data: decodedText(data) }
}

function decodedText(base64: string): string {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return new TextDecoder().decode(bytes)
  } catch (cause) {
    throw new ConfigurationError('invalid-message', 'The data of a text file is not base64.', {
      cause,
    })
  }
}
