/**
 * Asks again when asking failed and nothing has been shown: no event but notices has passed, so no tool
 * has run and nobody has read a word. Inside the loop (default) that is one exchange with the model; outside, the run up
 * to its first event. Adapters try again by themselves too, before the first byte.
 */
import { ConfigurationError, ToolwrightError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import { sleep, systemClock, type Clock } from '../ports/clock.ts'
import { systemRandom, type Random } from '../ports/random.ts'
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
  readonly clock?: Clock
  readonly random?: Random
}

const LONGEST_PAUSE_MS = 30_000

/**
 * @example
 * const client = ChatClient.create(model, { advisors: [retryAdvisor({ attempts: 5 })] })
 */
export function retryAdvisor(options: RetryAdvisorOptions = {}): Advisor {
  checkOptions('retryAdvisor()', options, [
    'attempts', 'delayMs', 'retryIf', 'order', 'clock', 'random',
  ]) // prettier-ignore
  const { order = ORDER.last } = options
  const settings: Settings = {
    attempts: options.attempts ?? 3,
    delayMs: options.delayMs ?? 500,
    retryIf: options.retryIf ?? ((error) => ToolwrightError.is(error) && error.retryable),
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
  }
  const { attempts, delayMs } = settings
  if (!Number.isInteger(attempts) || attempts < 1 || !Number.isFinite(delayMs) || delayMs < 0)
    throw new ConfigurationError(
      'invalid-option',
      `retryAdvisor(): attempts is a whole number from 1, delayMs a number from 0; they are ${attempts} and ${delayMs}.`,
    )
  return { name: 'retry', order, advise: (request, next) => askAgain(settings, request, next) }
}

type Settings = Required<Omit<RetryAdvisorOptions, 'order'>>

async function askAgain(
  settings: Settings,
  request: InsideRequest,
  next: NextAdvisor,
): Promise<AdvisedResponse> {
  let isShown = false
  const emit: AdvisedRequest['emit'] = (event) => {
    // A notice is neither a word nor a deed.
    isShown ||= event.type !== 'notice'
    request.emit(event)
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await next({ ...request, emit })
    } catch (error) {
      // A resumed run has used its state up, and begins with tools.
      const isFinal =
        attempt >= settings.attempts ||
        isShown ||
        request.phase === 'resume' ||
        request.signal.aborted ||
        !settings.retryIf(error, attempt)
      if (isFinal) throw error
      request.inside?.watched?.retried(attempt, error)
      await sleep(settings.clock, pauseMs(settings, attempt, error), request.signal)
    }
  }
}

function pauseMs({ delayMs, random }: Settings, attempt: number, error: unknown): number {
  const { retryAfterMs } = Object(error) as { readonly retryAfterMs?: unknown }
  if (typeof retryAfterMs === 'number' && retryAfterMs <= LONGEST_PAUSE_MS) return retryAfterMs
  return Math.min(delayMs * 2 ** (attempt - 1), LONGEST_PAUSE_MS) * random.next()
}
