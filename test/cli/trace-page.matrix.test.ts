/** The page of a trace in a real browser: inert, searchable, and readable at every width. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeViolations } from '../chromium/axe-violations.ts'
import { NO_CHROMIUM, startChromium } from '../chromium/chromium.ts'
import { traceFolder } from '../trace/trace-folder.ts'
import { runCommandHere } from './command-process.ts'
import { HOSTILE, writeTrace, type WrittenTrace } from './trace-project.ts'

let browser: Browser | undefined
beforeAll(async () => {
  if (!NO_CHROMIUM[0]) browser = await startChromium()
})
afterAll(() => browser?.close())

interface Opened {
  readonly page: Page
  /** Everything the page asked for, but itself, and everything it complained about. */
  readonly stray: readonly string[]
}

async function open(width = 1280, options: WrittenTrace = {}): Promise<Opened> {
  const folder = traceFolder()
  await writeTrace(folder, options)
  const prices = { models: { large: { input: 2, output: 10 }, small: { input: 1, output: 1 } } }
  writeFileSync(join(folder, 'prices.json'), JSON.stringify(prices))
  const words = ['trace', 'run.jsonl', '--html', 'trace.html', '--prices', 'prices.json']
  await runCommandHere({ words, cwd: folder })
  const page = await browser!.newPage({ viewport: { width, height: 900 } })
  const stray: string[] = []
  const url = pathToFileURL(join(folder, 'trace.html')).href
  page.on('request', (request) => request.url() !== url && stray.push(request.url()))
  page.on('console', (message) => stray.push(message.text()))
  page.on('pageerror', (error) => stray.push(error.message))
  page.on('dialog', (dialog) => stray.push(dialog.message()))
  await page.goto(url)
  return { page, stray }
}

const openAll = (page: Page) => page.getByRole('button', { name: 'Open all' }).click()

describe('the page of a trace', () => {
  it('shows what tools and models said as text: nothing runs, loads or hides', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const { page, stray } = await open()
    await openAll(page)
    expect(stray).toEqual([])
    expect(await page.title()).toBe('run.jsonl – toolwright trace')
    const foreign =
      'img, iframe, a, object, embed, form, link, svg svg, [onload], [onerror], [style]'
    expect(await page.locator(foreign).count()).toBe(0)
    expect(await page.locator('script').count()).toBe(1)
    const shown = await page.locator('pre').allInnerTexts()
    const [script] = HOSTILE.split('\n')
    expect(shown.some((text) => text.includes(script!))).toBe(true)
    const all = await page.locator('main').innerText()
    expect(all).not.toMatch(/[\u202e\u001b\u200b]/)
    expect(all).toContain('‹U+202E›gnp.exe ␛[31mred')
  })

  it('has a row for each round, exchange and call, whose bar lies where it happened', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const { page } = await open()
    const rows = page
      .locator('section.run')
      .first()
      .locator('.leg')
      .first()
      .locator(':scope > .row')
    const labels = await rows.locator(':scope > summary .label').allInnerTexts()
    expect(labels.slice(0, 4)).toEqual([
      'round 1',
      'model large',
      'weather (call_1)',
      'boom (call_2)',
    ])
    const box = async (label: string) => {
      const bar = rows.filter({ has: page.locator('.label', { hasText: label }) }).first()
      return (await bar.locator(':scope > summary rect').last().boundingBox())!
    }
    const [round, model, weather] = [
      await box('round 1'),
      await box('model large'),
      await box('weather'),
    ]
    expect(model.x).toBeGreaterThanOrEqual(round.x - 2)
    expect(weather.x).toBeGreaterThanOrEqual(model.x + model.width - 3)
    expect(weather.width).toBeGreaterThan(model.width)
    await expect(page.locator('main').innerText()).resolves.toContain(
      'resumed after 2 h of waiting',
    )
    await expect(page.locator('main').innerText()).resolves.toContain(
      'pay (call_5) waits for approval',
    )
  })

  it('has the messages as the model got them; what was sent before opens on demand', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const { page } = await open()
    await openAll(page)
    const second = page.locator('.leg').filter({ hasText: 'resumed after' }).first()
    const earlier = second.locator('details.earlier').first()
    expect(await earlier.locator('summary').innerText()).toBe('2 messages as before')
    expect(await earlier.locator('.message').count()).toBe(0)
    await earlier.locator('summary').click()
    expect(await earlier.locator('.message .role').allInnerTexts()).toEqual(['system', 'user'])
    expect(await earlier.locator('pre').first().innerText()).toBe('Be brief.')
    const ids = await page.locator('.message[id]').evaluateAll((all) => all.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('shows text as it is, an empty first line too', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const { page } = await open(1280, { answer: '\n\nThird line.\n' })
    const shown = await page
      .locator('pre')
      .evaluateAll((all) => all.map((each) => each.textContent))
    expect(shown).toContain('\n\nThird line.\n')
    expect(shown).toContain('Be brief.')
  })

  it('says when there is more than it looks for, and holds nothing behind that for no match', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const { page } = await open(1280, { answer: 'zebra '.repeat(5001) })
    const said = page.locator('#found')
    const quiet = page.locator('.row.quiet')
    const search = page.getByRole('searchbox')
    await search.fill('zebra')
    expect(await said.innerText()).toBe('5000+ found')
    // The run that failed stands behind it, and nobody has looked there.
    const run = page.locator('.run').last()
    expect(await run.locator('.row').count()).toBeGreaterThan(0)
    expect(await run.locator('.row.quiet').count()).toBe(0)
    expect(await quiet.count()).toBeGreaterThan(0)
    await search.press('Enter')
    expect(await said.innerText()).toBe('1 of 5000+')
    const whole = await open(1280, { answer: 'zebra '.repeat(5000) })
    await whole.page.getByRole('searchbox').fill('zebra')
    expect(await whole.page.locator('#found').innerText()).toBe('5000 found')
    expect(await whole.page.locator('.run').last().locator('.row.quiet').count()).toBeGreaterThan(0)
  })

  it('is searched by keyboard: finds, opens, goes on and says when there is nothing', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const { page } = await open()
    await page.keyboard.press('/')
    await page.keyboard.type('who wrote emma')
    const said = page.locator('#found')
    const total = Number.parseInt(await said.innerText(), 10)
    expect(total).toBeGreaterThan(1)
    expect(await page.locator('.row.quiet').count()).toBeGreaterThan(0)
    const hit = page.locator('pre', { hasText: 'Who wrote Emma?' }).first()
    expect(await hit.isVisible()).toBe(false)
    await page.keyboard.press('Enter')
    expect(await said.innerText()).toBe(`1 of ${total}`)
    expect(await hit.isVisible()).toBe(true)
    await page.keyboard.press('Shift+Enter')
    expect(await said.innerText()).toBe(`${total} of ${total}`)
    await page.getByRole('searchbox').fill('zebra')
    expect(await said.innerText()).toBe('not found')
    await page.getByRole('searchbox').fill('')
    expect(await page.locator('.row.quiet').count()).toBe(0)
  })

  it.for([1280, 768, 390, 320])('fits %i pixels', async (width, { skip }) => {
    skip(...NO_CHROMIUM)
    const { page } = await open(width)
    await openAll(page)
    const over = await page.evaluate<number>(
      'document.documentElement.scrollWidth - window.innerWidth',
    )
    expect(over).toBeLessThanOrEqual(0)
    for (const summary of await page.locator('.row > summary').all()) {
      const { width: wide } = (await summary.boundingBox())!
      expect(wide).toBeGreaterThan(150)
    }
  })

  for (const scheme of ['light', 'dark'] as const)
    it.for([1280, 360])(`axe finds nothing, ${scheme}, %i pixels`, async (width, { skip }) => {
      skip(...NO_CHROMIUM)
      const { page } = await open(width)
      await page.emulateMedia({ colorScheme: scheme })
      expect(await axeViolations(page)).toEqual([])
      await openAll(page)
      for (const earlier of await page.locator('details.earlier > summary').all())
        await earlier.click()
      expect(await axeViolations(page)).toEqual([])
      await page.getByRole('searchbox').fill('who wrote emma')
      await page.keyboard.press('Enter')
      expect(await page.locator('.row.quiet').count()).toBeGreaterThan(0)
      expect(await axeViolations(page)).toEqual([])
    })

  it('what scrolls is reached by the keyboard, and what does not is no stop', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const { page } = await open(1280, { answer: 'A long answer.\n'.repeat(200) })
    await openAll(page)
    const stops = page.locator('pre[tabindex="0"]')
    await expect.poll(() => stops.count()).toBe(1)
    expect(await stops.innerText()).toContain('A long answer.')
    expect(await axeViolations(page)).toEqual([])
  })

  it('says so where there is no content', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const { page } = await open(1280, { content: false })
    await openAll(page)
    expect(await page.locator('.message').count()).toBe(0)
    expect(await page.locator('header').innerText()).toContain('without content')
  })
})
