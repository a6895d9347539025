/** A conversation of 10,000 messages in the page: all loaded, scrolled through, and one more answer that is streamed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { servePlayground, type PlaygroundTools } from '@toolwright/playground'
import { openDatabase, sqlMemoryRepository } from '@toolwright/sql'
import type { Browser, Page } from 'playwright-core'
import type { Message } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { PacedModel } from '../../../test/playground/paced-model.ts'

export const MESSAGES = 10_000
const TRIES = 3
const DELTAS = 200
const DELTA_MS = 10
const SCROLLS = 60
const SCROLL_PX = 2_000
const LOOK_MS = 20

/** The longest task of the page's thread in each part, in milliseconds. 0: none was as long as 50. */
export interface LongestTasks {
  readonly loading: number
  readonly scrolling: number
  readonly streaming: number
}

/** The least of several tries: the time of a task is that of the clock, which goes on while others have the machine. */
export async function longestTasks(browser: Browser): Promise<LongestTasks> {
  const tries: LongestTasks[] = []
  for (let at = 0; at < TRIES; at++) tries.push(await longestOnce(browser))
  const least = (part: keyof LongestTasks): number => Math.min(...tries.map((each) => each[part]))
  return {
    loading: least('loading'),
    scrolling: least('scrolling'),
    streaming: least('streaming'),
  }
}

async function longestOnce(browser: Browser): Promise<LongestTasks> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-long-'))
  const database = await openDatabase(`file:${join(folder, 'chat.db')}`)
  const key = { tenant: 'playground', conversation: 'long' }
  await sqlMemoryRepository(database).append(key, messages)
  const words = Array.from({ length: DELTAS }, (_none, at) => `word${at} `)
  const model = new PacedModel(scriptedModel([{ text: words.join(''), chunks: words }]))
  const models = [{ id: 'paced', label: 'Paced', model }]
  const playground = await servePlayground({ tools: NO_TOOLS, models, folder, database, port: 0 })
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    await page.addInitScript({ content: WATCH })
    await page.goto(`${playground.url}#/chat/long`)
    await page.getByText(`Answer ${MESSAGES - 1}`, { exact: true }).waitFor()
    const loading = await longestIn(page, () => loadAll(page))
    const scrolling = await longestIn(page, () => scroll(page))
    const streaming = await longestIn(page, () => stream(page, model))
    return { loading, scrolling, streaming }
  } finally {
    await context.close()
    await playground.close()
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const messages = Array.from({ length: MESSAGES }, (_none, at): Message =>
  at % 2 === 0
    ? { role: 'user', content: `Question ${at}` }
    : { role: 'assistant', content: `Answer ${at}\n\n- **one**\n- \`two\`\n\nThat is all of it.` },
)

const NO_TOOLS: PlaygroundTools = {
  sources: [],
  list: async () => [],
  runSources: () => [],
  problem: undefined,
  quarantined: [],
  onChange: () => () => {},
}

/** The page has no types here. */
const WATCH = `
  window.longest = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration)
  }).observe({ type: 'longtask' })
`

async function longestIn(page: Page, work: () => Promise<void>): Promise<number> {
  await page.evaluate('window.longest = 0')
  await work()
  // What was observed is told a moment later.
  await sleep(LOOK_MS * 10)
  return page.evaluate<number>('window.longest')
}

async function loadAll(page: Page): Promise<void> {
  const toTop = `document.querySelector('.thread-scroll').scrollTop = 0`
  const isAll = `document.querySelector('.earlier').childElementCount === 0`
  while (!(await page.evaluate<boolean>(isAll))) {
    await page.evaluate(toTop)
    await sleep(LOOK_MS)
  }
}

async function scroll(page: Page): Promise<void> {
  await page.mouse.move(640, 400)
  for (const way of [1, -1])
    for (let at = 0; at < SCROLLS; at++) {
      await page.mouse.wheel(0, way * SCROLL_PX)
      await sleep(LOOK_MS)
    }
}

async function stream(page: Page, model: PacedModel): Promise<void> {
  model.hold()
  await page.getByRole('textbox', { name: 'Your question' }).fill('And now?')
  await page.keyboard.press('Enter')
  for (let at = 0; at < DELTAS; at++) {
    model.say()
    await sleep(DELTA_MS)
  }
  // The end of the round is an event too.
  while (!(await page.getByRole('button', { name: 'Ask again' }).isVisible())) {
    model.say()
    await sleep(DELTA_MS)
  }
}
