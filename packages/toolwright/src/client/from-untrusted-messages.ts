/** Reads messages from a browser: only user messages are accepted, and they are labelled as untrusted. */
import { ConfigurationError } from '../errors/errors.ts'
import type { MediaPart, TextPart, UserMessage, UserPart } from '../messages/message.ts'

const UNTRUSTED = { trust: 'untrusted' as const }

/**
 * Accepts only messages of the user role and rebuilds them field by field. Anything else throws an error
 * that names the position.
 */
export function fromUntrustedMessages(json: unknown): readonly UserMessage[] {
  if (!Array.isArray(json)) throw refused('The messages are not an array.')
  return json.map((message, index) => userMessage(message, `messages[${index}]`))
}

function userMessage(message: unknown, where: string): UserMessage {
  if (!isRecord(message)) throw refused(`${where} is not an object.`)
  if (message['role'] !== 'user')
    throw refused(
      `${where} has role ${JSON.stringify(message['role'])}; only "user" is accepted from outside.`,
    )
  const content = message['content']
  if (typeof content === 'string')
    return { role: 'user', content: content.toWellFormed(), label: UNTRUSTED }
  if (!Array.isArray(content))
    throw refused(`${where}.content is neither text nor a list of parts.`)
  return {
    role: 'user',
    content: content.map((part, index) => userPart(part, `${where}.content[${index}]`)),
    label: UNTRUSTED,
  }
}

function userPart(part: unknown, where: string): UserPart {
  if (!isRecord(part)) throw refused(`${where} is not an object.`)
  return part['type'] === 'text' ? textPart(part, where) : mediaPart(part, where)
}

function textPart(part: Record<string, unknown>, where: string): TextPart {
  if (typeof part['text'] !== 'string') throw refused(`${where}.text is not a string.`)
  return { type: 'text', text: part['text'].toWellFormed() }
}

function mediaPart(part: Record<string, unknown>, where: string): MediaPart {
  const { type, mediaType, data, url, name } = part
  if (type !== 'image' && type !== 'audio' && type !== 'file')
    throw refused(`${where}.type is none of text, image, audio, file.`)
  if (typeof mediaType !== 'string' || !/^[\w.+-]+\/[\w.+*-]+$/.test(mediaType))
    throw refused(`${where}.mediaType is no media type.`)
  if (typeof data === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(data)) {
    return { type, mediaType, data, ...(typeof name === 'string' && { name: name.toWellFormed() }) }
  }
  if (typeof url === 'string' && /^https:\/\//i.test(url))
    return { type, mediaType, url: url.toWellFormed() }
  throw refused(`${where} has neither base64 data nor an https url.`)
}

const isRecord = (x: unknown): x is Record<string, unknown> =>
  typeof x === 'object' && x !== null && !Array.isArray(x)

const refused = (message: string): ConfigurationError =>
  new ConfigurationError('invalid-message', message)
