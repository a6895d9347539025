/** Whether a program can be started by its name: asked before, because a message then names what is near. */
import { statSync } from 'node:fs'
import { delimiter, isAbsolute, resolve } from 'node:path'
import type { Variables } from './expand-variables.ts'

export interface ProgramPlace {
  readonly cwd: string
  readonly env: Variables
}

export function isProgram(command: string, { cwd, env }: ProgramPlace): boolean {
  const folders = /[\\/]/.test(command) || isAbsolute(command) ? [cwd] : searchedIn(env)
  return folders.some((folder) =>
    endingsOf(env).some((ending) => isFile(resolve(folder, command + ending))),
  )
}

const searchedIn = (env: Variables): readonly string[] =>
  (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => folder !== '')

/** Windows finds `npx.cmd` for `npx`. */
const endingsOf = (env: Variables): readonly string[] =>
  process.platform === 'win32' ? ['', ...(env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')] : ['']

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
