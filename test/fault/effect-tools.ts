/**
 * The tools of the fault matrix, `effect` and `ping`, and the ledger of what they did: an execution is
 * written down before anything else, so that a verdict rests on what happened, not on what was reported.
 */
import { FAULT_SECRET, type FaultEffect, type FaultToolBehaviour } from '@toolwright/fault-server'

export interface EffectTools {
  readonly ledger: readonly FaultEffect[]
  /** Resolves when the first tool runs. */
  readonly started: Promise<void>
  effect(input: unknown): unknown
  ping(input: unknown): unknown
}

const BEHAVIOURS: { readonly [behaviour in FaultToolBehaviour]: () => unknown } = {
  returns: () => ({ ok: true }),
  'returns-bigint': () => ({ total: 9_007_199_254_740_993n }),
  'returns-cycle': () => {
    const cycle: Record<string, unknown> = { note: 'kept in the cycle' }
    cycle.self = cycle
    return cycle
  },
  'returns-lone-surrogate': () => 'cut here: \ud83c',
  'throws-null': () => {
    throw null
  },
  'throws-secret': () => {
    throw new Error(`Login with ${FAULT_SECRET} was refused.`)
  },
  'never-settles': () => new Promise(() => {}),
}

export function effectTools(behaviour: FaultToolBehaviour = 'returns'): EffectTools {
  const ledger: FaultEffect[] = []
  let start = (): void => {}
  const started = new Promise<void>((resolve) => (start = resolve))
  const record = (tool: string, input: unknown): void => {
    // A copy, so that nobody rewrites history.
    ledger.push({ tool, input: structuredClone(input) })
    start()
  }
  return {
    ledger,
    started,
    async effect(input) {
      record('effect', input)
      return BEHAVIOURS[behaviour]()
    },
    async ping(input) {
      record('ping', input)
      return 'pong'
    },
  }
}

/** The schemas, for whoever offers the tools by plain JSON Schema. */
export const EFFECT_SCHEMAS = {
  effect: {
    type: 'object',
    properties: { n: { type: 'number' }, s: { type: 'string' } },
    required: ['n'],
    additionalProperties: false,
  },
  ping: { type: 'object', properties: {}, additionalProperties: false },
} as const
