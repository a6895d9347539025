/**
 * The tools of random programs, which write down what they do, and what each call must come to: it follows from its
 * name, its input and what was decided about it. How long a call takes is counted in turns of the event loop.
 */
import { tool, type Decision, type PolicyVerdict, type ToolCallback } from 'toolwright'
import type { ProgramCall } from '@toolwright/code-mode'

/** What a tool did. */
export interface Effect {
  readonly callId: string
  readonly toolName: string
  readonly n: unknown
  readonly key: string
}

export interface FuzzWorld {
  readonly effects: Effect[]
  /** So many turns, given the same name every time. */
  turnsOf(name: string): number
  /** Waits so many turns. Rejects when the process is dead. */
  pause(turns: number): Promise<void>
}

const NUMBER = {
  type: 'object',
  properties: { n: { type: 'integer' } },
  required: ['n'],
} as const

interface Input {
  readonly n: number
}

const RESULTS: { readonly [name: string]: (n: number) => unknown } = {
  get: (n) => ({ n, square: n * n }),
  words: (n) => `number ${n}`,
  nothing: () => undefined,
  pay: (n) => ({ paid: n }),
  maybe: (n) => [n],
  never: () => 'not reached',
}

const APPROVAL: { readonly [name: string]: true | ((input: Input) => boolean) } = {
  pay: true,
  maybe: ({ n }) => n % 2 === 0,
}

export function fuzzTools(world: FuzzWorld): readonly ToolCallback[] {
  const act = async (of: Omit<Effect, 'key'>, key: string): Promise<void> => {
    await world.pause(world.turnsOf(`${of.callId} before`))
    world.effects.push({ ...of, key })
    await world.pause(world.turnsOf(`${of.callId} after`))
  }
  const made = (name: string, result: (n: number) => unknown): ToolCallback =>
    tool({
      name,
      input: NUMBER,
      effect: 'keyed',
      ...(APPROVAL[name] !== undefined && { approval: APPROVAL[name] }),
      async execute({ n }: Input, { callId, toolName, idempotencyKey }) {
        await act({ callId, toolName, n }, idempotencyKey)
        return result(n)
      },
    }) as ToolCallback
  return [
    ...Object.entries(RESULTS).map(([name, result]) => made(name, result)),
    made('fail', (n) => {
      throw new Error(`no ${n}`)
    }),
    // Without `execute`: somebody supplies the result.
    tool({ name: 'desk', input: NUMBER }) as ToolCallback,
    tool({
      name: 'ask',
      input: NUMBER,
      effect: 'keyed',
      async execute({ n }: Input, { callId, toolName, idempotencyKey, suspend }) {
        const answers = Array.from({ length: questionsOf(n) }, (_, at) => suspend(`${at} of ${n}?`))
        await act({ callId, toolName, n }, idempotencyKey)
        return answers
      },
    }) as ToolCallback,
  ]
}

const questionsOf = (n: number): number => (n % 3 === 0 ? 2 : 1)

export const fuzzPolicy = ({ toolName }: { readonly toolName: string }): PolicyVerdict =>
  toolName === 'never' ? { deny: 'never' } : 'allow'

/** What a call must come to; `effect` is what its tool was given, if it ran. */
export interface Expected {
  readonly ok: boolean
  readonly code?: string
  readonly value?: unknown
  readonly effect?: { readonly n: unknown }
  readonly isEdited?: boolean
}

/** Nothing, while somebody has to decide. */
export function expectedOf(call: ProgramCall, decided: readonly Decision[]): Expected | undefined {
  const { n } = JSON.parse(call.arguments) as { readonly n?: number }
  const { name } = call
  if (!['ask', 'desk', 'fail'].includes(name) && !RESULTS[name])
    return { ok: false, code: 'unknown-tool' }
  if (n === undefined) return { ok: false, code: 'invalid-arguments' }
  if (name === 'never') return { ok: false, code: 'denied' }
  if (name === 'fail') return { ok: false, code: 'failed', effect: { n } }
  const last = decided.at(-1)
  if (typeof last === 'object' && 'deny' in last) return { ok: false, code: 'denied' }
  if (typeof last === 'object' && 'result' in last) return { ok: true, value: last.result }
  if (name === 'desk') return undefined
  if (name === 'ask') {
    const answers = decided.map((each) => (each as { readonly answer: unknown }).answer)
    return answers.length < questionsOf(n) ? undefined : { ok: true, value: answers, effect: { n } }
  }
  const isAsked = name === 'pay' || (name === 'maybe' && n % 2 === 0)
  if (isAsked && last === undefined) return undefined
  const isEdited = typeof last === 'object' && 'edit' in last
  const given = isEdited ? (last.edit as unknown as Input).n : n
  return { ok: true, value: RESULTS[name]!(given), effect: { n: given }, isEdited }
}
