/** Several processes and one file: they share it, go on with each other's runs, are killed, and fill the disk. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { readTrace, type Trace } from 'toolwright/trace'
import { bundleProgram } from '../processes/bundle-program.ts'
import { traceFolder } from './trace-folder.ts'
import type { TracingTask } from './tracing-process.ts'

const program = await bundleProgram(new URL('tracing-process.ts', import.meta.url))
afterAll(() => program[Symbol.dispose]())

interface StartOptions {
  /** Run before it. */
  readonly shell?: string
  /** Instead of the stage's own. */
  readonly path?: string
}

function stage() {
  const folder = traceFolder()
  const path = join(folder, 'run.jsonl')
  const start = (act: TracingTask['act'], { shell, path: to = path }: StartOptions = {}) => {
    const task: TracingTask = { path: to, act, stateFile: join(folder, 'state.json') }
    const words = [process.execPath, program.file, JSON.stringify(task)]
    const [file, args] = shell
      ? ['bash', ['-c', `${shell}; exec "$@"`, 'bash', ...words]]
      : [words[0]!, words.slice(1)]
    return spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  }
  const run = async (act: TracingTask['act'], shell?: string): Promise<string> => {
    const child = start(act, shell === undefined ? {} : { shell })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
    const [code] = (await once(child, 'close')) as [number | null]
    expect(code, `exit code of ${act}`).toBe(0)
    return said
  }
  const read = (): Trace => readTrace(readFileSync(path, 'utf8'))
  return { path, start, run, read }
}

it('two processes write into one file at the same time, and no line is torn', async () => {
  const { run, read } = stage()
  await Promise.all([run('many'), run('many')])
  const { runs, problems } = read()
  expect(problems).toEqual([])
  expect(runs).toHaveLength(100)
  expect(runs.every(({ status, legs }) => status === 'done' && legs[0]!.rounds.length === 2)).toBe(
    true,
  )
  expect(new Set(runs.map(({ legs }) => legs[0]!.writer)).size).toBe(2)
})

it('a run that another process goes on with is one run of two legs', async () => {
  const { run, read } = stage()
  await run('suspend')
  await run('resume')
  const { runs } = read()
  expect(runs).toHaveLength(1)
  const [first, second] = runs[0]!.legs
  expect(first).toMatchObject({
    status: 'suspended',
    pending: [{ callId: 'call_1', kind: 'approval' }],
  })
  expect(second).toMatchObject({ phase: 'resume', status: 'done', waitedMs: expect.any(Number) })
  expect(second!.writer).not.toBe(first!.writer)
  expect(second!.rounds[0]!.calls).toMatchObject([{ name: 'pay', status: 'done' }])
})

it('a process that is killed has written everything up to then', async () => {
  const { path, start, read } = stage()
  const child = start('hang')
  const isRunning = (): boolean =>
    existsSync(path) && readFileSync(path, 'utf8').includes('"tool-execution-start"')
  while (child.exitCode === null && !isRunning()) await sleep(50)
  child.kill('SIGKILL')
  await once(child, 'close')
  const [run] = read().runs
  expect(run!.status).toBe('open')
  expect(run!.legs[0]!.rounds[0]).toMatchObject({
    exchanges: [{ finishReason: 'tool-calls' }],
    calls: [{ name: 'hang', status: 'open', attempts: 1 }],
  })
})

it('a file that takes no more in the middle of a line costs the trace, not the run', async () => {
  const { path, run, read } = stage()
  // Blocks of a kilobyte. Ignored, the signal becomes an error of the write that passes the limit.
  const said = await run('fill', `trap '' XFSZ; ulimit -f 16`)
  expect(JSON.parse(said)).toEqual({ status: 'done', codes: ['observer-failed'] })
  expect(readFileSync(path).length).toBe(16 * 1024)
  const { runs, problems } = read()
  expect(runs).toMatchObject([{ status: 'open' }])
  expect(problems).toEqual([{ line: expect.any(Number), what: 'It is cut off, or no JSON.' }])
})

it.runIf(process.platform === 'linux')(
  'a place in which the system makes no folders costs the trace, and the run goes on',
  { timeout: 60_000 },
  async () => {
    const { start } = stage()
    const child = start('fill', { path: '/proc/nope/deep/run.jsonl' })
    // Made with all folders above it at once, Node would try for ever, and nothing in the process could stop that.
    const limit = setTimeout(() => child.kill('SIGKILL'), 50_000)
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
    await once(child, 'close')
    clearTimeout(limit)
    expect(said).toBe('{"status":"done","codes":["observer-failed"]}')
  },
)
