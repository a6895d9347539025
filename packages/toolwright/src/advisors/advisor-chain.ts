/** Advisors in their order, with the model at the end. Built once per client and set of advisors. */
import { ConfigurationError } from '../errors/errors.ts'
import {
  adviseFolded,
  FOLDED,
  ORDER,
  scopedRequest,
  type Advisor,
  type FoldedAdvisor,
  type NextAdvisor,
} from './advisor.ts'

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

/** One function from request to answer. Neighbours that only look before and after become one generator. */
export function chainAdvisors(advisors: readonly Advisor[], model: NextAdvisor): NextAdvisor {
  let next = model
  let group: FoldedAdvisor[] = []
  const closeGroup = (): void => {
    if (group.length === 0) return
    const [members, inner] = [group, next]
    next = (request) => adviseFolded(members, request, inner)
    group = []
  }
  for (const each of advisors.toReversed()) {
    if (FOLDED in each) {
      group.unshift(each)
      continue
    }
    closeGroup()
    const inner = next
    next = (request) => each.advise(scopedRequest(request, each.name), inner)
  }
  closeGroup()
  return next
}
