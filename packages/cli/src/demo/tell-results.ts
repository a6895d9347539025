/** What tools answered, for people to read. */
import type { Json, ToolCall, ToolResponse } from 'toolwright'

const LONGEST = 2_000

export interface Answered {
  readonly call: ToolCall
  readonly response: ToolResponse
}

/** One result as a sentence, several as a list. */
export function tellResults(answered: readonly Answered[]): string {
  return answered.map(tellResult).join('\n')
}

function tellResult({ call, response }: Answered): string {
  const text = contentOf(response)
  const asked = inShort(JSON.parse(call.arguments) as Json)
  const what = asked ? `${call.name} (${asked})` : call.name
  if (response.isError) return `${what} did not work: ${text}`
  const value = parsed(text)
  if (typeof value === 'object' && value !== null) return `${what} gives:\n${listOf(value)}`
  return text.length < 8 && /^(?:done|ok)\.?$/i.test(text)
    ? `Done: ${what}.`
    : `${what} says: ${text}`
}

export function contentOf({ content }: ToolResponse): string {
  const text =
    typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('')
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} ...` : text
}

export function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

const listOf = (value: Json): string =>
  Object.entries(Object(value) as object)
    .map(([key, item]) => `- ${Array.isArray(value) ? '' : `${key}: `}${inShort(item as Json)}`)
    .join('\n')

/** `city: Berlin, days: 3` */
function inShort(value: Json): string {
  if (Array.isArray(value)) return value.map(inShort).join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([key, item]) => `${key}: ${inShort(item as Json)}`)
    .join(', ')
}
