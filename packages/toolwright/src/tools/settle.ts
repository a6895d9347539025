/**
 * Settles what `execute` returned: awaits promises, and runs generators to their end, reporting their
 * yields as progress. A generator whose call was abandoned is closed at its next yield. Plain values are
 * returned synchronously.
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
    if (context.signal.aborted) return (await returned.return(undefined)).value
    context.progress(step.value)
  }
}

/** The part of a tool's context that a generator needs. */
export interface SettlingContext {
  progress(value: unknown): void
  readonly signal: AbortSignal
}

const isThenable = (x: unknown): x is PromiseLike<unknown> => hasMethod(x, 'then')

/** A result that is only iterable (a Set, a Map) has none of these methods. */
const isGenerator = (x: unknown): x is Generator | AsyncGenerator =>
  ['next', 'return', 'throw'].every((name) => hasMethod(x, name))

const hasMethod = (x: unknown, name: string): boolean =>
  typeof (Object(x) as { readonly [name: string]: unknown })[name] === 'function'
