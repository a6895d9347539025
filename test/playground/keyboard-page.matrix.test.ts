/** The playground with the keyboard alone, in a real browser: nothing here clicks, and nothing sets the focus. */
import type { Browser, Locator, Page } from 'playwright-core'
import { scriptedModel } from 'toolwright/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_CHROMIUM, startChromium } from '../chromium/chromium.ts'
import { openDesk, PHONE, POLL } from './page-desk.ts'
import { thread, waits } from './page-places.ts'
import { PageTools } from './page-tools.ts'

let browser: Browser
beforeAll(async () => {
  if (!NO_CHROMIUM[0]) browser = await startChromium()
})
afterAll(() => browser?.close())

/** More stops than any view here has. */
const MOST_STOPS = 80

const isFocused = (place: Locator): Promise<boolean> =>
  place.evaluateAll((found) =>
    found.some((each) => each === (globalThis as { document?: any }).document.activeElement),
  )

const focused = (place: Locator): Promise<void> =>
  expect.poll(() => isFocused(place), POLL).toBe(true)

/** Tab, until the focus is there. */
async function tabTo(page: Page, place: Locator): Promise<void> {
  await place.first().waitFor()
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await isFocused(place)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`No Tab comes to ${String(place)}.`)
}

async function press(page: Page, place: Locator): Promise<void> {
  await tabTo(page, place)
  await page.keyboard.press('Enter')
}

async function write(page: Page, place: Locator, text: string): Promise<void> {
  await tabTo(page, place)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
}

const button = (place: Page | Locator, name: string): Locator =>
  place.getByRole('button', { name, exact: true })
const view = (page: Page, name: RegExp): Locator =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name })
const pay = (amount: number) => ({ name: 'pay', arguments: { amount } })

describe.each([
  ['desktop', {}],
  ['phone', { viewport: PHONE }],
])('with the keyboard alone, on a %s,', (_where, screen) => {
  it('a tool is found, called, decided with other arguments, and called again', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const { page } = await openDesk(browser, { tools: tools.all, screen })
    await tabTo(page, page.getByRole('searchbox', { name: 'Search the tools' }))
    await page.keyboard.type('amount')
    await page.keyboard.press('ArrowDown')
    await focused(page.getByRole('link', { name: /^pay/ }))
    await page.keyboard.press('Enter')
    const form = page.getByRole('form', { name: 'Call pay' })
    await write(page, form.getByLabel(/^amount/), '7')
    await page.keyboard.press('Control+Enter')
    const card = waits(page, 'pay')
    await press(page, button(card, 'Edit'))
    await write(page, card.getByLabel(/^amount/), '5')
    await press(page, button(card, 'Approve with these'))
    await page.getByRole('region', { name: 'Result' }).getByText('paid 5').waitFor()
    expect(tools.paid).toEqual([5])
    const earlier = page.getByRole('region', { name: 'Earlier calls' }).getByRole('button')
    await press(page, earlier)
    await expect.poll(() => form.getByLabel(/^amount/).inputValue(), POLL).toBe('7')
    await press(page, page.getByRole('tab', { name: 'Call' }))
    await page.keyboard.press('ArrowRight')
    await focused(page.getByRole('tab', { name: 'Parameters' }))
    await page.getByRole('rowheader', { name: 'amount' }).waitFor()
  })

  it('a question is asked, three calls are approved, edited and denied, and a turn is stopped', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const model = scriptedModel([
      { toolCalls: [pay(1), pay(2), pay(3)] },
      'Two are paid.',
      { toolCalls: [{ name: 'slow' }] },
    ])
    const { page } = await openDesk(browser, { tools: tools.all, model, screen })
    await press(page, view(page, /Chat/))
    await press(page, button(page, 'New conversation'))
    const question = page.getByRole('textbox', { name: 'Your question' })
    await write(page, question, 'Pay three')
    await page.keyboard.press('Enter')
    await waits(page, 'pay').nth(2).waitFor()
    await press(page, button(waits(page, 'pay').first(), 'Approve'))
    await thread(page).getByText('not sent yet').waitFor()
    await press(page, button(waits(page, 'pay').first(), 'Edit'))
    const open = waits(page, 'pay').first()
    await write(page, open.getByLabel(/^amount/), '20')
    await press(page, button(open, 'Approve with these'))
    await press(page, button(waits(page, 'pay').first(), 'Deny'))
    await focused(page.getByLabel(/^Reason/))
    await page.keyboard.type('too much')
    await page.keyboard.press('Enter')
    await press(page, button(page, 'Send all 3'))
    await thread(page).getByText('Two are paid.').waitFor()
    expect(tools.paid.toSorted((a, b) => a - b)).toEqual([1, 20])
    const stops: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/stop')) stops.push(request.url())
    })
    await write(page, question, 'Take your time')
    await page.keyboard.press('Enter')
    await thread(page).getByText('half').waitFor()
    const asked = { key: 'Escape', isComposing: true, bubbles: true, cancelable: true }
    await question.dispatchEvent('keydown', asked)
    // What was sent is told before an answer to anything that is sent later.
    await page.evaluate(() => fetch('/page.css'))
    expect(stops).toEqual([])
    await page.keyboard.press('Escape')
    await button(page, 'Try again').waitFor()
    expect(stops).toHaveLength(1)
    await expect.poll(() => question.inputValue(), POLL).toBe('Take your time')
  })

  it('what waits in the inbox is gone through and decided', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const model = scriptedModel([{ toolCalls: [pay(1)] }, { toolCalls: [pay(2)] }, 'Paid.'])
    const { page } = await openDesk(browser, { tools: tools.all, model, screen })
    const question = page.getByRole('textbox', { name: 'Your question' })
    for (const text of ['One', 'Two']) {
      await press(page, view(page, /Chat/))
      await press(page, button(page, 'New conversation'))
      // The conversation before has such a field, too.
      await waits(page, 'pay').waitFor({ state: 'detached' })
      await write(page, question, text)
      await page.keyboard.press('Enter')
      await waits(page, 'pay').waitFor()
    }
    await press(page, view(page, /Inbox.*2/))
    const title = (text: string) => page.getByRole('main').getByRole('link', { name: text })
    await tabTo(page, title('One'))
    await page.keyboard.press('j')
    await focused(title('Two'))
    await page.keyboard.press('k')
    await focused(title('One'))
    await press(page, button(page.getByRole('region', { name: 'One' }), 'Approve'))
    await page.getByRole('region', { name: 'One' }).waitFor({ state: 'detached' })
    expect(tools.paid).toEqual([1])
    await press(page, button(waits(page, 'pay'), 'Deny'))
    await focused(waits(page, 'pay').getByLabel(/^Reason/))
    await page.keyboard.press('Enter')
    await page.getByText('Nothing waits for you').waitFor()
    expect(tools.paid).toEqual([1])
  })

  it('the rows of a trace are gone through, opened and closed, and the keys are listed', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const model = scriptedModel([
      { toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }] },
      'Clear.',
    ])
    const { page } = await openDesk(browser, {
      ...{ tools: new PageTools().all, model, screen, at: '#/chat/new' },
    })
    await write(page, page.getByRole('textbox', { name: 'Your question' }), 'How is it?')
    await page.keyboard.press('Enter')
    await button(page, 'Ask again').waitFor()
    await press(page, view(page, /Trace/))
    await press(page, page.getByRole('main').getByRole('link', { name: 'How is it?' }))
    const bar = (name: RegExp) =>
      page.getByRole('list', { name: 'Run 1' }).getByRole('button', { name })
    await tabTo(page, bar(/^Round 1/))
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowDown')
    await focused(bar(/^weather/))
    await page.keyboard.press('k')
    await page.keyboard.press('Home')
    await focused(bar(/^Round 1/))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'About weather' }).getByText('Oslo').first().waitFor()
    await page.keyboard.press('Escape')
    await focused(bar(/^weather/))
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await focused(bar(/^weather/))
    await page.keyboard.press('/')
    await focused(page.getByRole('searchbox'))
  })
})
