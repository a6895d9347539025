/**
 * `npm run bench -- generate [--keep]`: how long `toolwright generate` takes for 100 methods over 20 files with
 * data types of their own: the first time, with nothing changed, and while watching, from saving a file
 * to the generated one being there. Wall time of real processes of the built command; the median of
 * several. Ends with exit code 1 when a bar is missed.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const FILES = 20
const METHODS = 5
const BARS = { cold: 5, unchanged: 1, 'unchanged --check': 1, watch: 1 }
const TRIES = 5
const PATIENCE_MS = 60_000

const root = fileURLToPath(new URL('../..', import.meta.url))

export async function run(args: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-bench-'))
  try {
    writeProject(folder)
    const figures = {
      cold: times(() => {
        rmSync(join(folder, 'app/node_modules/.cache'), { recursive: true, force: true })
        for (let n = 0; n < FILES; n++) rmSync(output(folder, n), { force: true })
        return generate(folder, [], `${FILES} written`)
      }),
      unchanged: times(() => generate(folder, [], `${FILES} unchanged`)),
      'unchanged --check': times(() => generate(folder, ['--check'], `${FILES} up to date`)),
      watch: await watched(folder),
    }
    report(figures)
  } finally {
    if (args.includes('--keep')) console.log(`The project is in ${folder}.`)
    else rmSync(folder, { recursive: true })
  }
}

/** The built command and the library as packages of their own, as an application has them. */
function writeProject(folder: string): void {
  const packages = join(folder, 'app/node_modules')
  install('packages/cli', join(packages, '@toolwright/cli'))
  install('packages/toolwright', join(packages, 'toolwright'))
  for (const name of ['typescript', 'tinyglobby', 'fdir', 'picomatch'])
    symlinkSync(join(root, 'node_modules', name), join(packages, name))
  const files: { readonly [name: string]: string } = {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({
      compilerOptions: { strict: true, module: 'NodeNext', target: 'ES2022', skipLibCheck: true },
    }),
    'src/shared/money.ts': MONEY,
    ...Object.fromEntries(
      Array.from({ length: FILES }, (_none, n) => [`src/service${n}/service${n}.ts`, service(n)]),
    ),
    ...Object.fromEntries(
      Array.from({ length: FILES }, (_none, n) => [`src/service${n}/types${n}.ts`, types(n)]),
    ),
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'app', name)), { recursive: true })
    writeFileSync(join(folder, 'app', name), text)
  }
}

function install(from: string, to: string): void {
  for (const part of ['package.json', 'bin', 'dist']) {
    if (from.endsWith('toolwright') && part === 'bin') continue
    cpSync(join(root, from, part), join(to, part), { recursive: true })
  }
}

const output = (folder: string, n: number): string =>
  join(folder, `app/src/service${n}/service${n}.tools.ts`)

const MONEY = `/** An amount in a currency. */
export interface Money {
  /**
   * In the smallest unit
   * @minimum 0
   */
  amount: number
  currency: 'EUR' | 'USD' | 'GBP'
}
export type Page<Item> = { items: Item[]; next?: string }
`

const types = (n: number): string => `import type { Money } from '../shared/money.js'

export enum State${n} { Open = 'open', Paid = 'paid', Closed = 'closed' }

export interface Address${n} {
  street: string
  city: string
  /** ISO 3166 */
  country?: string
}

export interface Line${n} {
  sku: string
  /** @minimum 1 */
  quantity: number
  price: Money
  options?: Record<string, string>
}

export interface Order${n} {
  id: string
  state: State${n}
  placed: Date
  lines: Line${n}[]
  shipping: Address${n}
  billing?: Address${n} | null
  payment: { kind: 'card'; last4: string } | { kind: 'invoice'; due: Date }
  tags: Set<string>
  parent?: Order${n}
}
`

const service = (n: number): string => `import type { Page } from '../shared/money.js'
import type { Address${n}, Line${n}, Order${n}, State${n} } from './types${n}.js'

export class Service${n} {
  /**
   * Find the orders of a customer.
   * @tool
   * @param customer The customer's number
   * @param state Only those in this state
   */
  async findOrders${n}(customer: string, state?: State${n}, limit = 20): Promise<Page<Order${n}>> {
    return { items: [] }
  }

  /**
   * Place an order with all its lines.
   * @tool
   * @param lines What is ordered
   * @param shipping Where it goes
   */
  placeOrder${n}(lines: Line${n}[], shipping: Address${n}, wanted?: Date): string {
    return ''
  }

  /**
   * Change some of the fields of an order.
   * @tool
   * @param changes What changes
   */
  changeOrder${n}(id: string, changes: Partial<Omit<Order${n}, 'id' | 'parent'>>): void {}

  /**
   * Take an order as a whole and check it.
   * @tool
   * @param order The order
   */
  checkOrder${n}(order: Order${n}, ...notes: string[]): boolean {
    return true
  }

  /**
   * Count the orders by state.
   * @tool
   * @param from From this day on
   * @param totals By the customer's number
   */
  countOrders${n}(from: Date, totals: Map<string, number>): Record<string, number> {
    return {}
  }
}
`

function times(once: () => number): number[] {
  return Array.from({ length: TRIES }, once)
}

/** Seconds; ends the benchmark when the command did something else. */
function generate(folder: string, options: readonly string[], expected: string): number {
  const started = performance.now()
  const { stdout, stderr, status } = spawnSync(process.execPath, [...command(folder), ...options], {
    cwd: join(folder, 'app'),
    encoding: 'utf8',
  })
  const seconds = (performance.now() - started) / 1000
  if (status !== 0 || !stdout.includes(expected))
    throw new Error(`It did not say "${expected}":\n${stdout}${stderr}`)
  return seconds
}

const command = (folder: string): string[] => [
  join(folder, 'app/node_modules/@toolwright/cli/bin/toolwright.js'),
  'generate',
  'src',
]

async function watched(folder: string): Promise<number[]> {
  const child = spawn(process.execPath, [...command(folder), '--watch'], {
    cwd: join(folder, 'app'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await saidWatching(child)
    const seconds: number[] = []
    for (let n = 0; n < TRIES; n++) seconds.push(await saveAndWait(folder, n))
    return seconds
  } finally {
    child.kill()
  }
}

async function saidWatching(child: ChildProcess): Promise<void> {
  for await (const piece of child.stdout!.setEncoding('utf8').iterator({ destroyOnReturn: false }))
    if ((piece as string).includes('Watching')) return
  throw new Error('The watching command ended.')
}

/** A service one time, one of its data types the next. */
async function saveAndWait(folder: string, n: number): Promise<number> {
  const [file, text] =
    n % 2 === 0
      ? [`service${n}.ts`, service(n).replace('customer: string', 'customer: number')]
      : [`types${n}.ts`, types(n).replace('city: string', 'town: string')]
  const before = readFileSync(output(folder, n), 'utf8')
  writeFileSync(join(folder, `app/src/service${n}`, file), text)
  const started = performance.now()
  while (readFileSync(output(folder, n), 'utf8') === before) {
    if (performance.now() - started > PATIENCE_MS) throw new Error(`${file} was not noticed.`)
    await delay(2)
  }
  return (performance.now() - started) / 1000
}

function report(figures: { readonly [what in keyof typeof BARS]: readonly number[] }): void {
  const rows = Object.entries(BARS).map(([what, bar]) => {
    const sorted = [...figures[what as keyof typeof BARS]].sort((a, b) => a - b)
    const median = sorted[Math.floor(sorted.length / 2)]!
    if (median > bar) process.exitCode = 1
    return {
      [`${FILES * METHODS} methods, ${FILES} files`]: what,
      least: sorted[0]!.toFixed(2),
      'median s': median.toFixed(2),
      most: sorted.at(-1)!.toFixed(2),
      bar,
      verdict: median <= bar ? 'ok' : 'MISSED',
    }
  })
  console.table(rows)
}
