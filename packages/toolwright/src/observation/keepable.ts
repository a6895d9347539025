/** What an observer keeps with a suspended run, as a copy. */
import type { Json } from '../messages/json.ts'

/** An observer that keeps more than a few ids would make every state as large. */
const MOST_KEPT = 2000

export function keepable(kept: Json | undefined): Json | undefined {
  if (kept === undefined) return undefined
  if ((kept as unknown) instanceof Promise)
    throw new TypeError('keep() gave a promise; what it keeps must be there at once.')
  const text = JSON.stringify(kept)
  if (text.length > MOST_KEPT)
    throw new RangeError(`keep() gave ${text.length} characters; at most ${MOST_KEPT} are kept.`)
  return JSON.parse(text) as Json
}
