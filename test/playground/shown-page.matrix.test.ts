/** Everything that the page of the playground shows, in a real browser: by its roles and names, and for everybody. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { traceFile } from 'toolwright/trace'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { axeViolations } from '../chromium/axe-violations.ts'
import { NO_CHROMIUM, startChromium } from '../chromium/chromium.ts'
import { openDesk, PHONE, POLL } from './page-desk.ts'
import { ask, button, thread, waits } from './page-places.ts'
import { PageTools } from './page-tools.ts'

let browser: Browser
beforeAll(async () => {
  if (!NO_CHROMIUM[0]) browser = await startChromium()
})
afterAll(() => browser?.close())

/** One black pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const booking = tool({
  name: 'book',
  title: 'Book a room',
  description: 'Books a room for some nights',
  input: z.object({
    nights: z.int().min(1).max(9).default(2).describe('How many nights'),
    room: z.enum(['small', 'large']).describe('Which one'),
  }),
  output: z.object({ number: z.int().describe('Of the room') }),
  inputExamples: [{ nights: 3, room: 'large' }],
  hints: { idempotent: true, openWorld: true },
  execute: () => ({ number: 12 }),
})
const paint = tool({
  name: 'paint',
  description: 'Paints a picture',
  input: z.object({}),
  execute: () => 'ok',
  resultConverter: () => [
    { type: 'image', mediaType: 'image/png', data: PNG, name: 'A black dot' },
  ],
})
const nested = tool({
  name: 'nested',
  description: 'Gives a deep value',
  input: z.object({}),
  execute: () => ({ outer: { middle: { inner: 'found it' } }, many: Array(30).fill(1) }),
})
const sure = tool({
  name: 'sure',
  description: 'Asks whether it is so',
  input: z.object({}),
  execute: (_input, context) => `The answer is ${String(context.suspend('Are you sure?'))}`,
})
const tools = [booking, paint, nested, sure, ...new PageTools().all]

const result = (page: Page): Locator => page.getByRole('region', { name: 'Result' })
const call = async (page: Page): Promise<void> => {
  await button(page, 'Call').click()
  await result(page).getByText('done', { exact: true }).waitFor()
}
const openTab = (page: Page, name: string): Promise<void> =>
  page.getByRole('tab', { name, exact: true }).click()

describe('the playground shows', () => {
  it('of a tool what it costs, its hints, what was found, its parameters, its output and its schema', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const lint = async () => [
      { tool: 'book', rule: 'vague-name', message: 'Its name is vague.', fix: 'Call it bookRoom.' },
      { rule: 'too-many', message: 'These are many.', fix: 'Search for them.' },
    ]
    const { page, stray } = await openDesk(browser, { tools, lint, at: '#/tools/book' })
    await page.getByText(/^11 tools, about [\d,]+ tokens$/).waitFor()
    await page.getByText('1 finding about several tools').click()
    await page.getByText('These are many.').waitFor()
    const detail = page.getByRole('region', { name: 'Tool', exact: true })
    await detail.getByText(/^about \d+ tokens$/).waitFor()
    for (const mark of ['idempotent', 'open world', '1 finding'])
      await detail.getByText(mark, { exact: true }).waitFor()
    const start = page.getByRole('combobox', { name: 'Start from' })
    await start.selectOption('0')
    await expect.poll(() => page.getByLabel(/^nights/).inputValue(), POLL).toBe('3')
    await openTab(page, 'Parameters')
    const row = page.getByRole('row', { name: /^nights/ })
    expect(await row.innerText()).toMatch(/How many nights[^]*Default: 2/)
    expect(await page.getByRole('row', { name: /^room/ }).innerText()).toMatch(/small[^]*large/)
    await openTab(page, 'Output')
    await page.getByRole('row', { name: /^number.*Of the room/ }).waitFor()
    await openTab(page, 'Findings (1)')
    await page.getByRole('tabpanel').getByText('Call it bookRoom.').waitFor()
    await openTab(page, 'JSON')
    const schema = await page.getByRole('region', { name: 'Input schema' }).innerText()
    expect(JSON.parse(schema)).toMatchObject({ properties: { nights: { maximum: 9 } } })
    expect(stray).toEqual([])
  })

  it('pictures in results, and values as a tree that opens and closes', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const { page } = await openDesk(browser, { tools, at: '#/tools/paint' })
    await call(page)
    const picture = result(page).getByRole('img', { name: 'A black dot' })
    await expect
      .poll(() => picture.evaluate((image) => (image as any).naturalWidth as number), POLL)
      .toBe(1)
    await page.evaluate("void (location.hash = '#/tools/nested')")
    await call(page)
    const tree = result(page).getByRole('group', { name: 'JSON' })
    expect(await tree.getByText('"found it"').count()).toBe(0)
    await tree.getByText('middle: ').click()
    await tree.getByText('"found it"').waitFor()
    await tree.getByText('middle: ').click()
    await tree.getByText('"found it"').waitFor({ state: 'detached' })
    await button(result(page), 'As text').click()
    await result(page).getByText('{"outer":{"middle":{"inner":"found it"}}').waitFor()
  })

  it('questions of tools in the chat, which are answered there', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const model = scriptedModel([{ toolCalls: [{ name: 'sure' }] }, 'So it is.'])
    const { page } = await openDesk(browser, { tools, model, at: '#/chat' })
    await ask(page, 'Is it so?')
    const card = waits(page, 'sure')
    await card.getByText('Are you sure?').waitFor()
    await card.getByRole('textbox').first().fill('yes')
    await button(card, 'Answer').click()
    await thread(page).getByText('So it is.').waitFor()
    expect(await thread(page).getByText('The answer is yes').count()).toBe(1)
  })

  it('which model is asked, also after a reload', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const models = ['one', 'two'].map((id) => ({
      ...{ id, label: `Model ${id}`, model: scriptedModel([`I am ${id}.`, `Still ${id}.`]) },
    }))
    const { page } = await openDesk(browser, { models, at: '#/chat' })
    const model = page.getByRole('combobox', { name: 'Model' })
    await model.selectOption({ label: 'Model two' })
    await ask(page, 'Who?')
    await thread(page).getByText('I am two.').waitFor()
    await page.reload()
    await expect.poll(() => model.inputValue(), POLL).toBe('two')
    await ask(page, 'And now?')
    await thread(page).getByText('Still two.').waitFor()
  })

  it('the files of an export, asks before it deletes, and keeps the colours that were chosen', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const { page } = await openDesk(browser, {
      model: scriptedModel(['Kept.']),
      at: '#/chat',
      exportConversation: async () => ({
        files: [
          { name: 'kept.cassette.json', text: '{}' },
          { name: 'kept.test.ts', text: '// test' },
        ],
        notes: ['Save both files.'],
      }),
    })
    await ask(page, 'Keep this')
    await thread(page).getByText('Kept.').waitFor()
    await button(page, 'Export').click()
    const files = page.getByRole('dialog', { name: 'Export as a test' })
    await files.getByText('Save both files.').waitFor()
    const saved = page.waitForEvent('download')
    await button(files, 'Save kept.test.ts').click()
    expect((await saved).suggestedFilename()).toBe('kept.test.ts')
    expect(await axeViolations(page)).toEqual([])
    await button(files, 'Close').click()
    await button(page, 'Delete Keep this').click()
    const sure = page.getByRole('dialog', { name: 'Delete this conversation?' })
    await button(sure, 'Keep it').click()
    await thread(page).getByText('Kept.').waitFor()
    await button(page, 'Delete Keep this').click()
    await button(sure, 'Delete').click()
    await page.getByText('No conversations yet').waitFor()
    const theme = (): Promise<unknown> => page.evaluate('document.documentElement.dataset.theme')
    await button(page, 'Colours: as the system').click()
    await button(page, 'Colours: light').click()
    await button(page, 'Colours: dark').waitFor()
    expect(await theme()).toBe('dark')
    await page.reload()
    await button(page, 'Colours: dark').waitFor()
    expect(await theme()).toBe('dark')
  })

  const LOOKS = [
    ['desktop, light', { colorScheme: 'light' as const }],
    ['phone, dark', { colorScheme: 'dark' as const, viewport: PHONE }],
  ] as const
  it.for(LOOKS)('it for everybody: %s', async ([, screen], { skip }) => {
    skip(...NO_CHROMIUM)
    const at = mkdtempSync(join(tmpdir(), 'toolwright-shown-page-'))
    onTestFinished(() => rmSync(at, { recursive: true, force: true }))
    const script = () =>
      scriptedModel([
        {
          parts: [
            { type: 'reasoning', text: 'Thinking.' },
            { type: 'tool-call', name: 'nested', id: 'n', arguments: '{}' },
            { type: 'tool-call', name: 'paint', id: 'p', arguments: '{}' },
            { type: 'tool-call', name: 'book', id: 'b', arguments: '{"room":"none"}' },
          ],
        },
        '| a | b |\n| --- | --- |\n| 1 | 2 |\n\nAll **done**.',
      ])
    const trace = traceFile(join(at, 'run.jsonl'), { content: true })
    await ChatClient.create(script(), { tools, observer: trace }).prompt('Go').call().content()
    trace.close()
    const { page } = await openDesk(browser, { tools, model: script(), screen, at: '#/chat/new' })
    const look = async (what: string): Promise<void> => {
      await expect.poll(() => page.locator('main .spinner').count(), POLL).toBe(0)
      expect({ what, found: await axeViolations(page) }).toEqual({ what, found: [] })
    }
    await ask(page, 'Go')
    await button(page, 'Ask again').waitFor()
    await look('a finished turn with results')
    await page.reload()
    await button(page, 'Ask again').waitFor()
    await look('the same, loaded again')
    await page.keyboard.press('Tab')
    await button(page, 'Keys').click()
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await look('a dialog')
    await page.keyboard.press('Escape')
    await page.evaluate("void (location.hash = '#/tools/nested')")
    await call(page)
    await look('a result')
    await page.evaluate("void (location.hash = '#/tools/plan')")
    const form = page.getByRole('form', { name: 'Call plan' })
    await button(form, 'Add an item to parcels').click()
    await look('a form')
    await button(form, 'JSON').click()
    await look('arguments as JSON')
    for (const tab of ['Parameters', 'JSON']) {
      await openTab(page, tab)
      await look(tab)
    }
    await page.evaluate("void (location.hash = '#/trace')")
    await page.locator('input[type=file]').setInputFiles(join(at, 'run.jsonl'))
    const bars = page.getByRole('list', { name: 'Run 1' }).getByRole('button')
    await bars.first().waitFor()
    await look('a trace of a file')
    await bars.filter({ hasText: /^nested/ }).click()
    await page.getByRole('region', { name: 'About nested' }).waitFor()
    await look('a call of it')
  })
})
