/** For programs that run themselves as processes of their own, one after another on one file. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The program once more, with other arguments. Prints and gives what it printed. */
export function runAgain(...words: readonly string[]): string {
  const command = [...process.execArgv, process.argv[1]!, ...words]
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const { stdout } = spawnSync(process.execPath, command, { encoding: 'utf8', stdio: [...stdio] })
  process.stdout.write(stdout)
  return stdout
}

/** The path of a file that is gone when the program ends. */
export function temporaryFile(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-example-'))
  process.once('exit', () => rmSync(folder, { recursive: true }))
  return join(folder, name)
}

export const temporaryDatabase = (): string => `file:${temporaryFile('chat.db')}`
