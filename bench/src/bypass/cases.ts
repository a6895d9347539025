/**
 * The cases, told once for everybody: what a model calls or what its program does, what was seen of it, and the rule that
 * says whether that is right. No contender judges itself.
 */

/** A model calls the tools itself, or a program does that it wrote. */
export type Way = 'direct' | 'nested'

/** What became of one call, as whoever made it was told. */
export interface Told {
  readonly ok?: unknown
  readonly error?: string
}

/** A library has nothing by which it could be asked for. */
export interface NoWay {
  readonly noWay: string
}

interface Asked {
  /** Payments before anybody was asked. */
  readonly paidUnasked: number
  /** What somebody could decide now. */
  readonly waiting: number
  /** Payments in all, once approved; nothing where the case ends at the question. */
  readonly paidApproved?: number
}

interface Answered extends Told {
  readonly paid: number
}

export interface FactsOf {
  readonly 'approval the tool asks for': Asked
  readonly 'approval a rule asks for': Asked
  readonly 'denied by rule': Answered
  /** What hooks and events told of the tool `look`. */
  readonly 'hooks and events': {
    readonly direct: readonly string[]
    readonly nested: readonly string[]
  }
  readonly 'output schema': Told
  readonly 'hidden field': Told
  readonly 'five calls in a row': { readonly ran: number }
  /** The limit is 3 for the run; it tries 6, in three programs of two at once. */
  readonly 'call limits': { readonly ran: number }
  /** `ended`: with what the program ended, where it could not catch it. */
  readonly 'nested timeout': Told & { readonly ended?: string }
  /** `atOnce`: what it was told where somebody decided while it ran, if it may not be caught after it waited. */
  readonly 'denial catchable, with reason': Answered & {
    readonly ended?: string
    readonly atOnce?: string
  }
  readonly 'two approvals at once': Asked
  readonly 'same state twice': { readonly paid: number }
  readonly 'uninterruptible builtin': { readonly ended: string; readonly longestGapMs: number }
}

export type CaseName = keyof FactsOf

interface Verdict {
  readonly seen: string
  readonly isRight: boolean
}

interface Case<Facts> {
  readonly must: string
  /** It is tried directly too: what programs get around, and what nobody holds. */
  readonly alsoDirect?: true
  readonly judge: (facts: Facts) => Verdict
}

export const REASONS = { rule: 'not on Sundays', person: 'too much' }
export const SECRET = 'hunter2'
export const LIMIT = 3
export const AMOUNT = 5
/** What programs may take where the case is about that; of the tool that never answers, a quarter of it. */
export const PROGRAM_MS = 2000
export const TOOL_MS = 500
/** A host that does nothing for so long hangs. */
const GAP_MS = 1000

const asked = ({ paidUnasked, waiting, paidApproved }: Asked, wanted = 1): Verdict => {
  if (paidUnasked > 0) return { seen: 'paid unasked', isRight: false }
  if (waiting === 0) return { seen: 'refused, nobody can approve it', isRight: false }
  const isShown = waiting === wanted
  const shown = isShown ? (wanted === 1 ? 'waits' : 'both wait') : 'one is shown after the other'
  if (paidApproved === undefined) return { seen: shown, isRight: isShown }
  const isOnce = paidApproved === wanted
  const paid = isOnce ? 'paid once approved' : `paid ${paidApproved} times once approved`
  return { seen: `${shown}, ${paid}`, isRight: isShown && isOnce }
}

const ONE = { must: 'waits, is paid once approved', alsoDirect: true, judge: (facts: Asked) => asked(facts) } as const // prettier-ignore

export const CASES: { readonly [Name in CaseName]: Case<FactsOf[Name]> } = {
  'approval the tool asks for': ONE,
  'approval a rule asks for': ONE,
  'denied by rule': {
    must: 'not paid, told why',
    alsoDirect: true,
    judge: ({ paid, ok, error }) => {
      if (paid > 0) return { seen: 'paid', isRight: false }
      const told = error ?? JSON.stringify(ok)
      const isTold = told.includes(REASONS.rule)
      return { seen: isTold ? 'denied, told why' : `denied, told ${told}`, isRight: isTold }
    },
  },
  'hooks and events': {
    must: 'the same as directly',
    judge: ({ direct, nested }) => {
      const missing = direct.filter((name) => !nested.includes(name))
      const others = nested.filter((name) => !direct.includes(name))
      if (direct.length === 0) return { seen: 'none, not even directly', isRight: false }
      if (missing.length + others.length === 0)
        return { seen: `the same ${direct.length}`, isRight: direct.length === nested.length }
      const instead = others.length > 0 ? `, instead ${others.join(', ')}` : ''
      return {
        seen: `${direct.length - missing.length} of ${direct.length}${instead}`,
        isRight: false,
      }
    },
  },
  'output schema': {
    must: 'a wrong result is an error',
    alsoDirect: true,
    judge: ({ ok, error }) => ({
      seen: error === undefined ? `let through: ${JSON.stringify(ok)}` : 'enforced',
      isRight: error !== undefined,
    }),
  },
  'hidden field': {
    must: 'stays hidden',
    alsoDirect: true,
    judge: (told) => {
      const text = JSON.stringify(told)
      if (text.includes(SECRET)) return { seen: 'leaked', isRight: false }
      return { seen: text.includes('Ada') ? 'hidden' : text, isRight: text.includes('Ada') }
    },
  },
  'five calls in a row': {
    must: 'all run',
    judge: ({ ran }) => ({ seen: `${ran} ran`, isRight: ran === 5 }),
  },
  'call limits': {
    must: `the run's limit of ${LIMIT} holds`,
    alsoDirect: true,
    judge: ({ ran }) => ({ seen: `${ran} ran, ${LIMIT} allowed`, isRight: ran === LIMIT }),
  },
  'nested timeout': {
    must: 'the program can catch it',
    alsoDirect: true,
    judge: ({ ok, error, ended }) =>
      ended === undefined
        ? { seen: error === undefined ? `gave ${JSON.stringify(ok)}` : 'caught', isRight: error !== undefined } // prettier-ignore
        : { seen: `ends the program: ${ended}`, isRight: false },
  },
  'denial catchable, with reason': {
    must: 'the program catches the reason',
    judge: ({ paid, error, ended, atOnce }) => {
      if (paid > 0) return { seen: 'paid', isRight: false }
      if (ended !== undefined) {
        const isElse = atOnce?.includes(REASONS.person) ?? false
        const seen = isElse ? 'ends a program that waited; caught only if decided while it runs' : `ends the program: ${ended}` // prettier-ignore
        return { seen, isRight: false }
      }
      const isTold = error?.includes(REASONS.person) ?? false
      return { seen: isTold ? 'caught, with its reason' : `caught: ${error}`, isRight: isTold }
    },
  },
  'two approvals at once': {
    must: 'both wait, each is paid once',
    judge: (facts) => asked(facts, 2),
  },
  'same state twice': {
    must: 'one effect',
    judge: ({ paid }) => ({ seen: `paid ${paid} ×`, isRight: paid === 1 }),
  },
  'uninterruptible builtin': {
    must: 'stopped, the host goes on',
    judge: ({ ended, longestGapMs }) => {
      const isAlive = longestGapMs < GAP_MS
      const host = isAlive ? 'host alive' : `host blocked ${(longestGapMs / 1000).toFixed(1)} s`
      return { seen: `${ended}, ${host}`, isRight: isAlive && ended === 'stopped' }
    },
  },
}

export const CASE_NAMES = Object.keys(CASES) as readonly CaseName[]

export interface Call {
  readonly name: string
  readonly input: object
}

export const pays = (amount: number): Call => ({ name: 'pay', input: { amount } })
export const looks = (count: number): readonly Call[] =>
  Array.from({ length: count }, (_none, at) => ({ name: 'look', input: { at } }))
/** Two calls in each of three programs. */
export const SIX_LOOKS = [looks(6).slice(0, 2), looks(6).slice(2, 4), looks(6).slice(4)]

/** The same program for everybody; how it names a tool is each library's own. Gives what each call was told. */
export function programOf(
  calls: readonly Call[],
  named: (tool: string) => string,
  order: 'in a row' | 'at once' = 'in a row',
): string {
  const each = calls.map(({ name, input }) => `() => ${named(name)}(${JSON.stringify(input)})`)
  const settle = 'async (call) => { try { return { ok: await call() } } catch (error) { return { error: String(error.message) } } }' // prettier-ignore
  return order === 'at once'
    ? `const settled = ${settle}\nreturn await Promise.all([${each.join(', ')}].map(settled))`
    : `const settled = ${settle}\nconst told = []\nfor (const call of [${each.join(', ')}]) told.push(await settled(call))\nreturn told`
}

/** It never asks whether it should stop. */
export const ENDLESS = 'return "a".repeat(4e6).indexOf("a".repeat(2e6) + "b")'
