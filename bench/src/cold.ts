/**
 * `npm run bench -- cold`: what importing the built library adds to the start of a program. Many fresh processes of
 * plain node, one after another and in turns, wall time from start to end; bare node twice, as the control.
 * CPU time is printed beside it, because other work on the machine adds less to it. Ends with exit code 1 when
 * the bar is missed.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const BAR_MS = 50
const WARM_UPS = 3
const TRIES = 41

interface Program {
  readonly name: string
  readonly code: string
  /** At most so much over bare node, in ms. */
  readonly bar?: number
}

const BARE: Program = { name: 'bare node', code: '' }
const PROGRAMS: readonly Program[] = [
  BARE,
  { name: 'bare node again', code: '' },
  { name: 'toolwright', code: "import 'toolwright'" },
  {
    name: 'toolwright + openai',
    code: "import 'toolwright'\nimport 'toolwright/openai'",
    bar: BAR_MS,
  },
  { name: 'zod', code: "import 'zod'" },
]

interface Start {
  readonly wallMs: number
  readonly cpuMs: number
}

/** Last in every program: the CPU time of the process so far, in microseconds. */
const SAY_CPU = `const { user, system } = process.cpuUsage()
process.stdout.write(String(user + system))
`

// Inside the workspace, because the programs look their packages up from where they are.
const folder = fileURLToPath(new URL('../dist/cold', import.meta.url))
const fileOf = (program: Program): string => join(folder, `${PROGRAMS.indexOf(program)}.mjs`)

export async function run(_args: string[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const program of PROGRAMS) writeFileSync(fileOf(program), `${program.code}\n${SAY_CPU}`)
  const starts = new Map(PROGRAMS.map((program) => [program, [] as Start[]]))
  for (let round = 0; round < WARM_UPS + TRIES; round++) {
    for (const program of PROGRAMS) {
      const start = startOf(fileOf(program))
      if (round >= WARM_UPS) starts.get(program)!.push(start)
    }
  }
  report(starts)
}

/** Nothing of the caller's environment but PATH, so that no loader or flag reaches a figure. */
function startOf(file: string): Start {
  const env = { PATH: process.env['PATH'], NODE_ENV: 'production' }
  const started = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { env, encoding: 'utf8' })
  const wallMs = performance.now() - started
  if (status !== 0) throw new Error(`${file} failed:\n${stderr}`)
  return { wallMs, cpuMs: Number(stdout) / 1000 }
}

function report(starts: ReadonlyMap<Program, readonly Start[]>): void {
  const bare = figuresOf(starts.get(BARE)!)
  const rows = PROGRAMS.map((program) => {
    const { wall, least, cpu } = figuresOf(starts.get(program)!)
    const over = wall - bare.wall
    const { bar } = program
    if (bar !== undefined && over > bar) process.exitCode = 1
    return {
      [`start of a process, ${TRIES} times`]: program.name,
      'median ms': wall.toFixed(1),
      'over bare': over.toFixed(1),
      'least over least': (least - bare.least).toFixed(1),
      'CPU over bare': (cpu - bare.cpu).toFixed(1),
      bar: bar ?? '',
      verdict: bar === undefined ? '' : over <= bar ? 'ok' : 'OVER',
    }
  })
  console.table(rows)
}

/** Medians of wall and CPU time, and the least wall time. */
function figuresOf(starts: readonly Start[]): { wall: number; least: number; cpu: number } {
  const wall = starts.map(({ wallMs }) => wallMs).sort((a, b) => a - b)
  const cpu = starts.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b)
  const middle = Math.floor(starts.length / 2)
  return { wall: wall[middle]!, least: wall[0]!, cpu: cpu[middle]! }
}
