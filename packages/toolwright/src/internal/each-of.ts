/**
 * Reads an async iterable that may have more ready than one item at a time. An iterator with `[REST]`
 * hands out what has already arrived without a promise for each; any other is read one by one.
 */
export const REST: unique symbol = Symbol.for('toolwright.rest') as never

export interface BatchedIterator<T> extends AsyncIterator<T> {
  /** What else has arrived; may be empty. */
  [REST](): readonly T[]
}

/** Calls `use` for each item until it returns something. */
export async function eachOf<T, Found>(
  items: AsyncIterable<T>,
  use: (item: T) => Found | undefined | void,
): Promise<Found | undefined> {
  const iterator = items[Symbol.asyncIterator]() as AsyncIterator<T> & Partial<BatchedIterator<T>>
  for (;;) {
    const step = await iterator.next()
    if (step.done) return undefined
    for (const item of [step.value, ...(iterator[REST]?.() ?? [])]) {
      const found = use(item)
      if (found === undefined) continue
      await iterator.return?.()
      return found
    }
  }
}
