/** Tries again while the database is away: its runs wait for it and go on. */
import { DatabaseError } from 'toolwright'
import { passes, toDatabaseError } from './fault.ts'

const LONGEST_PAUSE_MS = 500

export interface Patience {
  /**
   * Gives up after so long, also on a statement that gets no answer: it may still have its effect, so `work` must be one
   * that can be asked for again. Default: never, because a run that has begun must not be lost.
   */
  readonly waitMs?: number
  /** Ends the waiting. */
  readonly signal?: AbortSignal
}

/** `work` may run more than once, and must do the same each time. */
export async function patiently<T>(work: () => Promise<T>, patience: Patience = {}): Promise<T> {
  const { waitMs } = patience
  if (waitMs === undefined) return tried(work, { ...patience, isOver: () => false })
  let last: unknown
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      isOver = true
      reject(last ? toDatabaseError(last) : noAnswer(waitMs))
    }, waitMs)
  })
  const onFault = (thrown: unknown): void => void (last = thrown)
  const working = tried(work, { ...patience, isOver: () => isOver, onFault })
  // What it comes to after that is nobody's.
  working.catch(() => {})
  return Promise.race([working, late]).finally(() => clearTimeout(timer))
}

interface Trying extends Pick<Patience, 'signal'> {
  /** Nobody waits for it any more. */
  readonly isOver: () => boolean
  readonly onFault?: (thrown: unknown) => void
}

async function tried<T>(work: () => Promise<T>, { signal, isOver, onFault }: Trying): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (thrown) {
      if (!passes(thrown) || signal?.aborted || isOver()) throw toDatabaseError(thrown)
      onFault?.(thrown)
    }
    const pauseMs = Math.min(LONGEST_PAUSE_MS, 10 * 2 ** tries) * (0.5 + Math.random())
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    if (isOver()) throw noAnswer(0)
  }
}

const noAnswer = (ms: number): DatabaseError =>
  new DatabaseError(
    'database-unreachable',
    `The database of the durable runs gave no answer within ${ms} ms.`,
    { retryable: true },
  )
