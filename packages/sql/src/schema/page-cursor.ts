/** Where a page of a list ended, as a text that goes through a browser and back. */
import { ConfigurationError } from 'toolwright'

export interface PageEnd {
  /** The time that the list is ordered by. */
  readonly at: number
  /** Tells rows of the same time apart. */
  readonly id: number
}

/** A page, and the cursor that asks for the next one. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly cursor?: string
}

/**
 * @param rows one more than `limit`, where there are as many: it tells that another page follows
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  endOf: (row: Row) => PageEnd,
): Page<Row> {
  if (rows.length <= limit) return { rows }
  const page = rows.slice(0, limit)
  const { at, id } = endOf(page.at(-1)!)
  return { rows: page, cursor: `${at}.${id}` }
}

export function fromCursor(cursor: unknown): PageEnd {
  const found = typeof cursor === 'string' ? /^(-?\d{1,16})\.(\d{1,16})$/.exec(cursor) : null
  const [at, id] = [Number(found?.[1]), Number(found?.[2])]
  if (Number.isSafeInteger(at) && Number.isSafeInteger(id)) return { at, id }
  throw new ConfigurationError(
    'invalid-option',
    'cursor is no cursor of this list. Give that of the page before, or none for the first page.',
  )
}
