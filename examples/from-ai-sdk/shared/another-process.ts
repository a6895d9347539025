/** Runs the program once more as a process of its own, with `input` on its stdin, and gives what it printed. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const ROLE = 'FROM_AI_SDK_ROLE'

/** Whether this is the process that `inAnotherProcess` started. */
export const isTheOther = (): boolean => process.env[ROLE] === 'other'

/** What the first process has handed over. */
export const handedOver = (): string => readFileSync(0, 'utf8')

export function inAnotherProcess(input: string): string {
  const program = [...process.execArgv, process.argv[1]!]
  const env = { ...process.env, [ROLE]: 'other' }
  const { stdout, stderr } = spawnSync(process.execPath, program, { input, env, encoding: 'utf8' })
  return stdout + stderr
}
