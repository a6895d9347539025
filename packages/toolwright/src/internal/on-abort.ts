/**
 * Waiting for an abort, cheaply. Adding and removing event listeners is the dearest part of a short
 * request, and Node warns of a leak from the eleventh on. So a signal has one listener however many wait,
 * and a controller of ours none at all: it knows who waits.
 */
interface Waiting {
  readonly runs: Set<() => void>
  /** Whether an event listener is needed to hear of the abort. */
  readonly listens: boolean
}

const waiting = new WeakMap<AbortSignal, Waiting>()

function runAll(signal: AbortSignal): void {
  const { runs } = waiting.get(signal) ?? {}
  waiting.delete(signal)
  for (const run of runs ?? []) run()
}

const heard = (event: Event): void => runAll(event.target as AbortSignal)

/** Returns how to stop waiting. The caller checks `signal.aborted` first. */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  let entry = waiting.get(signal)
  if (!entry) {
    entry = { runs: new Set(), listens: true }
    waiting.set(signal, entry)
    signal.addEventListener('abort', heard, { once: true })
  }
  const { runs, listens } = entry
  runs.add(run)
  return () => {
    runs.delete(run)
    if (!listens || runs.size > 0 || waiting.get(signal)?.runs !== runs) return
    waiting.delete(signal)
    signal.removeEventListener('abort', heard)
  }
}

/** Hands an abort on, also one that is already there. Returns how to stop. */
export function follow(signal: AbortSignal, abort: (reason: unknown) => void): () => void {
  const handOn = (): void => abort(signal.reason)
  if (signal.aborted) handOn()
  return onAbort(signal, handOn)
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
    // A model or tool of somebody else may return its value without a promise.
    Promise.resolve(work()).then(
      (value) => {
        forget()
        resolve(value)
      },
      (thrown) => {
        forget()
        reject(thrown)
      },
    )
  })
}

/** An abort controller that tells those who wait through `onAbort` by itself. */
export class Aborter {
  readonly #controller = new AbortController()
  readonly signal = this.#controller.signal

  constructor() {
    waiting.set(this.signal, { runs: new Set(), listens: false })
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason)
    runAll(this.signal)
  }
}
