/** The JSON that a text is, if it is an object or a list. Anything else reads better as the text it is. */
import type { Json } from 'toolwright'

const LONGEST = 2_000_000

export function jsonInText(text: string): Json | undefined {
  if (text.length > LONGEST || !/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
