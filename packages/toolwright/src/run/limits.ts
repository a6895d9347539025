/** What bounds a run. Every default is finite; without bound must be written out as `'unlimited'`. */
import { checkLimit, checkOptions } from '../internal/check-options.ts'

type Limit = number | 'unlimited'

export interface Limits {
  /** Model calls in a run. */
  readonly rounds: Limit
  /** Calls of one tool in a user turn. */
  readonly callsPerTool: Limit
  /** Calls of all tools in a user turn. */
  readonly callsTotal: Limit
  /** Calls in a row with equal arguments and equal results: the last of them gets a hint, the next is refused. */
  readonly identicalCalls: Limit
  /** Calls of one batch that run at the same time. */
  readonly parallel: Limit
  /** How long one call may take, in ms, unless its tool says otherwise. */
  readonly toolTimeoutMs: Limit
  /** Size of one call's arguments, in UTF-8 bytes. */
  readonly argumentBytes: Limit
  /** Size of one result as the model gets it; longer text keeps its head and tail. Direct results are not cut. */
  readonly resultBytes: Limit
  /** How long the whole run may take, in ms. */
  readonly runTimeoutMs: Limit
}

export type LimitName = keyof Limits

/** The same, with `Infinity` for unlimited. */
export type NormalLimits = { readonly [name in LimitName]: number }

export const DEFAULT_LIMITS: Limits = {
  rounds: 25,
  callsPerTool: 40,
  callsTotal: 150,
  identicalCalls: 3,
  parallel: 8,
  toolTimeoutMs: 60_000,
  argumentBytes: 262_144,
  resultBytes: 65_536,
  runTimeoutMs: 'unlimited',
}

/** A partial object keeps the others: the defaults, or those of whoever the limits are changed for. */
export function normalLimits(
  given: Partial<Limits> = {},
  others: Limits | NormalLimits = DEFAULT_LIMITS,
): NormalLimits {
  checkOptions('limits', given, Object.keys(DEFAULT_LIMITS))
  const numbers = Object.entries(others).map(([name, other]: [string, Limit]) => {
    const limit = given[name as LimitName]
    checkLimit(`limits.${name}`, limit)
    const holds = limit ?? other
    return [name, holds === 'unlimited' ? Infinity : holds]
  })
  return Object.fromEntries(numbers) as NormalLimits
}
