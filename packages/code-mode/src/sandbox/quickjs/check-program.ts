/** Checks what a program is opened with, once, so that nobody below meets a limit that is none. */
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
  for (const [name, least] of Object.entries(LEAST)) {
    const value = limits[name as keyof SandboxLimits]
    if (!Number.isSafeInteger(value) || value < least || value > MOST)
      throw invalid(`limits.${name} is a whole number from ${least} to ${MOST}`)
  }
}

const invalid = (what: string): ConfigurationError =>
  new ConfigurationError('invalid-option', `open(): ${what}.`)
