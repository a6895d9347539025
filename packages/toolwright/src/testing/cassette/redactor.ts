/**
 * Takes secrets out of everything that a cassette writes: what looks like one in any text, what stands under the name
 * of one in any data, and what the test's own function takes out. A replay does the same to what it compares.
 */
import { namesSecret, redactName, withRedactedNames } from '../../errors/redact-json.ts'
import { redactWhole, REDACTED } from '../../errors/redact.ts'
import type { Json, JsonObject } from '../../messages/json.ts'

export interface Redactor {
  /** Of a text. JSON in it stays JSON. */
  text(text: string): string
  /** Of the name of an error, or its code. */
  name(name: string): string
  /** Of data: its texts, and whatever stands under the name of a secret. */
  data<Value extends Json>(value: Value): Value
  /** Of the definition of a tool or a schema: only its prose and examples, because the rest is no data. */
  schema<Value extends Json>(value: Value): Value
}

/** @param own the test's own function; it gets every text by itself */
export function redactor(own: (text: string) => string = (text) => text): Redactor {
  const names = new Map<string, boolean>()
  const isSecret = (name: string): boolean => {
    const known = names.get(name)
    if (known !== undefined) return known
    const found = namesSecret(name)
    names.set(name, found)
    return found
  }
  const text = (given: string): string => {
    const parsed = parsedJson(given)
    if (parsed === undefined) return own(redactWhole(given))
    const clean = data(parsed)
    return JSON.stringify(clean) === JSON.stringify(parsed) ? given : JSON.stringify(clean)
  }
  const data = (value: Json): Json => mapped(value, { text, isSecret })
  const schema = (value: Json): Json => mappedProse(value, data)
  return {
    text,
    name: redactName,
    data: data as Redactor['data'],
    schema: schema as Redactor['schema'],
  }
}

interface Rules {
  readonly text: (text: string) => string
  readonly isSecret: (name: string) => boolean
}

function mapped(value: Json, rules: Rules): Json {
  if (typeof value === 'string') return rules.text(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each: Json) => mapped(each, rules))
  const isMedia = isBinary(value as JsonObject)
  const isCall = (value as JsonObject)['type'] === 'tool-call'
  const entries = Object.entries(value as JsonObject).map(([name, inner]): [string, Json] => {
    if (isMedia && (name === 'data' || isDataUrl(name, inner)))
      return [name, mediaOf(value as JsonObject, inner, rules)]
    // A tool whose name looks like a key could not be found any more.
    if (isCall && (name === 'name' || name === 'id')) return [name, inner]
    if (isWordOfOurs(name, inner)) return [name, inner]
    return [name, rules.isSecret(name) ? emptied(inner) : mapped(inner, rules)]
  })
  return Object.fromEntries(withRedactedNames(entries))
}

/** What a cassette is read by. A function that takes such words out of sentences must not take them out of here. */
const WORDS_OF_OURS: { readonly [name: string]: readonly string[] } = {
  role: ['system', 'user', 'assistant', 'tool'],
  type: [
    ...['text', 'reasoning', 'tool-call', 'image', 'audio', 'file', 'provider'],
    ...['text-delta', 'reasoning-delta', 'tool-call-start', 'tool-call-delta', 'part', 'notice'],
  ],
  finishReason: [
    ...['stop', 'tool-calls', 'length', 'content-filter', 'return-direct', 'stop-condition'],
    ...['limit', 'suspended', 'error', 'other'],
  ],
  effect: ['read', 'idempotent', 'keyed', 'once'],
}

const isWordOfOurs = (name: string, value: Json): boolean =>
  typeof value === 'string' &&
  Object.hasOwn(WORDS_OF_OURS, name) &&
  WORDS_OF_OURS[name]!.includes(value)

const PROSE = /^(?:description|title|\$comment|default|examples|inputExamples|providerOptions)$/

function mappedProse(value: Json, data: (value: Json) => Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each: Json) => mappedProse(each, data))
  const entries = Object.entries(value as JsonObject).map(([name, inner]): [string, Json] => [
    name,
    PROSE.test(name) && !isSubschema(inner) ? data(inner) : mappedProse(inner, data),
  ])
  return Object.fromEntries(entries)
}

/** A property may be called `description` too. */
const isSubschema = (value: Json): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && 'type' in value

/** Words in a file are words. The bytes of an image would only be damaged. */
function mediaOf({ mediaType }: JsonObject, data: Json, { text }: Rules): Json {
  if (typeof data !== 'string' || !TEXT_MEDIA.test(mediaType as string)) return data
  const [, address = '', base64 = ''] = /^(data:[^,]*,)?(.*)$/s.exec(data) ?? []
  if (address !== '' && !/;base64,$/i.test(address)) return text(data)
  const words = Buffer.from(base64, 'base64').toString()
  const clean = text(words)
  return clean === words ? data : `${address}${Buffer.from(clean).toString('base64')}`
}

const TEXT_MEDIA = /^text\/|[/+](?:json|xml|yaml)\b/i

const isBinary = ({ type, mediaType }: JsonObject): boolean =>
  typeof mediaType === 'string' && ['image', 'audio', 'file'].includes(type as string)

const isDataUrl = (name: string, value: Json): boolean =>
  name === 'url' && typeof value === 'string' && value.startsWith('data:')

/** The same shape with nothing in it, so that it still fits most schemas. */
function emptied(value: Json): Json {
  if (typeof value === 'string') return REDACTED
  if (typeof value === 'number') return 0
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(emptied)
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, inner]) => [name, emptied(inner)]),
  )
}

/** Objects and lists only: other texts are redacted as texts. */
function parsedJson(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
