/** Writes a file whole: first under another name, then renamed, so that no reader sees half of it. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'

export function writeWhole(file: string, text: string): void {
  const beside = join(dirname(file), `.${randomUUID()}.tmp`)
  try {
    writeFileSync(beside, text)
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}
