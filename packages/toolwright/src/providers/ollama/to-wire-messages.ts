/**
 * Messages as `/api/chat` takes them: one text each, images beside it, a message for each result. What is neither
 * text nor an image has no place there, and is named in words. Messages never change, so the JSON of each is made
 * once.
 */
import { ConfigurationError } from '../../errors/errors.ts'
import type { JsonObject } from '../../messages/json.ts'
import type {
  Annotations,
  AssistantMessage,
  AssistantPart,
  MediaPart,
  Message,
  ToolCall,
  ToolResponse,
  UserMessage,
  UserPart,
} from '../../messages/message.ts'
import { dataOfUrl } from '../wire/data-url.ts'
import { mediaNote } from '../wire/media-note.ts'
import { argumentsOnWire, wellFormedJson } from '../wire/well-formed-json.ts'
import { isJsonObject } from '../wire/wire-value.ts'
import { PROVIDER, type SentMessage } from './wire-types.ts'

/**
 * The JSON of one message of ours; a tool message becomes one of theirs for each result, separated by commas.
 *
 * @param sees whether the model takes images
 */
export function messageToWire(message: Message, sees: boolean): string {
  switch (message.role) {
    case 'system':
      return toJson({ role: 'system', content: message.content }, [message])
    case 'user':
      return userMessage(message)
    case 'assistant':
      return assistantMessage(message)
    case 'tool':
      return message.responses.map((response) => toolMessage(response, sees)).join(',')
  }
}

/** Parts have no object of their own on this wire, so that their options are those of the message. */
function toJson(wire: SentMessage, holders: readonly Annotations[]): string {
  return wellFormedJson(Object.assign({ ...wire }, ...holders.map(optionsOf)))
}

const optionsOf = ({ providerOptions }: Annotations): JsonObject | undefined =>
  providerOptions?.[PROVIDER]

function userMessage(message: UserMessage): string {
  const { content } = message
  if (typeof content === 'string') return toJson({ role: 'user', content }, [message])
  const images = content.filter((part) => isImage(part)).map(imageData)
  const wire: SentMessage = {
    role: 'user',
    content: wordsOf(content.filter((part) => !isImage(part))),
    ...(images.length > 0 && { images }),
  }
  return toJson(wire, [message, ...content])
}

const isImage = (part: UserPart): part is MediaPart =>
  part.type === 'image' || (part.type === 'file' && part.mediaType.startsWith('image/'))

const wordsOf = (parts: readonly UserPart[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : mediaNote(part))).join('\n')

function imageData(part: MediaPart): string {
  const data = inlineData(part)
  if (data !== undefined) return data
  throw new ConfigurationError(
    'invalid-message',
    `An ${part.type} part needs data: Ollama fetches no images by url.`,
  )
}

const inlineData = ({ data, url }: MediaPart): string | undefined => data ?? dataOfUrl(url)?.data

/** The arguments go back as the text they came as, so that no number loses a digit on the way. */
function assistantMessage(message: AssistantMessage): string {
  const { content } = message
  if (typeof content === 'string') return toJson({ role: 'assistant', content }, [message])
  const calls = content.filter((part) => part.type === 'tool-call')
  const thinking = thoughtsOf(content)
  const wire: SentMessage = {
    role: 'assistant',
    content: saidIn(content),
    ...(thinking !== '' && { thinking }),
  }
  const others = content.filter((part) => part.type !== 'tool-call')
  const json = toJson(wire, [message, ...others])
  if (calls.length === 0) return json
  return `${json.slice(0, -1)},"tool_calls":[${calls.map(toCall).join(',')}]}`
}

function saidIn(parts: readonly AssistantPart[]): string {
  let said = ''
  for (const part of parts) {
    if (part.type === 'text') said += part.text
    else if (part.type === 'image' || part.type === 'audio' || part.type === 'file')
      said += `${said === '' ? '' : '\n'}${mediaNote(part)}`
  }
  return said
}

/** Thoughts of other providers stay here: their models were told to think in another way. */
function thoughtsOf(parts: readonly AssistantPart[]): string {
  let thoughts = ''
  for (const part of parts)
    if (part.type === 'reasoning' && isOwnThought(part.providerData)) thoughts += part.text
  return thoughts
}

const isOwnThought = (data: unknown): boolean => isJsonObject(data) && data['field'] === 'thinking'

function toCall(call: ToolCall): string {
  const head = wellFormedJson({ ...(call.id !== '' && { id: call.id }), ...optionsOf(call) })
  const name = wellFormedJson(call.name)
  const called = `"function":{"name":${name},"arguments":${argumentsOnWire(call)}}`
  return `${head.slice(0, -1)}${head === '{}' ? '' : ','}${called}}`
}

function toolMessage(response: ToolResponse, sees: boolean): string {
  const { id, name, content } = response
  const parts: readonly UserPart[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const isSent = (part: UserPart): part is MediaPart => sees && isShown(part)
  const images = parts.filter(isSent).map(imageData)
  const wire: SentMessage = {
    role: 'tool',
    content: wordsOf(parts.filter((part) => !isSent(part))),
    tool_name: name,
    ...(id !== '' && { tool_call_id: id }),
    ...(images.length > 0 && { images }),
  }
  return toJson(wire, [response, ...parts])
}

/** Of what a tool returned, only what the server can decode is sent: anything else would end the conversation. */
function isShown(part: UserPart): boolean {
  if (!isImage(part) || inlineData(part) === undefined) return false
  return /^image\/(?:png|jpe?g|webp)$/i.test(part.mediaType)
}
