/**
 * Trying again, as one object and one loop for everybody who does: the wire before its first byte, the retry
 * advisor around an exchange, a tool that may be repeated. Who may be tried again, and after which failure,
 * is decided by the caller; how often and how long apart is the policy.
 */
import { sleep, systemClock, type Clock } from './clock.ts'
import { systemRandom, type Random } from './random.ts'

export interface RetryPolicy {
  /** Tries in all, the first included; a whole number from 1. `1`: no second try. */
  readonly attempts: number
  /** The pause after the first try, in ms, from 0. It doubles with every further try. */
  readonly delayMs: number
  /** The longest that doubling can make a pause, in ms. Default: no cap. */
  readonly maxDelayMs?: number
  /**
   * `full`: chance takes any part of the pause, from none to all of it, so that clients that failed together
   * do not come back together. `none`: the pause is exact. Default `none`.
   */
  readonly jitter?: 'full' | 'none'
  /**
   * What to do when the failure itself says how long to wait (`retryAfterMs`, from a provider's `Retry-After`).
   * Absent: nothing, the pause is the policy's own.
   */
  readonly retryAfter?: RetryAfter
}

export interface RetryAfter {
  /** The longest that is waited for, in ms. A longer wish is not honoured at all: the pause is the policy's own. */
  readonly maxMs: number
  /** Chance adds up to this many ms, to spread clients that were all told the same. Default 0. */
  readonly spreadMs?: number
}

/** What one retried piece of work needs besides its policy. */
export interface Retrying {
  /** Waits between two tries. Default: the real one. */
  readonly clock?: Clock | undefined
  /** Shortens pauses by chance. Default: the real one. */
  readonly random?: Random | undefined
  /** Ends the waiting with its reason. It does not end a try: the work has the signal itself. */
  readonly signal?: AbortSignal | undefined
  /** Whether another try may help after this failure. Asked only while there are tries left. Must not throw. */
  mayRetry(thrown: unknown, attempt: number): boolean
  /** Told before each pause: this try failed, and another follows. */
  onRetry?(attempt: number, thrown: unknown): void
}

/**
 * Runs `work` until it succeeds, may not be tried again, or has been tried often enough; then what it threw
 * last is thrown. `attempt` counts from 1.
 *
 * @example
 * const policy = { attempts: 3, delayMs: 500, jitter: 'full' } as const
 * const mayRetry = (thrown: unknown) => ToolwrightError.is(thrown) && thrown.retryable
 * await withRetries(policy, { signal, mayRetry }, () => ask())
 */
export async function withRetries<T>(
  policy: RetryPolicy,
  retrying: Retrying,
  work: (attempt: number) => Promise<T>,
): Promise<T> {
  const { clock = systemClock, random = systemRandom, signal } = retrying
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt)
    } catch (thrown) {
      if (attempt >= policy.attempts || !retrying.mayRetry(thrown, attempt)) throw thrown
      retrying.onRetry?.(attempt, thrown)
      await sleep(clock, pauseMs(policy, { attempt, thrown }, random), signal)
    }
  }
}

/** A try that failed, counted from 1. */
export interface FailedTry {
  readonly attempt: number
  readonly thrown: unknown
}

/** How long to wait after this failure, in ms. */
export function pauseMs(
  { delayMs, maxDelayMs = Infinity, jitter = 'none', retryAfter }: RetryPolicy,
  { attempt, thrown }: FailedTry,
  random: Random,
): number {
  const wish = retryAfter && wishOf(thrown)
  if (wish !== undefined && wish <= retryAfter!.maxMs) {
    const { spreadMs = 0 } = retryAfter!
    return spreadMs === 0 ? wish : wish + random.next() * spreadMs
  }
  const longest = Math.min(delayMs * 2 ** (attempt - 1), maxDelayMs)
  return jitter === 'full' ? random.next() * longest : longest
}

/** Any error may carry it: those of this package do, and those of other copies of it. */
function wishOf(thrown: unknown): number | undefined {
  const { retryAfterMs } = Object(thrown) as { readonly retryAfterMs?: unknown }
  return typeof retryAfterMs === 'number' && retryAfterMs >= 0 ? retryAfterMs : undefined
}
