/** The traces of the playground in a real browser: of a conversation, of a file, of a cassette. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { ChatClient } from 'toolwright'
import { cassette, scriptedModel } from 'toolwright/testing'
import { traceFile } from 'toolwright/trace'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { NO_CHROMIUM, startChromium } from '../chromium/chromium.ts'
import { openDesk, POLL } from './page-desk.ts'
import { PageTools } from './page-tools.ts'

let browser: Browser
beforeAll(async () => {
  if (!NO_CHROMIUM[0]) browser = await startChromium()
})
afterAll(() => browser?.close())

const script = () =>
  scriptedModel([
    {
      toolCalls: [
        { name: 'weather', id: 'w1', arguments: { city: 'Oslo' } },
        { name: 'weather', id: 'w2', arguments: { city: 'Bergen' } },
      ],
      usage: { inputTokens: 120, outputTokens: 30 },
    },
    { text: 'Clear in both.', usage: { inputTokens: 200, outputTokens: 8 } },
  ])

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'toolwright-trace-page-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

const choose = (page: Page, file: string): Promise<void> =>
  page.locator('input[type=file]').setInputFiles(file)
const bars = (page: Page) => page.getByRole('main').getByRole('button', { pressed: false })

describe('the traces of the playground', () => {
  it('show rounds and parallel calls of a conversation, and the messages as the model got them', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const { page } = await openDesk(browser, {
      tools: new PageTools().all,
      model: script(),
      system: 'You are a weather clerk.',
      at: '#/chat',
    })
    await page.getByRole('textbox', { name: 'Your question' }).fill('How is it up north?')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('Clear in both.').waitFor()
    await page.getByRole('link', { name: 'Open trace' }).click()
    await bars(page)
      .filter({ hasText: /^weather/ })
      .nth(1)
      .waitFor()
    expect(
      await bars(page)
        .filter({ hasText: /^weather/ })
        .count(),
    ).toBe(2)
    const all = await page.getByRole('main').innerText()
    expect(all).toMatch(/320/)
    // Rounds and exchanges have bars too: the second exchange saw the results.
    await page.getByRole('searchbox').fill('Bergen')
    await page.keyboard.press('Enter')
    await page.getByRole('main').getByText('You are a weather clerk.').first().waitFor()
    await page.getByRole('main').getByText('Bergen').first().waitFor()
  })

  it('of many rounds show the first 1,000 rows, more when they are wanted, and what is searched for', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const at = folder()
    const [rounds, calls] = [20, 50]
    const tools = new PageTools()
    const callOf = (at: number) => ({
      ...{ name: 'weather', id: `w${at}`, arguments: { city: `City ${at}.` } },
    })
    const model = scriptedModel([
      ...Array.from({ length: rounds }, (_none, round) => ({
        toolCalls: Array.from({ length: calls }, (_each, at) => callOf(round * calls + at)),
      })),
      'Clear everywhere.',
    ])
    const trace = traceFile(join(at, 'long.jsonl'), { content: true })
    const limits = { callsPerTool: 'unlimited', callsTotal: 'unlimited' } as const
    const options = { tools: [tools.weather], observer: trace, limits }
    await ChatClient.create(model, options).prompt('All of them?').call().content()
    trace.close()
    const { page } = await openDesk(browser, { at: '#/trace' })
    await choose(page, join(at, 'long.jsonl'))
    await page.getByText(/^1,000 of 1,04\d rows are shown/).waitFor()
    const weather = bars(page).filter({ hasText: /^weather/ })
    expect(await weather.count()).toBeLessThan(970)
    // The answer that made the call, and then the call.
    await page.getByRole('searchbox').fill('City 990.')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    const about = page.getByRole('region', { name: 'About weather' })
    await about.getByText('City 990.').first().waitFor()
    await about.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => weather.count(), POLL).toBe(rounds * calls)
    await expect.poll(() => page.getByText(/rows are shown/).count(), POLL).toBe(0)
  })

  it('open trace files and cassettes, and say what is none of both', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const at = folder()
    const tools = new PageTools()
    const trace = traceFile(join(at, 'run.jsonl'), { content: true })
    const options = { tools: [tools.weather], observer: trace }
    await ChatClient.create(script(), options).prompt('Traced?').call().content()
    trace.close()
    const tape = cassette(join(at, 'tape.cassette.json'), {
      model: script(),
      tools: [tools.weather],
      mode: 'record',
    })
    await ChatClient.create(tape.model, { tools: tape.tools }).prompt('Taped?').call().content()
    await tape.finish()
    writeFileSync(join(at, 'other.json'), '{ "hello": 1 }')
    expect(readFileSync(join(at, 'run.jsonl'), 'utf8')).toContain('Traced?')
    const { page, stray } = await openDesk(browser, { at: '#/trace' })
    await choose(page, join(at, 'run.jsonl'))
    await page.getByText('run.jsonl').first().waitFor()
    await page.getByRole('button', { name: 'Open another' }).click()
    await choose(page, join(at, 'tape.cassette.json'))
    await page.getByText('tape.cassette.json').first().waitFor()
    await bars(page)
      .filter({ hasText: /^weather/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Open another' }).click()
    await choose(page, join(at, 'other.json'))
    await page
      .getByText(/neither|no trace|not a trace|cassette/)
      .first()
      .waitFor()
    expect(stray.filter((line) => !line.includes('422'))).toEqual([])
  })
})
