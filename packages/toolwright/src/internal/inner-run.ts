/**
 * Runs inside a tool whose questions become the outer run's. A run store keeps the outer run only: whoever decided
 * about the inner one directly would use up a state that the outer run still needs.
 */

/** Marks the params of such a run. A symbol, because names belong to the program. */
const INNER: unique symbol = Symbol('inner run')

export const isInnerRun = (params: object): boolean => INNER in params

/** What the outer run gave to the inner one; undefined if the run is no inner one. */
export const innerRunOf = <Inner extends object>(params: object): Inner | undefined =>
  (params as { readonly [INNER]?: Inner })[INNER]

/** The same request, marked. `inner`: what the outer run gives to it. */
export const asInnerRun = <Request extends { param(key: string, value: unknown): Request }>(
  request: Request,
  inner: object = {},
): Request => request.param(INNER as unknown as string, inner)
