/** Carries out a plan: writes what is missing or outdated, and removes what is stale. */
import { rmSync } from 'node:fs'
import { CommandError } from '../../command/command-error.ts'
import type { Output } from './plan-outputs.ts'
import { writeWhole } from './write-whole.ts'

export function writeOutputs(outputs: readonly Output[]): void {
  for (const output of outputs) {
    if (output.standing === 'current') continue
    try {
      if (output.standing === 'stale') rmSync(output.file, { force: true })
      else writeWhole(output.file, output.text)
    } catch (error) {
      const { message } = error as Error
      throw new CommandError(
        `${output.file} cannot be written: ${message}. Make its folder writable and run again.`,
      )
    }
  }
}
