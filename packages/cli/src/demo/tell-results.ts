/** What tools answered, for people to read. */
import type { Json, ToolCall, ToolResponse } from 'toolwright'

const LONGEST = 2_000

export interface Answered {
  readonly call: ToolCall
  readonly response: ToolResponse
}

export const tellResults = (answered: readonly Answered[]): string =>
  answered.map(tellResult).join('\n')

function tellResult({ call, response }: Answered): string {
  const text = contentOf(response)
  const what = `${call.name}(${inShort(parsed(call.arguments))})`
  if (response.isError) return `${what} did not work: ${text}`
  const value = parsed(text)
  if (typeof value === 'object' && value !== null) return `${what} gives:\n${listOf(value)}`
  return text === 'Done' ? `Done: ${what}.` : `${what} says: ${text}`
}

export function contentOf({ content }: ToolResponse): string {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const text = parts.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('')
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} ...` : text
}

export function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

const listOf = (value: object): string =>
  Object.entries(value)
    .map(([key, item]) => `- ${Array.isArray(value) ? '' : `${key}: `}${inShort(item as Json)}`)
    .join('\n')

/** `city: Berlin, days: 3` */
function inShort(value: Json): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const named = (key: string): string => (Array.isArray(value) ? '' : `${key}: `)
  return Object.entries(value).map(([key, item]) => named(key) + inShort(item as Json)).join(', ') // prettier-ignore
}
