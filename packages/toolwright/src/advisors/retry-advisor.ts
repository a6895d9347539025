/**
 * Asks again when asking failed and nothing has been shown: no event but notices has passed, so no tool
 * has run and nobody has read a word. Inside the loop (default) that is one exchange with the model; outside, the run up
 * to its first event. Adapters try again by themselves too, before the first byte.
 */
import { ConfigurationError, ToolwrightError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import { sleep, systemClock, type Clock } from '../ports/clock.ts'
import { systemRandom, type Random } from '../ports/random.ts'
import {
  ORDER,
  UNWATCHING,
  type Advice,
  type AdvisedRequest,
  type Advisor,
  type NextAdvisor,
} from './advisor.ts'

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
  const made: Advisor & { readonly [UNWATCHING]: true } = {
    name: 'retry',
    order,
    advise: (request, next) => asking(settings, request, next),
    // It looks only for the first event, also where events go past the generators.
    [UNWATCHING]: true,
  }
  return made
}

type Settings = Required<Omit<RetryAdvisorOptions, 'order'>>

async function* asking(settings: Settings, request: AdvisedRequest, next: NextAdvisor): Advice {
  for (let attempt = 1; ; attempt++) {
    const first = new FirstEvent(request)
    try {
      return yield* first.shown(next(first.request))
    } catch (error) {
      // A resumed run has used its state up, and begins with tools.
      const final =
        attempt >= settings.attempts ||
        first.passed ||
        request.phase === 'resume' ||
        request.signal.aborted ||
        !settings.retryIf(error, attempt)
      if (final) throw error
      request.watched?.retried(attempt, error)
      await sleep(settings.clock, pauseMs(settings, attempt, error), request.signal)
    }
  }
}

/** Notices whether an event has passed, by either way that events take. */
class FirstEvent {
  passed = false
  readonly request: AdvisedRequest

  constructor(request: AdvisedRequest) {
    const { sink } = request
    const noticing = (event: ChatEvent): void => {
      this.#look(event)
      sink!(event)
    }
    this.request = sink ? { ...request, sink: noticing } : request
  }

  /** Looks until something was shown, and then only passes on. */
  async *shown(advice: Advice): Advice {
    try {
      while (!this.passed) {
        const step = await advice.next()
        if (step.done) return step.value
        this.#look(step.value)
        yield step.value
      }
      return yield* advice
    } finally {
      // Whoever leaves early leaves all of it.
      await advice.return(undefined as never)
    }
  }

  /** A notice is neither a word nor a deed. */
  #look(event: ChatEvent): void {
    if (event.type !== 'notice') this.passed = true
  }
}

function pauseMs({ delayMs, random }: Settings, attempt: number, error: unknown): number {
  const { retryAfterMs } = Object(error) as { readonly retryAfterMs?: unknown }
  if (typeof retryAfterMs === 'number' && retryAfterMs <= LONGEST_PAUSE_MS) return retryAfterMs
  return Math.min(delayMs * 2 ** (attempt - 1), LONGEST_PAUSE_MS) * random.next()
}
