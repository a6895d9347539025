/** Advisors in their order, with the model at the end. Built once per client and set of advisors. */
import { ConfigurationError } from '../errors/errors.ts'
import { ORDER, scopedRequest, type Advisor, type NextAdvisor } from './advisor.ts'

/** Sorted, checked: what a chain is built from. */
export function orderAdvisors(advisors: readonly Advisor[]): readonly Advisor[] {
  for (const { name, order } of advisors) {
    if (!Number.isFinite(order) || order < ORDER.first || order > ORDER.last) {
      throw new ConfigurationError(
        'invalid-advisor',
        `Advisor "${name}" has order ${order}; it takes a number from ${ORDER.first} to ${ORDER.last}.`,
      )
    }
  }
  return advisors.toSorted((a, b) => a.order - b.order)
}

/** The same step, under observation where somebody watches. */
const watching =
  (of: Advisor | undefined, run: NextAdvisor): NextAdvisor =>
  (request) =>
    request.watched ? request.watched.advice(of, request, run) : run(request)

/** One function from request to answer. */
export function chainAdvisors(advisors: readonly Advisor[], model: NextAdvisor): NextAdvisor {
  return advisors.reduceRight<NextAdvisor>(
    (inner, each) =>
      watching(each, (request) => each.advise(scopedRequest(request, each.name), inner)),
    watching(undefined, model),
  )
}
