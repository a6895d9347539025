/**
 * Messages as the Gemini API takes them: the system prompt apart, then contents of user and model in turn, each
 * a list of parts. Messages never change, so the JSON of each is made once. It does not repair a history;
 * pairing calls and results is the history builder's work.
 *
 * Calls and results pair by their id where the model gave one, elsewhere by name and order. Media that a
 * result cannot hold follow all results of the round as parts of their own.
 */
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
import { toolCallsOf } from '../../messages/reading.ts'
import { dataOfUrl } from '../wire/data-url.ts'
import { fragmentCache } from '../wire/fragment-cache.ts'
import { withoutMedia } from '../wire/media-address.ts'
import { mediaNote } from '../wire/media-note.ts'
import { argumentsOnWire, wellFormedJson } from '../wire/well-formed-json.ts'
import { isJsonObject } from '../wire/wire-value.ts'
import { PROVIDER, type SentMedia, type SentResult } from './wire-types.ts'

/** What differs between models. */
export interface ContentRules {
  /** A result may hold images and documents. */
  readonly mediaInResults: boolean
  /** The model refuses rounds of calls whose first is not signed. */
  readonly signedCalls: boolean
}

/** The documented way to say that a call was not made by a model that signs. */
const UNSIGNED = 'skip_thought_signature_validator'

/** The system prompt as JSON; nothing when there is none. */
export function systemToWire(messages: readonly Message[]): string | undefined {
  const systems = messages.filter(
    (message): message is SystemMessage => message.role === 'system' && message.content !== '',
  )
  if (systems.length === 0) return undefined
  const parts = systems.map((message) => ({ text: message.content, ...optionsOf([message]) }))
  return wellFormedJson({ parts })
}

/** Makes the writer of conversations, as JSON arrays. Neighbours of one role become one content. */
export function contentsToWire(rules: ContentRules): (messages: readonly Message[]) => string {
  const spoken = fragmentCache((message: UserMessage | AssistantMessage) =>
    (message.role === 'user' ? userParts(message) : modelParts(message, rules)).join(','),
  )
  const resultsAfter = resultsCache(rules)
  return (messages) => {
    const contents = new Contents()
    let asked: AssistantMessage | undefined
    for (const message of messages) {
      if (message.role === 'system') continue
      if (message.role === 'assistant') asked = message
      if (message.role === 'tool') contents.addResults(resultsAfter(message, asked))
      else contents.add(message.role === 'assistant' ? 'model' : 'user', spoken(message))
    }
    return contents.toJson()
  }
}

/** Texts that grow: lists of parts that are joined at the end take a third longer. */
class Contents {
  #closed = ''
  #role: 'user' | 'model' = 'user'
  #results = ''
  #others = ''

  /** @param parts as JSON, separated by commas; none where it is empty */
  add(role: 'user' | 'model', parts: string): void {
    if (parts === '') return
    this.#turnTo(role)
    this.#others = joined(this.#others, parts)
  }

  /** The API wants the results of calls right after them, before anything else that the user says. */
  addResults(parts: string): void {
    if (parts === '') return
    this.#turnTo('user')
    this.#results = joined(this.#results, parts)
  }

  toJson(): string {
    this.#close()
    return `[${this.#closed}]`
  }

  #turnTo(role: 'user' | 'model'): void {
    if (role !== this.#role) this.#close()
    this.#role = role
  }

  #close(): void {
    const parts = joined(this.#results, this.#others)
    if (parts === '') return
    this.#closed = joined(this.#closed, `{"role":"${this.#role}","parts":[${parts}]}`)
    this.#results = this.#others = ''
  }
}

const joined = (before: string, next: string): string =>
  before === '' || next === '' ? before + next : `${before},${next}`

/** The results of a round depend on its calls: an id goes back only if it was given. */
function resultsCache(
  rules: ContentRules,
): (message: ToolMessage, asked: AssistantMessage | undefined) => string {
  const known = new WeakMap<
    ToolMessage,
    { readonly asked: AssistantMessage | undefined; readonly parts: string }
  >()
  return (message, asked) => {
    const before = known.get(message)
    if (before !== undefined && before.asked === asked) return before.parts
    const calls = asked === undefined ? [] : toolCallsOf(asked)
    const given = new Set(calls.flatMap((call) => (hasOwnId(call) ? [call.id] : [])))
    const parts = resultParts(message, given, rules).join(',')
    known.set(message, { asked, parts })
    return parts
  }
}

const NO_OPTIONS: JsonObject = Object.freeze({})

function optionsOf(holders: readonly Annotations[]): JsonObject {
  if (!holders.some((holder) => holder.providerOptions)) return NO_OPTIONS
  return Object.assign({}, ...holders.map((holder) => holder.providerOptions?.[PROVIDER]))
}

/** Options of a whole message belong to its last part. */
const optionsAt = (message: Message, parts: readonly Annotations[], index: number): JsonObject =>
  optionsOf(index === parts.length - 1 ? [message, parts[index]!] : [parts[index]!])

function userParts(message: UserMessage): readonly string[] {
  const parts = partsOf(message.content)
  return parts.flatMap((part, index) => {
    const options = optionsAt(message, parts, index)
    if (part.type !== 'text') return [wellFormedJson({ ...toMedia(part), ...options })]
    return textToWire(part.text, options)
  })
}

const partsOf = <Part>(content: string | readonly Part[]): readonly (Part | UserPart)[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/** The API refuses a part without anything in it. An empty text may carry a signature. */
const textToWire = (text: string, options: JsonObject): readonly string[] =>
  text === '' && Object.keys(options).length === 0 ? [] : [wellFormedJson({ text, ...options })]

function modelParts(message: AssistantMessage, rules: ContentRules): readonly string[] {
  const parts: readonly AssistantPart[] = partsOf(message.content)
  const first = rules.signedCalls ? parts.find((part) => part.type === 'tool-call') : undefined
  return parts.flatMap((part, index) => {
    const options = optionsAt(message, parts, index)
    return part.type === 'tool-call'
      ? [callToWire(part, part === first ? { thoughtSignature: UNSIGNED } : {}, options)]
      : modelPart(part, options)
  })
}

function modelPart(part: Exclude<AssistantPart, ToolCall>, options: JsonObject): readonly string[] {
  switch (part.type) {
    case 'text':
      return textToWire(part.text, options)
    case 'reasoning':
      return isThought(part.providerData)
        ? [wellFormedJson({ text: part.text, ...part.providerData })]
        : []
    case 'provider':
      return isForeign(part) ? [] : [wellFormedJson({ ...(part.data as JsonObject), ...options })]
    default:
      return isGiven(part)
        ? [wellFormedJson({ ...toMedia(part), ...options })]
        : textToWire(mediaNote(part), options)
  }
}

const isThought = (data: Json | undefined): data is JsonObject =>
  isJsonObject(data) && data['thought'] === true

/**
 * A conversation may have been with another provider before, whose items would be refused. Parts of this API
 * have no type: they hold their data in a field, which names them.
 */
const isForeign = ({ kind, data }: ProviderPart): boolean =>
  !isJsonObject(data) || 'type' in data || !Object.hasOwn(data, kind)

/** What came with a call besides name and arguments; `functionCall` marks it as ours. */
function dataOf({ providerData }: ToolCall): { call: JsonObject; extra: JsonObject } {
  if (!isJsonObject(providerData) || !isJsonObject(providerData['functionCall']))
    return { call: {}, extra: {} }
  const { functionCall, ...extra } = providerData
  return { call: functionCall as JsonObject, extra }
}

const hasOwnId = (call: ToolCall): boolean => 'id' in dataOf(call).call

/** The arguments go back as the text they came as, so that no number loses a digit on the way. */
function callToWire(call: ToolCall, unsigned: JsonObject, options: JsonObject): string {
  const data = dataOf(call)
  const id = 'id' in data.call ? { id: call.id } : {}
  const head = wellFormedJson({ ...data.call, ...id, name: call.name })
  const fields = wellFormedJson({ ...unsigned, ...data.extra, ...options })
  const rest = fields === '{}' ? '' : `,${fields.slice(1, -1)}`
  return `{"functionCall":${head.slice(0, -1)},"args":${argumentsOnWire(call)}}${rest}}`
}

/** Results first, then the media that none of them can hold. */
function resultParts(
  message: ToolMessage,
  givenIds: ReadonlySet<string>,
  { mediaInResults }: ContentRules,
): readonly string[] {
  const { responses } = message
  const canHold = mediaInResults ? isHeld : () => false
  const results = responses.map((response, index) => {
    const options = optionsAt(message, responses, index)
    const functionResponse = {
      ...(givenIds.has(response.id) && { id: response.id }),
      ...toResult(response, canHold),
      ...options,
    }
    return wellFormedJson({ functionResponse })
  })
  const media = responses.flatMap((response, index) => followingMedia(response, index, canHold))
  return [...results, ...media]
}

type Holds = (part: MediaPart) => boolean

function toResult({ name, content, isError }: ToolResponse, canHold: Holds): SentResult {
  if (typeof content === 'string') return { name, response: toSaid(content, isError) }
  const parts = partsOf(content) as readonly UserPart[]
  const held = parts.filter((part) => part.type !== 'text').filter(canHold)
  const text = parts.flatMap((part) => wordsFor(part, canHold)).join('\n')
  return {
    name,
    response: toSaid(text, isError),
    ...(held.length > 0 && {
      parts: held.map((part) => ({ ...toMedia(part), ...optionsOf([part]) })),
    }),
  }
}

const toSaid = (text: string, isError: boolean | undefined): SentResult['response'] =>
  isError === true ? { error: text || 'The tool failed.' } : { output: text }

function wordsFor(part: UserPart, canHold: Holds): readonly string[] {
  if (part.type === 'text') return [part.text]
  if (canHold(part)) return []
  const name = part.name ? ` ${part.name}` : ''
  return [isShown(part) ? `[${part.type}${name}: after the results]` : mediaNote(part)]
}

/** The model cannot know whose they are, so a line says it. */
function followingMedia(
  { name, content }: ToolResponse,
  index: number,
  canHold: Holds,
): readonly string[] {
  if (typeof content === 'string') return []
  const media = content
    .filter((part) => part.type !== 'text')
    .filter((part) => !canHold(part) && isShown(part))
  if (media.length === 0) return []
  const title = wellFormedJson({ text: `Media of result ${index + 1}, tool ${name}:` })
  return [title, ...media.map((part) => wellFormedJson({ ...toMedia(part), ...optionsOf([part]) }))]
}

const isGiven = (part: MediaPart): boolean => part.data !== undefined || part.url !== undefined

/** What a result may hold: inline, and of the documented types. */
function isHeld(part: MediaPart): boolean {
  const inline = inlineOf(part)
  return (
    inline !== undefined &&
    /^(?:image\/(?:png|jpeg|webp)|application\/pdf|text\/plain)$/.test(inline.mediaType)
  )
}

/** What the API takes from a user; of what a tool returned the rest is only named. */
function isShown(part: MediaPart): boolean {
  const { mediaType } = inlineOf(part) ?? part
  return (
    isGiven(part) &&
    /^(?:image\/(?:png|jpeg|webp|heic|heif)|(?:audio|video|text)\/.+|application\/pdf)$/.test(
      mediaType,
    )
  )
}

const inlineOf = ({
  data,
  mediaType,
  url,
}: MediaPart): { data: string; mediaType: string } | undefined =>
  data === undefined ? dataOfUrl(url) : { data, mediaType }

function toMedia(part: MediaPart): SentMedia {
  const inline = inlineOf(part)
  if (inline !== undefined) return { inlineData: { mimeType: inline.mediaType, data: inline.data } }
  if (part.url !== undefined) return { fileData: { mimeType: part.mediaType, fileUri: part.url } }
  throw withoutMedia(part)
}
