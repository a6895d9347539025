/**
 * `npm run bench -- parked [--conversations 2000]`: the memory that a conversation holds while it waits inside a
 * tool, for a person, say. Each contender is a process of its own; the median of several. Ends with exit code 1
 * when the bar is missed.
 */
import { execFile } from 'node:child_process'
import { parseArgs, promisify } from 'node:util'
import { compile } from './compile.ts'
import type { Weights } from './parked/hold-conversations.ts'
import { Child } from './wire/child.ts'

const BAR_KB = 10
const TRIES = 3
const SERVER = 'wire/mock-server.ts'
const CONTENDERS: readonly { readonly name: string; readonly bar?: number }[] = [
  { name: 'raw' },
  { name: 'openai-run-tools' },
  { name: 'toolwright', bar: BAR_KB },
  { name: 'toolwright-stream' },
]

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { conversations: { type: 'string', default: '2000' } },
  })
  const compiled = await compile([SERVER, ...CONTENDERS.map(sourceOf)])
  const { child: server, port } = await Child.start('mock-server', compiled(SERVER))
  const weigh = weigher(port, values.conversations)
  const weights = new Map(CONTENDERS.map(({ name }) => [name, [] as Weights[]]))
  try {
    for (let round = 0; round < TRIES; round++)
      for (const contender of CONTENDERS)
        weights.get(contender.name)!.push(await weigh(compiled(sourceOf(contender))))
  } finally {
    await server.stop()
  }
  report(weights, values.conversations)
}

const sourceOf = ({ name }: { readonly name: string }): string => `parked/${name}.ts`

function weigher(port: number, conversations: string): (file: string) => Promise<Weights> {
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    BENCH_BASE_URL: `http://127.0.0.1:${port}/v1`,
  }
  return async (file) => {
    const command = ['--expose-gc', file, conversations]
    const { stdout } = await promisify(execFile)(process.execPath, command, { env })
    return JSON.parse(stdout) as Weights
  }
}

function report(weights: ReadonlyMap<string, readonly Weights[]>, conversations: string): void {
  const rows = CONTENDERS.map(({ name, bar }) => {
    const tries = weights.get(name)!
    const held = median(tries.map(({ heldBytes }) => heldBytes)) / 1000
    if (bar !== undefined && held > bar) process.exitCode = 1
    return {
      [`${conversations} waiting`]: name,
      'kB held by each': held.toFixed(1),
      'kB left after each': (median(tries.map(({ leftBytes }) => leftBytes)) / 1000).toFixed(2),
      bar: bar ?? '',
      verdict: bar === undefined ? '' : held <= bar ? 'ok' : 'OVER',
    }
  })
  console.table(rows)
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!
}
