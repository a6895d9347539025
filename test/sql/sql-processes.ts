/** Starts the processes of `sql-worker.ts`. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { bundleProgram } from '../processes/bundle-program.ts'
import type { SqlTask } from './sql-worker.ts'

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
  const program = await bundleProgram(new URL('sql-worker.ts', import.meta.url))
  return {
    start: (task) => started(program.file, task),
    [Symbol.dispose]: () => program[Symbol.dispose](),
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
