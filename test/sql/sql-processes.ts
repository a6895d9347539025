/** Starts the processes of `sql-worker.ts`, as plain JavaScript: a compiler at every start would cost seconds. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { DOOR_SOURCES } from '../../scripts/doors/door-sources.ts'
import type { SqlTask } from './sql-worker.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface SqlProcesses {
  start(task: SqlTask): Promise<SqlProcess>
  [Symbol.dispose](): void
}

export interface SqlProcess {
  /** Lets it begin. */
  go(): void
  /** The next line that it tells is there. */
  told(): Promise<void>
  kill(): void
  /** All lines but the first, when it has ended. `isDone`: it came to its end by itself. */
  ended(): Promise<{ readonly lines: readonly string[]; readonly isDone: boolean }>
}

export async function sqlProcesses(): Promise<SqlProcesses> {
  const folder = mkdtempSync(join(tmpdir(), 'sql-processes-'))
  const script = join(folder, 'sql-worker.mjs')
  // The drivers are found from there, too.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  await build({
    entryPoints: [fileURLToPath(new URL('sql-worker.ts', import.meta.url))],
    outfile: script,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    alias: Object.fromEntries(DOOR_SOURCES.map(({ name, source }) => [name, join(root, source)])),
    external: ['libsql', 'pg'],
    logLevel: 'error',
  })
  return {
    start: (task) => started(script, task),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

async function started(script: string, task: SqlTask): Promise<SqlProcess> {
  const child = spawn(process.execPath, [script, 'work', JSON.stringify(task)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.on('error', () => {})
  const lines: string[] = []
  let wake = (): void => {}
  const input = createInterface({ input: child.stdout })
  input.on('line', (line) => {
    lines.push(line)
    wake()
  })
  const ended = new Promise<void>((resolve) => input.once('close', resolve))
  const told = (): Promise<void> =>
    Promise.race([ended, new Promise<void>((resolve) => (wake = resolve))])
  await told()
  if (lines[0] !== 'ready') throw new Error(`The process ${task.name} did not start.`)
  return {
    go: () => void child.stdin.write('go\n'),
    told,
    kill: () => void child.kill('SIGKILL'),
    async ended() {
      await ended
      const isDone = lines.at(-1) === 'done'
      return { lines: lines.slice(1, isDone ? -1 : undefined), isDone }
    },
  }
}
