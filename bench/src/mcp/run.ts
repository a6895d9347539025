/**
 * `npm run bench -- mcp [--quick]`: what a call of a tool of an MCP server costs beside the SDK's own client, over stdio
 * and HTTP, and what importing the package costs. Ends with exit code 1 when a bar is missed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startAsked } from '../../../test/processes/asked-process.ts'
import { compile } from '../compile.ts'
import type { McpAnswers } from './bare-client.ts'
import type { AskedCalls, McpTask } from './calls.ts'

const SERVER = 'mcp/tool-server.ts'
const BARE = 'mcp/bare-client.ts'
const TOOLWRIGHT = 'mcp/toolwright-client.ts'
const MOST_RATIO = 1.3
const MOST_IMPORT_MS = 20

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { quick: { type: 'boolean', default: false } } })
  const file = await compile([SERVER, BARE, TOOLWRIGHT])
  const program = file(SERVER)
  const http = spawn(process.execPath, [program, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = (await once(http.stdout, 'data')) as [Buffer]
    const task: McpTask = { program, url: line.toString().trim() }
    const contenders = {
      bare: await startAsked<McpAnswers>(file(BARE), task),
      again: await startAsked<McpAnswers>(file(BARE), task),
      toolwright: await startAsked<McpAnswers>(file(TOOLWRIGHT), task),
    }
    const sizes = values.quick ? { tries: 5, calls: 200 } : { tries: 25, calls: 400 }
    const rows = []
    for (const over of ['stdio', 'http'] as const)
      rows.push(await compareCalls(contenders, { over, ...sizes }))
    console.table(rows)
    for (const contender of Object.values(contenders)) contender.kill('SIGTERM')
    await Promise.all(Object.values(contenders).map(({ ended }) => ended))
  } finally {
    http.kill()
  }
  importTimes(values.quick ? 11 : 41)
}

type Contenders = {
  readonly [name in 'bare' | 'again' | 'toolwright']: {
    ask(name: 'cpu', asked: AskedCalls): Promise<number>
  }
}

/** All take turns. The first turn is for warming up. */
async function compareCalls(
  contenders: Contenders,
  { over, calls, tries }: AskedCalls & { readonly tries: number },
): Promise<object> {
  const names = ['bare', 'again', 'toolwright'] as const
  const spent = { bare: [] as number[], again: [] as number[], toolwright: [] as number[] }
  for (let each = 0; each <= tries; each++)
    for (const name of each % 2 === 0 ? names : names.toReversed()) {
      const cpu = await contenders[name].ask('cpu', { over, calls })
      if (each > 0) spent[name].push(cpu)
    }
  // The median of the ratios of each turn: what else the machine does meets the neighbours alike.
  const ratioTo = (name: 'again' | 'toolwright'): number =>
    median(spent[name].map((cpu, turn) => cpu / spent.bare[turn]!))
  const ratio = ratioTo('toolwright')
  return {
    'CPU of a call': over,
    'bare SDK, µs': Math.round(median(spent.bare)),
    'toolwright, µs': Math.round(median(spent.toolwright)),
    ratio: ratio.toFixed(2),
    'A/A': ratioTo('again').toFixed(2),
    ...verdict(ratio <= MOST_RATIO, `at most ${MOST_RATIO}`),
  }
}

/** Fresh processes in turns; how long the import itself takes in each. */
function importTimes(tries: number): void {
  const folder = fileURLToPath(new URL('../../dist/mcp', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const timed = (packages: readonly string[]): string => `const started = performance.now()
${packages.map((name) => `await import('${name}')`).join('\n')}
process.stdout.write(String(performance.now() - started))
`
  const programs = {
    toolwright: ['toolwright'],
    '@toolwright/mcp': ['@toolwright/mcp'],
    'the client of the SDK': ['@modelcontextprotocol/client'],
  }
  const times = new Map<string, number[]>()
  for (let each = 0; each < tries; each++)
    for (const [name, packages] of Object.entries(programs)) {
      const file = join(folder, `import-${packages[0]!.replaceAll(/\W/g, '-')}.mjs`)
      if (each === 0) writeFileSync(file, timed(packages))
      const { stdout, stderr, status } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
      if (status !== 0) throw new Error(stderr)
      times.set(name, [...(times.get(name) ?? []), Number(stdout)])
    }
  // The least of each, because interference only ever adds.
  const least = (name: string): number => Math.min(...times.get(name)!)
  const alone = least('@toolwright/mcp') - least('toolwright')
  console.table(
    [...times].map(([name, all]) => ({
      'import, ms': name,
      median: median(all).toFixed(1),
      least: least(name).toFixed(1),
      ...(name === '@toolwright/mcp' && {
        'least over least of toolwright': alone.toFixed(1),
        ...verdict(alone <= MOST_IMPORT_MS, `at most ${MOST_IMPORT_MS}`),
      }),
    })),
  )
}

function verdict(isKept: boolean, bar: string): { bar: string; verdict: string } {
  if (!isKept) process.exitCode = 1
  return { bar, verdict: isKept ? 'ok' : 'MISSED' }
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!
