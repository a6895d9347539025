/**
 * Reads an async iterable that may have more ready than one item at a time. It settles at once on abort, and
 * the iterable is closed (`return()`) however reading ends, even if whoever makes the items ignores the
 * signal. An iterator with `[REST]` hands out what has already arrived without a promise for each; any other
 * is read one by one.
 */
import { untilAborted } from './on-abort.ts'

export const REST: unique symbol = Symbol.for('toolwright.rest') as never

export interface BatchedIterator<T> extends AsyncIterator<T> {
  /** What else has arrived; may be empty. */
  [REST](): readonly T[]
}

type MaybeBatched<T> = AsyncIterator<T> & Partial<BatchedIterator<T>>
/** `isMore`: it had arrived together with the item before. */
type Use<T, Found> = (item: T, isMore: boolean) => Found | undefined

/** Calls `use` for each item until it returns something, and gives that. */
export function eachOf<T, Found>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
  use: Use<T, Found>,
): Promise<Found | undefined> {
  const iterator: MaybeBatched<T> = items[Symbol.asyncIterator]()
  return untilAborted(
    signal,
    () => readAll(iterator, signal, use),
    // Not awaited: a generator that waits for a silent server returns only after it.
    () => void closed(iterator).catch(() => {}),
  )
}

const closed = async (iterator: AsyncIterator<unknown>): Promise<unknown> => iterator.return?.()

async function readAll<T, Found>(
  iterator: MaybeBatched<T>,
  signal: AbortSignal,
  use: Use<T, Found>,
): Promise<Found | undefined> {
  let isClosed = false
  try {
    for (;;) {
      // An iterator that fails or ends by itself is closed.
      isClosed = true
      const step = await iterator.next()
      // After an abort the iterator was closed already, and nobody wants what it still gives.
      if (!step || step.done || signal.aborted) return undefined
      isClosed = false
      let found = use(step.value, false)
      if (found !== undefined) return found
      for (const item of iterator[REST]?.() ?? []) {
        found = use(item, true)
        if (found !== undefined) return found
      }
    }
  } finally {
    if (!isClosed) await iterator.return?.()
  }
}
