/**
 * Runs inside a tool whose questions become the outer run's. A run store keeps the outer run only: whoever decided
 * about the inner one directly would use up a state that the outer run still needs.
 */

/** Marks the params of such a run. A symbol, because names belong to the program. */
const INNER: unique symbol = Symbol('inner run')

export const isInnerRun = (params: object): boolean => INNER in params

/** The same request, marked. */
export const asInnerRun = <Request extends { param(key: string, value: unknown): Request }>(
  request: Request,
): Request => request.param(INNER as unknown as string, true)
