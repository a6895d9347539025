/** Writes a file whole: first under another name, then renamed, so that no reader sees half of it. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'

/** `mode`: the file's rights, where they are not the usual ones. */
export function writeWhole(file: string, text: string, mode?: number): void {
  const beside = join(dirname(file), `.${randomUUID()}.tmp`)
  try {
    writeFileSync(beside, text, { mode })
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}
