/** Decisions that do not fit, in a real browser: what is wrong stands at its field, and what was typed stays. */
import type { Browser, Locator } from 'playwright-core'
import { scriptedModel } from 'toolwright/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeViolations } from '../chromium/axe-violations.ts'
import { NO_CHROMIUM, startChromium } from '../chromium/chromium.ts'
import { openDesk, POLL } from './page-desk.ts'
import { ask, button, waits } from './page-places.ts'
import { PageTools } from './page-tools.ts'

let browser: Browser
beforeAll(async () => {
  if (!NO_CHROMIUM[0]) browser = await startChromium()
})
afterAll(() => browser?.close())

const amount = (card: Locator): Locator =>
  card.getByRole('spinbutton').or(card.getByLabel(/^amount/))

const payTwice = {
  toolCalls: [
    { name: 'pay', id: 'p', arguments: { amount: 3 } },
    { name: 'pay', id: 'q', arguments: { amount: 400 } },
  ],
}

/** The field is marked, and its message stands where a screen reader finds it. */
async function expectWrong(field: Locator, typed: string): Promise<void> {
  await expect.poll(() => field.getAttribute('aria-invalid'), POLL).toBe('true')
  expect(await field.inputValue()).toBe(typed)
  const said = (await field.getAttribute('aria-describedby'))!.split(' ').at(-1)!
  expect(await field.page().locator(`[id="${said}"]`).innerText()).toMatch(/more than 0/)
  await field.and(field.page().locator(':focus')).waitFor()
}

describe('a decision that does not fit', () => {
  it('comes back in the chat with what was typed, and the others are still made', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const model = scriptedModel([payTwice, 'Both are paid.'])
    const { page, tab } = await openDesk(browser, { tools: tools.all, model, at: '#/chat' })
    await ask(page, 'Pay both')
    const [first, second] = [waits(page, 'pay').nth(0), waits(page, 'pay').nth(1)]
    await second.waitFor()
    await button(second, 'Approve').click()
    await button(first, 'Edit').click()
    await amount(first).fill('-5')
    await button(first, 'Approve with these').click()
    await button(page, 'Send all 2').click()
    await expectWrong(amount(first), '-5')
    expect(await page.getByText('Will be approved').count()).toBe(1)
    expect(await axeViolations(page)).toEqual([])
    // Another tab has typed nothing that could be wrong.
    const other = await tab()
    await other.goto(page.url())
    const theirs = waits(other, 'pay').nth(0)
    await button(theirs, 'Edit').click()
    expect(await amount(theirs).getAttribute('aria-invalid')).not.toBe('true')
    await amount(first).fill('5')
    expect(await amount(first).getAttribute('aria-invalid')).not.toBe('true')
    await button(first, 'Approve with these').click()
    await button(page, 'Send all 2').click()
    await page.getByRole('log').getByText('Both are paid.').waitFor()
    expect(tools.paid).toEqual([5, 400])
  })

  it('that was changed once more begins with what was typed before', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const model = scriptedModel([payTwice, 'Both are paid.'])
    const { page } = await openDesk(browser, { tools: tools.all, model, at: '#/chat' })
    await ask(page, 'Pay both')
    const first = waits(page, 'pay').nth(0)
    await button(first, 'Edit').click()
    await amount(first).fill('7')
    await button(first, 'Approve with these').click()
    await button(page, 'Change').click()
    expect(await amount(first).inputValue()).toBe('7')
  })

  it('is told at the field in the inbox too', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const model = scriptedModel([
      payTwice,
      { toolCalls: [{ name: 'pick', id: 'k', arguments: { of: ['red'] } }] },
      'All of it is done.',
    ])
    const { page } = await openDesk(browser, { tools: tools.all, model, at: '#/chat' })
    await ask(page, 'Pay both')
    await waits(page, 'pay').nth(1).waitFor()
    await page.getByRole('link', { name: /^Inbox/ }).click()
    const first = waits(page, 'pay').nth(0)
    await button(first, 'Edit').click()
    await amount(first).fill('-5')
    await button(first, 'Approve with these').click()
    await expectWrong(amount(first), '-5')
    expect(await waits(page, 'pay').nth(1).getByRole('alert').count()).toBe(0)
    expect(await axeViolations(page)).toEqual([])
    await amount(first).fill('5')
    await button(first, 'Approve with these').click()
    await expect.poll(() => waits(page, 'pay').count(), POLL).toBe(1)
    await button(waits(page, 'pay'), 'Deny').click()
    await button(waits(page, 'pay'), 'Deny').click()
    // A result that a person gives is held to its schema as well.
    const pick = waits(page, 'pick')
    await button(pick, 'JSON').click()
    const json = pick.getByRole('textbox', { name: /JSON/ })
    await json.fill('{ "colour": 5 }')
    await button(pick, 'Supply the result').click()
    await pick
      .getByText(/expected string/)
      .first()
      .waitFor()
    expect(await json.inputValue()).toBe('{ "colour": 5 }')
    await json.fill('{ "colour": "red" }')
    await button(pick, 'Supply the result').click()
    await page.getByText('Nothing waits for you').waitFor()
    expect(tools.paid).toEqual([5])
  })

  it('says in the inbox that another page was faster', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const [pay] = payTwice.toolCalls
    const model = scriptedModel([{ toolCalls: [pay!] }, 'Paid.'])
    const { page, tab } = await openDesk(browser, { tools: tools.all, model, at: '#/chat' })
    await ask(page, 'Pay')
    await waits(page, 'pay').waitFor()
    const other = await tab()
    // Its news come late: it still shows what is decided elsewhere.
    await other.route('**/api/news', (route) => route.abort())
    await other.goto(page.url().replace(/#.*/, '#/inbox'))
    await other.reload()
    await waits(other, 'pay').waitFor()
    await button(waits(page, 'pay'), 'Approve').click()
    await page.getByRole('log').getByText('Paid.').waitFor()
    await button(waits(other, 'pay'), 'Approve').click()
    await expect.poll(() => waits(other, 'pay').count(), POLL).toBe(0)
    expect(await other.getByRole('alert').innerText()).toMatch(/decided already/)
    expect(tools.paid).toEqual([3])
  })
})
