/** Finds the line of the user's code where an error was thrown. */
import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const FRAME = /^\s+at .*?\(?((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*?):(\d+):(\d+)\)?$/gm

/** `\n  at src/alarm.ts:4:9`, the innermost line outside of packages; empty if there is none. */
export function ownLine(error: unknown, cwd: string): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  for (const [, where = '', line, column] of stack.matchAll(FRAME)) {
    const path = (where.startsWith('file://') ? fileURLToPath(where) : where).replace(/\?.*$/, '')
    if (!/[\\/]node_modules[\\/]/.test(path) && existsSync(path))
      return `\n  at ${relative(cwd, path)}:${line}:${column}`
  }
  return ''
}
