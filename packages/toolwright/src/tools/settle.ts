/**
 * What an `execute` returned, settled: promises awaited, generators run to their end with their yields
 * as progress. A generator whose call was given up is closed at its next yield. What takes no time is
 * given back as it is.
 */
export function settle(returned: unknown, context: SettlingContext): unknown {
  if (isGenerator(returned)) return runGenerator(returned, context)
  return isThenable(returned) ? Promise.resolve(returned) : returned
}

async function runGenerator(
  returned: Generator | AsyncGenerator,
  context: SettlingContext,
): Promise<unknown> {
  for (;;) {
    const step = await returned.next()
    if (step.done) return step.value
    if (context.isAborted) return (await returned.return(undefined)).value
    context.progress(step.value)
  }
}

/** The part of a tool's context that a generator needs. */
export interface SettlingContext {
  progress(value: unknown): void
  readonly isAborted?: boolean
}

function isThenable(x: unknown): x is PromiseLike<unknown> {
  return typeof x === 'object' && x !== null && 'then' in x && typeof x.then === 'function'
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
