/**
 * Runs something when a signal aborts, with one listener per signal however many requests share it:
 * Node warns of a leak from the eleventh on. The listener goes with the last request.
 */
const waiting = new WeakMap<AbortSignal, Set<() => void>>()
const runAll = (event: Event): void => {
  const signal = event.target as AbortSignal
  const all = waiting.get(signal)
  waiting.delete(signal)
  for (const run of all ?? []) run()
}

/** Returns how to stop waiting. The caller checks `signal.aborted` first. */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  let all = waiting.get(signal)
  if (all === undefined) {
    waiting.set(signal, (all = new Set()))
    signal.addEventListener('abort', runAll, { once: true })
  }
  all.add(run)
  return () => {
    all.delete(run)
    if (all.size > 0 || waiting.get(signal) !== all) return
    waiting.delete(signal)
    signal.removeEventListener('abort', runAll)
  }
}
