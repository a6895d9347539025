/** What `toolwright trace` does: reads, picks, and shows or writes. */
import { open, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { Prices, Trace } from 'toolwright/trace'
import { CommandError, messageOfThrown } from '../command/command-error.ts'
import type { CommandIo } from '../command/command.ts'
import { printable } from '../terminal/printable.ts'
import { stylesOf } from '../terminal/styles.ts'
import { widthOf } from '../terminal/wrap.ts'
import { pickRun } from './pick-run.ts'
import { pricedTrace } from './priced-trace.ts'
import { readPricesFile } from './read-prices-file.ts'
import { readTraceFile } from './read-trace-file.ts'
import { traceTree } from './trace-tree.ts'
import { unpricedModels } from './unpriced-models.ts'

export interface WantedTrace {
  readonly file: string
  readonly run?: string | undefined
  readonly html?: string | undefined
  readonly prices?: string | undefined
  readonly json?: boolean | undefined
}

const MOST_PROBLEMS = 5

export async function runTrace(wanted: WantedTrace, io: CommandIo): Promise<number> {
  const { file, run, html, json } = wanted
  if (json && html !== undefined)
    throw new CommandError('--json prints and --html writes a page. Give one of them.')
  if (html !== undefined && (await isSameFile(resolve(io.cwd, html), resolve(io.cwd, file))))
    throw new CommandError(
      '--html would write the page over the trace. Give another path after it.',
    )
  const prices =
    wanted.prices === undefined ? undefined : await readPricesFile(wanted.prices, io.cwd)
  const whole = await readTraceFile(file, io.cwd)
  tellProblems(whole, io)
  const trace = run === undefined ? whole : pickRun(whole, run)
  if (prices) tellUnpriced(unpricedModels(trace, prices), wanted.prices!, io)
  if (html !== undefined) await writePage(trace, { html, file, prices }, io)
  else if (json)
    io.stdout.write(`${JSON.stringify(prices ? pricedTrace(trace, prices) : trace, null, 2)}\n`)
  else if (trace.runs.length === 0 && trace.calls.length === 0)
    io.stderr.write('Nothing has happened in it yet.\n')
  else
    io.stdout.write(
      traceTree(trace, {
        styles: stylesOf(io.stdout, io.env),
        width: widthOf(io.stdout),
        prices,
      }),
    )
  return 0
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => stat(path).catch(() => {})))
  return first && second ? first.ino === second.ino && first.dev === second.dev : one === other
}

function tellProblems({ problems }: Trace, { stderr }: CommandIo): void {
  for (const { line, what } of problems.slice(0, MOST_PROBLEMS))
    stderr.write(`Line ${line} is left out: ${printable(what)}\n`)
  const more = problems.length - MOST_PROBLEMS
  if (more > 0) stderr.write(`${more} more lines are left out.\n`)
}

function tellUnpriced(models: readonly string[], file: string, { stderr }: CommandIo): void {
  if (models.length === 0) return
  const more = models.length - MOST_PROBLEMS
  const shown = `${models.slice(0, MOST_PROBLEMS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  stderr.write(`${printable(`${file} has no price for ${shown}.`)}\n`)
}

async function writePage(
  trace: Trace,
  { html, file, prices }: Pick<WantedTrace, 'file'> & { html: string; prices: Prices | undefined },
  { cwd, stdout }: CommandIo,
): Promise<void> {
  const { tracePage } = await import('./page/trace-page.ts')
  try {
    await writePrivate(resolve(cwd, html), tracePage(trace, { title: basename(file), prices }))
  } catch (thrown) {
    throw new CommandError(
      `The page cannot be written: ${messageOfThrown(thrown)}. Give another path after --html.`,
      { cause: thrown },
    )
  }
  stdout.write(`${html}\n`)
}

/** The page holds what the trace holds, which only its owner can read: also where another page was. */
async function writePrivate(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', OWNER_ONLY)
  try {
    if ((await file.stat()).isFile()) await file.chmod(OWNER_ONLY)
    await file.writeFile(text)
  } finally {
    await file.close()
  }
}

const OWNER_ONLY = 0o600
