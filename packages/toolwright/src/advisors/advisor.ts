/** Makes an advisor of a look before, a look after and a look at each event. */
import { ConfigurationError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import type { AdvisedRequest, AdvisedResponse, Advisor } from '../loop/advisor.ts'
import type { ChatEvent } from '../messages/chat-event.ts'

export interface AdvisorOptions {
  /** Names it in errors and observations. */
  readonly name: string
  /** Default 250: outside the loop and inside memory, so that it sees a run once. Above 300 it sees every round. */
  readonly order?: number
  /** May change the request. */
  readonly before?: (
    request: AdvisedRequest,
  ) => AdvisedRequest | void | Promise<AdvisedRequest | void>
  /** May change the answer. Called on a final outcome, never at suspension: once outside the loop, after every round inside. */
  readonly after?: (
    answer: AdvisedResponse,
    request: AdvisedRequest,
  ) => AdvisedResponse | void | Promise<AdvisedResponse | void>
  /** Sees each event on its way out, at once. Returns another event, `null` to drop it, or nothing to leave it. */
  readonly onEvent?: (event: ChatEvent, request: AdvisedRequest) => ChatEvent | null | void
}

const OUTSIDE_LOOP = 250

/**
 * An advisor of small functions. It costs nothing per event unless it has `onEvent`.
 *
 * @example
 * const polite = advisor({ name: 'polite', before: (request) => ({ ...request, params: { ...request.params, polite: true } }) })
 */
export function advisor(options: AdvisorOptions): Advisor {
  checkOptions('advisor()', options, ['name', 'order', 'before', 'after', 'onEvent'])
  const { name, order = OUTSIDE_LOOP, before, after, onEvent } = options
  if (typeof name !== 'string' || name === '') {
    throw new ConfigurationError('invalid-advisor', 'An advisor needs a name.')
  }
  return {
    name,
    order,
    async advise(given, next) {
      const request = (await before?.(given)) ?? given
      const answer = await next(onEvent ? watching(request, onEvent) : request)
      return answer.pending ? answer : ((await after?.(answer, request)) ?? answer)
    },
  }
}

function watching(
  request: AdvisedRequest,
  onEvent: NonNullable<AdvisorOptions['onEvent']>,
): AdvisedRequest {
  return {
    ...request,
    emit(event) {
      const changed = onEvent(event, request)
      if (changed !== null) request.emit(changed ?? event)
    },
  }
}
