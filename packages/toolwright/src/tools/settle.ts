/** What an `execute` returned, settled: promises awaited, generators run to their end with their yields as progress. */
export async function settle(
  returned: unknown,
  onProgress: (value: unknown) => void,
): Promise<unknown> {
  if (!isGenerator(returned)) return returned
  for (;;) {
    const step = await returned.next()
    if (step.done) return step.value
    onProgress(step.value)
  }
}

/** Generators have all three; a result that is merely iterable (a Set, a Map) does not. */
function isGenerator(x: unknown): x is Generator | AsyncGenerator {
  return (
    typeof x === 'object' &&
    x !== null &&
    'next' in x &&
    typeof x.next === 'function' &&
    'return' in x &&
    'throw' in x &&
    (Symbol.iterator in x || Symbol.asyncIterator in x)
  )
}
