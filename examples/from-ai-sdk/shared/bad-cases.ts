/** What goes wrong with a call or a result, the same for both sides. */
import type { Step } from './models.ts'

export interface BadCase {
  readonly name: string
  readonly asks: Step
  readonly execute: () => unknown
}

const oslo = '{"city":"Oslo"}'
const fine = (): number => -3
const asks = (input: string): Step => ({ call: 'weather', input })

export const BAD_CASES: readonly BadCase[] = [
  { name: 'misspelt tool', asks: { call: 'wether', input: oslo }, execute: fine },
  { name: 'half of the JSON', asks: asks('{"city":'), execute: fine },
  { name: 'missing argument', asks: asks('{"town":"Oslo"}'), execute: fine },
  { name: 'unknown argument', asks: asks('{"city":"Oslo","unit":"F"}'), execute: fine },
  {
    name: 'key in an error',
    asks: asks(oslo),
    execute: () => {
      throw new Error('401 for key sk-proj-abcdefghijklmnopqrstuvwxyz123456')
    },
  },
  { name: 'map', asks: asks(oslo), execute: () => new Map([['Oslo', -3]]) },
  { name: 'error returned', asks: asks(oslo), execute: () => new Error('no such city') },
  { name: 'nothing', asks: asks(oslo), execute: () => undefined },
  { name: '5 MB of text', asks: asks(oslo), execute: () => 'x'.repeat(5_000_000) },
  { name: 'never returns', asks: asks(oslo), execute: () => new Promise(() => {}) },
]

/** One line of at most 110 characters, with the length of what was longer. */
export function short(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length <= 110 ? line : `${line.slice(0, 110)}… (${text.length} characters)`
}

/** What `promise` gives, or a word about it if it has not settled after three seconds. */
export function within(promise: Promise<string>): Promise<string> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('STILL WAITING AFTER 3 s'), 3000)
    void promise
      .then(resolve, (error: unknown) => resolve(`REJECTS: ${String(error)}`))
      .finally(() => clearTimeout(timer))
  })
}
