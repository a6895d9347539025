/** Tools on the playground's page, in a real browser: found, filled in, called, asked about, stopped, loaded again. */
import type { Browser, Locator, Page } from 'playwright-core'
import { tool } from 'toolwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_CHROMIUM, startChromium } from '../chromium/chromium.ts'
import { openDesk, POLL } from './page-desk.ts'
import { PageTools } from './page-tools.ts'

let browser: Browser
beforeAll(async () => {
  if (!NO_CHROMIUM[0]) browser = await startChromium()
})
afterAll(() => browser?.close())

const button = (page: Page | Locator, name: string): Locator =>
  page.getByRole('button', { name, exact: true })
const result = (page: Page): Locator => page.getByRole('region', { name: 'Result' })

describe('the tools of the playground', () => {
  it('are found by words and opened with the keyboard alone', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const { page } = await openDesk(browser, { tools: new PageTools().all })
    await page.getByText('7 tools').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('weather city')
    await page.getByText('1 of 7 tools').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('form', { name: 'Call weather' }).waitFor()
    expect(new URL(page.url()).hash).toBe('#/tools/weather')
    await page.getByRole('textbox', { name: /^city/ }).focus()
    await page.keyboard.type('Oslo')
    await page.keyboard.press('Control+Enter')
    await result(page).getByText('done', { exact: true }).waitFor()
    expect(await result(page).innerText()).toContain('Oslo')
  })

  it('are asked for where there are none, by a way that there is', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const { page } = await openDesk(browser)
    await page.getByText('Export tools from the file').waitFor()
    const { page: bare } = await openDesk(browser, { sources: [] })
    await bare.getByText('toolwright playground tools.ts').waitFor()
    expect(await bare.getByText('Export tools from the file').count()).toBe(0)
  })

  it('have forms for nested objects, lists, unions, choices, dates and null, with messages at the field', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const { page } = await openDesk(browser, { tools: new PageTools().all, at: '#/tools/plan' })
    const form = page.getByRole('form', { name: 'Call plan' })
    await form.getByLabel(/^day/).fill('2026-12-24')
    await form.getByRole('textbox', { name: /^city/ }).fill('Graz')
    await form.getByRole('combobox', { name: /^country/ }).selectOption({ label: 'AT' })
    await form.getByRole('checkbox', { name: 'note is null' }).check()
    await button(form, 'Add an item to parcels').click()
    await form
      .getByRole('spinbutton', { name: /^weight/ })
      .or(form.getByLabel(/^weight/))
      .first()
      .fill('99')
    await form.getByRole('radio', { name: /locker/ }).check()
    await form.getByLabel(/^code/).fill('1234')
    await button(form, 'Call').click()
    const wrong = form.locator('[aria-invalid="true"]')
    await wrong.first().waitFor()
    expect(await wrong.count()).toBe(1)
    const described = (await wrong.getAttribute('aria-describedby'))!.split(' ')
    const words = await Promise.all(described.map((id) => page.locator(`[id="${id}"]`).innerText()))
    expect(words.join(' ')).toContain('30')
    await expect.poll(() => wrong.evaluate((field) => field.matches(':focus')), POLL).toBe(true)
    await wrong.fill('2.5')
    await button(form, 'Call').click()
    await result(page).getByText('done', { exact: true }).waitFor()
    await button(form, 'JSON').click()
    const raw = form.getByRole('textbox', { name: 'Arguments as JSON' })
    expect(JSON.parse(await raw.inputValue())).toEqual({
      day: '2026-12-24',
      address: { city: 'Graz', country: 'AT', note: null },
      parcels: [{ weight: 2.5 }],
      handover: { kind: 'locker', code: 1234 },
    })
  })

  it('ask first where they are destructive, and take changed arguments', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const { page } = await openDesk(browser, { tools: tools.all, at: '#/tools/pay' })
    await page.getByLabel(/^amount/).fill('7')
    await button(page, 'Call').click()
    const card = page.getByRole('group', { name: 'pay waits for a decision' })
    await card.getByText('Pays 7 €').waitFor()
    expect(tools.paid).toEqual([])
    await button(card, 'Edit').click()
    await card.getByLabel(/^amount/).fill('5')
    await card.getByRole('button', { name: /^Approve/ }).click()
    await result(page).getByText('done', { exact: true }).waitFor()
    expect(tools.paid).toEqual([5])
    await page.getByRole('region', { name: 'Earlier calls' }).getByRole('button').first().click()
    const amount = page.getByRole('form', { name: 'Call pay' }).getByLabel(/^amount/)
    await expect.poll(() => amount.inputValue(), POLL).toBe('7')
  })

  it('tell how far they are, and can be stopped', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const { page } = await openDesk(browser, { tools: new PageTools().all, at: '#/tools/slow' })
    await button(page, 'Call').click()
    await result(page).getByText('half').waitFor()
    await button(page, 'Stop').click()
    await result(page).getByText('stopped', { exact: true }).waitFor()
  })

  it('go on over a reload: what runs can be stopped, what waits decided', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const { page, tab } = await openDesk(browser, { tools: tools.all, at: '#/tools/slow' })
    await button(page, 'Call').click()
    await result(page).getByText('half').waitFor()
    const other = await tab()
    await other.evaluate("void (location.hash = '#/tools/pay')")
    await other.getByLabel(/^amount/).fill('7')
    await button(other, 'Call').click()
    const card = page.getByRole('group', { name: 'pay waits for a decision' })
    await other.getByRole('group', { name: 'pay waits for a decision' }).waitFor()
    await page.reload()
    await result(page).getByText('half').waitFor()
    await button(page, 'Stop').click()
    await result(page).getByText('stopped', { exact: true }).waitFor()
    await page.evaluate("void (location.hash = '#/tools/pay')")
    await card.getByRole('button', { name: /^Approve/ }).click()
    await result(page).getByText('done', { exact: true }).waitFor()
    expect(tools.paid).toEqual([7])
  })

  it('that have ended are there after a reload, with what came of them and their arguments', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const { page } = await openDesk(browser, { tools: new PageTools().all, at: '#/tools/weather' })
    const city = page.getByRole('textbox', { name: /^city/ })
    for (const name of ['Oslo', 'Bergen']) {
      await city.fill(name)
      await button(page, 'Call').click()
      await result(page).getByText(name).waitFor()
    }
    await page.reload()
    await result(page).getByText('Bergen').waitFor()
    const earlier = page.getByRole('region', { name: 'Earlier calls' }).getByRole('button')
    expect(await earlier.count()).toBe(2)
    await earlier.filter({ hasText: 'Oslo' }).click()
    await result(page).getByText('Oslo').waitFor()
    await expect.poll(() => city.inputValue(), POLL).toBe('Oslo')
    await button(page, 'Call').waitFor()
  })

  it('may wait, more of them than a browser opens connections: each is still decided and stopped', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const names = Array.from({ length: 8 }, (_none, at) => `ask_${at}`)
    const tools = names.map((name) =>
      tool({ name, description: 'Asks', approval: true, execute: () => `${name} ran` }),
    )
    const { page } = await openDesk(browser, { tools })
    const open = async (name: string): Promise<void> => {
      await page.evaluate(`void (location.hash = '#/tools/${name}')`)
      await page.getByRole('form', { name: `Call ${name}` }).waitFor()
    }
    for (const name of names) {
      await open(name)
      await button(page, 'Call').click()
      await page.getByRole('group', { name: `${name} waits for a decision` }).waitFor()
    }
    await open(names[0]!)
    await button(page, 'Stop').click()
    await result(page).getByText('stopped', { exact: true }).waitFor()
    await open(names[1]!)
    await button(page, 'Approve').click()
    await result(page).getByText('ask_1 ran').waitFor()
  })

  it('may return ten megabytes: the page shows the beginning and says so', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const { page } = await openDesk(browser, { tools: new PageTools().all, at: '#/tools/large' })
    await button(page, 'Call').click()
    await result(page).getByText('done', { exact: true }).waitFor()
    expect(await result(page).innerText()).toMatch(/10(\.0)? MB|9\.5 Mi?B|10,000,00\d/)
  })

  it('are loaded again when their file changes; while it is broken they stay, and what was typed stays', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const { page, change } = await openDesk(browser, { tools: tools.all, at: '#/tools/weather' })
    const city = page.getByRole('textbox', { name: /^city/ })
    await city.fill('Bergen')
    change('tools.ts has a syntax error in line 3')
    await page.getByRole('alert').getByText('syntax error in line 3').waitFor()
    expect(await city.inputValue()).toBe('Bergen')
    const fresh = tool({ name: 'fresh', description: 'New here', execute: () => 'new' })
    change([tools.weather, fresh])
    await page.getByRole('link', { name: /fresh/ }).waitFor()
    await expect.poll(() => page.getByRole('alert').count(), POLL).toBe(0)
    expect(await city.inputValue()).toBe('Bergen')
  })

  it('say what to do first where there are none', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const { page } = await openDesk(browser)
    await page.getByText('There are no tools yet').waitFor()
    await page.getByText(/Export tools from the file/).waitFor()
  })
})
