/**
 * Lists in pages. The cursor names the last entry of its page, so that entries which come or go meanwhile shift nothing.
 * A page is large: there are clients that read the first one only.
 */
import { INVALID_PARAMS, Refusal } from './refusal.ts'
import { base64UrlToText, textToBase64Url } from './sealing.ts'

const PAGE_SIZE = 1_000

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Undefined: it is the last page. */
  readonly next: { readonly nextCursor?: string }
}

/** @param keyOf what an entry is called, which no other is */
export function pageOf<Item>(
  all: readonly Item[],
  keyOf: (item: Item) => string,
  cursor: string | undefined,
): Page<Item> {
  const from = cursor === undefined ? 0 : afterOf(all.map(keyOf), cursor)
  const items = all.slice(from, from + PAGE_SIZE)
  const isLast = from + PAGE_SIZE >= all.length
  return { items, next: isLast ? {} : { nextCursor: textToBase64Url(keyOf(items.at(-1)!)) } }
}

function afterOf(keys: readonly string[], cursor: string): number {
  const at = keys.indexOf(keyIn(cursor))
  if (at !== -1) return at + 1
  throw new Refusal(INVALID_PARAMS, 'The cursor leads nowhere any more. List from the start.')
}

function keyIn(cursor: string): string {
  try {
    return base64UrlToText(cursor)
  } catch {
    return ''
  }
}
