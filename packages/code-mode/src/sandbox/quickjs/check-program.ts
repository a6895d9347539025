/** Checks what a program is opened with, once, so that nobody below meets a limit that is none; and limits before there is one. */
import { ConfigurationError } from 'toolwright'
import type { Program, SandboxLimits } from '../sandbox.ts'

const LEAST: { readonly [name in keyof SandboxLimits]: number } = {
  fuel: 1,
  turnMs: 1,
  memoryBytes: 1024 * 1024,
  stackBytes: 16 * 1024,
  openCalls: 1,
  valueBytes: 1,
  consoleBytes: 0,
}
/** What 32 bits of the engine can address, with room for itself. */
const MOST = 2 ** 31 - 1

export function checkProgram({ code, clock, seed, toolNames, limits }: Program): void {
  if (typeof code !== 'string') throw invalid('code is a text')
  if (!Number.isFinite(clock)) throw invalid('clock is a time in ms')
  if (!Number.isSafeInteger(seed) || seed < 0) throw invalid('seed is a whole number from 0')
  if (!toolNames.every((name) => typeof name === 'string')) throw invalid('toolNames are texts')
  for (const name of Object.keys(LEAST)) {
    const wrong = wrongLimit(name, limits[name as keyof SandboxLimits])
    if (wrong) throw invalid(wrong)
  }
}

/** What a limit must be if it is not so. Those that a sandbox does not know are at least 1. */
export function wrongLimit(name: string, value: unknown): string | undefined {
  const least = (LEAST as { readonly [name: string]: number })[name] ?? 1
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= MOST)
    return undefined
  return `limits.${name} is a whole number from ${least} to ${MOST}`
}

const invalid = (what: string): ConfigurationError =>
  new ConfigurationError('invalid-option', `open(): ${what}.`)
