/** All that can be found in a part of a trace: whatever texts its content has, however deep. */
import type { RowDetail } from './timeline.ts'

/** Which rows hold the wanted text. `undefined`: nothing is wanted. */
export function rowsWith(
  wanted: string,
  rows: readonly { readonly id: string; readonly shows: RowDetail; readonly label: string }[],
): ReadonlySet<string> | undefined {
  const low = wanted.trim().toLowerCase()
  if (low === '') return undefined
  const found = rows.filter(
    ({ shows, label }) => label.toLowerCase().includes(low) || searchText(shows).includes(low),
  )
  return new Set(found.map(({ id }) => id))
}

/** Each exchange holds all messages before it: what was read once is kept for the next letter that is typed. */
const known = new WeakMap<RowDetail, string>()

function searchText(shows: RowDetail): string {
  const text = known.get(shows) ?? textsIn(contentOf(shows)).join('\n').toLowerCase()
  known.set(shows, text)
  return text
}

function contentOf(shows: RowDetail): unknown {
  switch (shows.type) {
    case 'round':
      return undefined
    case 'exchange': {
      const { messages, answer, failure, options } = shows.exchange
      return [messages, answer, failure, options]
    }
    case 'call': {
      const { id, arguments: given, result, failure, refusal, events } = shows.call
      return [id, given, result, failure, refusal, events]
    }
    case 'tape-exchange':
      return [shows.exchange.messages, shows.exchange.answer]
    case 'tape-call':
      return [shows.call.input, shows.call.outcome]
  }
}

/** Texts and numbers in a value. Media are left out: nobody looks for base64. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(textsIn)
  const isMedia = 'mediaType' in value
  return Object.entries(value).flatMap(([key, inner]) =>
    isMedia && key === 'data' ? [] : textsIn(inner),
  )
}

/** A text in pieces, every second of which is what was wanted. */
export function markedPieces(text: string, wanted: string): readonly string[] {
  const low = text.toLowerCase()
  const sought = wanted.trim().toLowerCase()
  // Some letters change their length in lower case; then places are not the same.
  if (sought === '' || low.length !== text.length) return [text]
  const pieces: string[] = []
  let from = 0
  for (let at = low.indexOf(sought); at >= 0; at = low.indexOf(sought, from)) {
    pieces.push(text.slice(from, at), text.slice(at, at + sought.length))
    from = at + sought.length
  }
  return [...pieces, text.slice(from)]
}
