/**
 * Reads an async iterable that may have more ready than one item at a time. An iterator with `[REST]`
 * hands out what has already arrived without a promise for each; any other is read one by one.
 */
export const REST: unique symbol = Symbol.for('toolwright.rest') as never

export interface BatchedIterator<T> extends AsyncIterator<T> {
  /** What else has arrived; may be empty. */
  [REST](): readonly T[]
}

/** Calls `use` for each item, waiting where it returns a promise, until it returns something else than undefined. */
export async function eachOf<T, Found>(
  items: AsyncIterable<T>,
  use: (item: T) => Promise<void> | Found | undefined | void,
): Promise<Found | undefined> {
  const iterator = items[Symbol.asyncIterator]() as AsyncIterator<T> & Partial<BatchedIterator<T>>
  let over = false
  try {
    for (;;) {
      const step = await iterator.next()
      if (step.done) {
        over = true
        return undefined
      }
      for (const item of [step.value, ...(iterator[REST]?.() ?? [])]) {
        const used = use(item)
        if (used instanceof Promise) await used
        else if (used !== undefined) return used as Found
      }
    }
  } catch (thrown) {
    over = true
    throw thrown
  } finally {
    if (!over) await iterator.return?.()
  }
}
