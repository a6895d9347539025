/**
 * `npm run bench -- page`: what the playground's page costs a browser. Its size, gzipped, and the time that Chromium
 * spends on its scripts until 300 tools are shown and nothing moves any more; the longest task in a conversation of
 * 10,000 messages. Ends with exit code 1 when a bar is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { servePlayground, type PlaygroundTools } from '@toolwright/playground'
import { openDatabase } from '@toolwright/sql'
import type { Browser, CDPSession } from 'playwright-core'
import { tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { NO_CHROMIUM, startChromium } from '../../test/chromium/chromium.ts'
import { longestTasks, MESSAGES, type LongestTasks } from './page/long-conversation.ts'

const TOOLS = 300
const LOADS = 9
const BARS = { gzipBytes: 100_000, scriptMs: 300, longestTaskMs: 100 }
/** A page whose scripts did nothing for so long has settled. */
const QUIET_MS = 500
const LOOK_MS = 50

export async function run(_args: string[]): Promise<void> {
  if (NO_CHROMIUM[0]) return console.log(`Not measured: ${NO_CHROMIUM[1]}.`)
  const folder = mkdtempSync(join(tmpdir(), 'bench-page-'))
  const database = await openDatabase(`file:${join(folder, 'chat.db')}`)
  const playground = await servePlayground({
    tools: MANY_TOOLS,
    models: [{ id: 'scripted', label: 'Scripted', model: scriptedModel([]) }],
    folder,
    database,
    port: 0,
  })
  const browser = await startChromium()
  try {
    const bytes = await gzipBytesOf(playground.url)
    const loads: Load[] = []
    for (let load = 0; load < LOADS; load++) loads.push(await loadOf(browser, playground.url))
    report(bytes, loads, await longestTasks(browser))
  } finally {
    await browser.close()
    await playground.close()
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const many = Array.from({ length: TOOLS }, (_none, index) =>
  tool({
    name: `find_orders_${index}`,
    description: `Orders of the customers in region ${index}, the newest first`,
    input: z.object({
      customer: z.string().describe('Their name or number'),
      since: z.string().optional().describe('A day'),
      limit: z.number().int().positive().default(20),
      status: z.enum(['open', 'sent', 'paid']).optional(),
    }),
    hints: { readOnly: index % 2 === 0 },
    execute: () => [],
  }),
)

const MANY_TOOLS: PlaygroundTools = {
  sources: ['tools.ts'],
  list: async () => many.map((callback) => ({ callback, source: 'tools.ts' })),
  runSources: () => many,
  problem: undefined,
  quarantined: [],
  onChange: () => () => {},
}

/** Of the three files, each by itself, as they are sent. */
async function gzipBytesOf(url: string): Promise<number> {
  let bytes = 0
  for (const file of [url, new URL('/page.js', url), new URL('/page.css', url)]) {
    const response = await fetch(file)
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`)
    bytes += gzipSync(new Uint8Array(await response.arrayBuffer())).length
  }
  return bytes
}

interface Load {
  readonly scriptMs: number
  /** Scripts, styles, layout and paint of the page's thread. */
  readonly taskMs: number
}

/** In a context of its own, so that no load finds code that an earlier one has left compiled. */
async function loadOf(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable')
    await page.goto(url)
    const load = await settled(session)
    // Only now, because whoever asks a page runs scripts in it.
    await page.getByText(`${TOOLS} tools`).waitFor()
    return load
  } finally {
    await context.close()
  }
}

async function settled(session: CDPSession): Promise<Load> {
  let last = await loadSoFar(session)
  for (let quiet = 0; quiet < QUIET_MS || last.scriptMs === 0; quiet += LOOK_MS) {
    await sleep(LOOK_MS)
    const now = await loadSoFar(session)
    if (now.scriptMs !== last.scriptMs) quiet = 0
    last = now
  }
  return last
}

async function loadSoFar(session: CDPSession): Promise<Load> {
  const { metrics } = await session.send('Performance.getMetrics')
  const msOf = (wanted: string): number =>
    1000 * (metrics.find(({ name }) => name === wanted)?.value ?? 0)
  return { scriptMs: msOf('ScriptDuration'), taskMs: msOf('TaskDuration') }
}

function report(bytes: number, loads: readonly Load[], longest: LongestTasks): void {
  const scripts = loads.map(({ scriptMs }) => scriptMs).toSorted((a, b) => a - b)
  const tasks = loads.map(({ taskMs }) => taskMs).toSorted((a, b) => a - b)
  const middle = Math.floor(loads.length / 2)
  const verdict = (value: number, bar: number): string => (value <= bar ? 'ok' : 'OVER')
  const rows = [
    {
      what: 'the page, gzipped',
      is: `${(bytes / 1000).toFixed(1)} kB`,
      bar: `${BARS.gzipBytes / 1000} kB`,
      verdict: verdict(bytes, BARS.gzipBytes),
    },
    {
      what: `scripts until ${TOOLS} tools are shown, median of ${loads.length}`,
      is: `${scripts[middle]!.toFixed(0)} ms`,
      bar: `${BARS.scriptMs} ms`,
      verdict: verdict(scripts[middle]!, BARS.scriptMs),
    },
    { what: 'the same, least', is: `${scripts[0]!.toFixed(0)} ms`, bar: '', verdict: '' },
    {
      what: 'scripts, styles, layout and paint, median',
      is: `${tasks[middle]!.toFixed(0)} ms`,
      bar: '',
      verdict: '',
    },
    ...Object.entries(longest).map(([part, ms]: [string, number]) => ({
      what: `longest task with ${MESSAGES} messages, ${part}`,
      is: ms === 0 ? 'below 50 ms' : `${ms.toFixed(0)} ms`,
      bar: `${BARS.longestTaskMs} ms`,
      verdict: verdict(ms, BARS.longestTaskMs),
    })),
  ]
  console.table(rows)
  if (rows.some((row) => row.verdict === 'OVER')) process.exitCode = 1
}
