/** Advisors in their order, with the model at the end. Built once per client and set of advisors. */
import { ConfigurationError } from '../errors/errors.ts'
import type { Watched } from '../observation/watcher.ts'
import { ORDER, type AdvisedResponse, type Advisor, type NextAdvisor } from './advisor.ts'
import { takeTurn } from './advisor-turn.ts'
import { watchedAs, type InsideRequest } from './inside.ts'

/** The advisors of a chain, checked and sorted. */
export function orderAdvisors(advisors: readonly Advisor[]): readonly Advisor[] {
  for (const { name, order, advise } of advisors) {
    if (typeof advise !== 'function' || typeof name !== 'string' || name === '')
      throw new ConfigurationError(
        'invalid-advisor',
        'An advisor is an object with a name, an order and advise(request, next).',
      )
    if (!Number.isFinite(order) || order < ORDER.first || order > ORDER.last) {
      throw new ConfigurationError(
        'invalid-advisor',
        `Advisor "${name}" has order ${order}; it takes a number from ${ORDER.first} to ${ORDER.last}.`,
      )
    }
  }
  return advisors.toSorted((a, b) => a.order - b.order)
}

/** The end of a chain. `watched`: the exchange's own observation, which it ends; beside the request, because copying one costs more. */
export type ModelStep = (request: InsideRequest, watched?: Watched) => ReturnType<NextAdvisor>

/** One function from request to answer. */
export function chainAdvisors(advisors: readonly Advisor[], model: ModelStep): NextAdvisor {
  return advisors.reduceRight<NextAdvisor>(
    (next, advisor) => consulting(advisor, next),
    (request: InsideRequest) => {
      const watched = request.inside?.watched?.advice(undefined, request)
      return watched ? exchange(model, request, watched) : model(request)
    },
  )
}

/** One link of the chain, under observation where somebody watches. */
const consulting =
  (advisor: Advisor, next: NextAdvisor): NextAdvisor =>
  (request: InsideRequest) => {
    const watched = request.inside?.watched?.advice(advisor, request)
    if (!watched) return takeTurn(advisor, request, next)
    return watchedTurn(advisor, watchedAs(request, watched), next)
  }

// The two are apart, because a function that makes closures costs more, also when it makes none.
function watchedTurn(
  advisor: Advisor,
  request: InsideRequest,
  next: NextAdvisor,
): Promise<AdvisedResponse> {
  const watched = request.inside!.watched!
  const turn = watched.run(() => takeTurn(advisor, request, next))
  turn.then(
    (answer) => watched.answered(answer),
    (error: unknown) => watched.failed(error),
  )
  return turn
}

const exchange = (
  model: ModelStep,
  request: InsideRequest,
  watched: Watched,
): Promise<AdvisedResponse> => watched.run(() => model(request, watched))
