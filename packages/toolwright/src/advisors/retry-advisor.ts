/**
 * Asks again when asking failed and nothing has been shown: no event but notices has passed, so no tool
 * has run and nobody has read a word. Inside the loop (default) that is one exchange with the model; outside, the run up
 * to its first event. Adapters try again by themselves too, before the first byte.
 */
import { ConfigurationError, ToolwrightError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import { checkKinds, CLOCK, FUNCTION, NUMBER, RANDOM } from '../schema/option-kinds.ts'
import { systemClock, type Clock } from '../ports/clock.ts'
import { systemRandom, type Random } from '../ports/random.ts'
import { withRetries, type Retrying, type RetryPolicy } from '../ports/retry-policy.ts'
import {
  ORDER,
  type AdvisedRequest,
  type AdvisedResponse,
  type Advisor,
  type NextAdvisor,
} from '../loop/advisor.ts'
import type { InsideRequest } from '../loop/inside.ts'

export interface RetryAdvisorOptions {
  /** Tries in all. Default 3. */
  readonly attempts?: number
  /** The longest first pause, in ms; it doubles with every try, and chance shortens it. Default 500. */
  readonly delayMs?: number
  /** Whether asking again may help. Default: errors of the library that say so themselves (`retryable`). */
  readonly retryIf?: (error: unknown, attempt: number) => boolean
  /** Default `ORDER.last`: next to the model. */
  readonly order?: number
  /** Tells and waits for time. Default: the real one; `manualClock()` for tests. */
  readonly clock?: Clock
  /** Shortens pauses by chance. Default: the real one. */
  readonly random?: Random
}

/** No pause is longer, and no longer Retry-After is honoured. */
const LONGEST_PAUSE_MS = 30_000
const PAUSES = {
  maxDelayMs: LONGEST_PAUSE_MS,
  jitter: 'full',
  retryAfter: { maxMs: LONGEST_PAUSE_MS },
} as const

/**
 * @example
 * const client = ChatClient.create(model, { advisors: [retryAdvisor({ attempts: 5 })] })
 */
export function retryAdvisor(options: RetryAdvisorOptions = {}): Advisor {
  checkOptions('retryAdvisor()', options, [
    'attempts', 'delayMs', 'retryIf', 'order', 'clock', 'random',
  ]) // prettier-ignore
  const kinds = { retryIf: FUNCTION, order: NUMBER, clock: CLOCK, random: RANDOM }
  checkKinds('retryAdvisor()', options, kinds)
  const { attempts = 3, delayMs = 500, order = ORDER.last } = options
  if (!Number.isInteger(attempts) || attempts < 1 || !Number.isFinite(delayMs) || delayMs < 0)
    throw new ConfigurationError(
      'invalid-option',
      `retryAdvisor(): attempts is a whole number from 1, delayMs a number from 0; they are ${attempts} and ${delayMs}.`,
    )
  const settings: Settings = {
    policy: { ...PAUSES, attempts, delayMs },
    retryIf: options.retryIf ?? ((error) => ToolwrightError.is(error) && error.retryable),
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
  }
  return { name: NAME, order, advise: (request, next) => askAgain(settings, request, next) }
}

const NAME = 'retry'

interface Settings extends Required<Pick<RetryAdvisorOptions, 'retryIf' | 'clock' | 'random'>> {
  readonly policy: RetryPolicy
}

function askAgain(
  { policy, retryIf, clock, random }: Settings,
  request: InsideRequest,
  next: NextAdvisor,
): Promise<AdvisedResponse> {
  const { signal } = request
  let isShown = false
  const emit: AdvisedRequest['emit'] = (event) => {
    // A notice is neither a word nor a deed.
    isShown ||= event.type !== 'notice'
    request.emit(event)
  }
  let mayHelp = false
  const retrying: Retrying = {
    clock,
    random,
    signal,
    mayRetry: () => mayHelp && !signal.aborted,
    onRetry: (attempt, error) => request.inside?.watched?.retried(attempt, error, NAME),
  }
  return withRetries(policy, retrying, async (attempt) => {
    mayHelp = false
    try {
      return await next({ ...request, emit })
    } catch (error) {
      // A resumed run has used its state up, and begins with tools.
      const isLast = attempt >= policy.attempts || request.phase === 'resume' || signal.aborted
      // A step: a replayed run shows nothing again, and may be given another error than the one that was caught.
      if (!isLast)
        mayHelp = await request.step('again', async () => !isShown && retryIf(error, attempt))
      throw error
    }
  })
}
