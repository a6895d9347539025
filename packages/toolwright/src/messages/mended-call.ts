/** A call as a model gave it, its fields made texts. */
import type { ToolCall } from './message.ts'

export function mendedCall(given: { readonly [field: string]: unknown }): ToolCall {
  const { id, name, arguments: input } = given
  return {
    ...given,
    type: 'tool-call',
    id: textOrNone(id),
    name: textOrNone(name),
    arguments: argumentsText(input),
  }
}

const textOrNone = (x: unknown): string =>
  typeof x === 'string' || typeof x === 'number' ? String(x) : ''

/** No arguments are `{}`, an object becomes its text. What has none is refused when the call is checked. */
function argumentsText(input: unknown): string {
  if (typeof input === 'string') return input
  if (input === undefined || input === null) return '{}'
  try {
    return JSON.stringify(input) ?? String(input)
  } catch {
    return '[no JSON]'
  }
}
