/**
 * Waiting for an abort, cheaply. Adding and removing event listeners is the dearest part of a short
 * request, and Node warns of a leak from the eleventh on. So a signal has one listener however many wait,
 * and a controller of ours none at all: it knows who waits.
 */
const waiting = new WeakMap<AbortSignal, Set<() => void>>()

function runAll(signal: AbortSignal): void {
  const runs = waiting.get(signal)
  waiting.delete(signal)
  for (const run of runs ?? []) run()
}

const heard = (event: Event): void => runAll(event.target as AbortSignal)

const noop = (): void => {}

/** Runs on abort, at once when it has come already. Returns how to stop waiting. */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  if (signal.aborted) {
    run()
    return noop
  }
  const runs = waiting.get(signal) ?? new Set()
  if (!waiting.has(signal)) {
    waiting.set(signal, runs)
    signal.addEventListener('abort', heard)
  }
  runs.add(run)
  return () => {
    if (!runs.delete(run) || runs.size > 0) return
    waiting.delete(signal)
    signal.removeEventListener('abort', heard)
  }
}

/** Settles at once on abort, whether or not the work listens; `aborted` runs then. */
export function untilAborted<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
  aborted?: () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const forget = onAbort(signal, () => {
      aborted?.()
      reject(signal.reason)
    })
    work().then(resolve, reject).finally(forget)
  })
}

/** An abort controller that tells those who wait through `onAbort` by itself. */
export class Aborter {
  readonly #controller = new AbortController()
  readonly signal: AbortSignal = this.#controller.signal

  constructor() {
    // Somebody always waits, so that no listener is ever added or removed.
    waiting.set(this.signal, new Set([noop]))
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason)
    runAll(this.signal)
  }
}
