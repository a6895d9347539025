/** The arguments of a call as a page reads them. */
import type { Json } from '../../messages/json.ts'

/** What is no JSON is shown as the model sent it; the result says what is wrong with it. */
export function shownInput(text: string): Json {
  try {
    return JSON.parse(text === '' ? '{}' : text) as Json
  } catch {
    return text
  }
}
