/** The command line of `npm run bench -- wire`. */
import { parseArgs } from 'node:util'
import type { WireCase } from './cases.ts'
import { CASES } from './cases.ts'

export interface WireOptions {
  readonly cases: readonly WireCase[]
  readonly repeats: number
  /** Unmeasured batches per case and contender, so that the compiler has seen the code. */
  readonly warmUps: number
  /** Where each worker writes a CPU profile of its whole life. */
  readonly profileDirectory?: string
}

export function wireOptions(args: string[]): WireOptions {
  const { values } = parseArgs({
    args,
    options: { quick: { type: 'boolean' }, only: { type: 'string' }, profile: { type: 'string' } },
  })
  const cases = CASES.filter(({ name }) => values.only === undefined || name === values.only)
  if (cases.length === 0) {
    throw new Error(
      `No case named "${values.only}". There are: ${CASES.map(({ name }) => name).join(', ')}.`,
    )
  }
  const effort = values.quick ? { repeats: 5, warmUps: 2 } : { repeats: 60, warmUps: 12 }
  return {
    cases,
    ...effort,
    ...(values.profile !== undefined && { profileDirectory: values.profile }),
  }
}
