/** Where the focus is on the page of the playground when what had it goes away: whoever uses the keyboard alone goes on from there. */
import type { Browser, Page } from 'playwright-core'
import { scriptedModel } from 'toolwright/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_CHROMIUM, startChromium } from '../chromium/chromium.ts'
import { openDesk, POLL } from './page-desk.ts'
import { ask, button, thread, waits } from './page-places.ts'
import { PageTools } from './page-tools.ts'

let browser: Browser
beforeAll(async () => {
  if (!NO_CHROMIUM[0]) browser = await startChromium()
})
afterAll(() => browser?.close())

/** What has the focus, as it is called. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(
    `document.activeElement.getAttribute('aria-label') ?? (document.activeElement === document.body ? 'nothing' : document.activeElement.textContent)`,
  )

const pressOn = async (place: ReturnType<typeof button>): Promise<void> => {
  await place.focus()
  await place.press('Enter')
}

describe('the focus', () => {
  it('is in the field of a conversation that was begun, and of a new one', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const { page } = await openDesk(browser, { model: scriptedModel(['Yes.']), at: '#/chat' })
    await ask(page, 'There?')
    await thread(page).getByText('Yes.').waitFor()
    await expect.poll(() => focused(page), POLL).toBe('Your question')
    for (const from of ['the conversation', 'the new one']) {
      await pressOn(button(page, 'New conversation'))
      await page.getByText('Ask the model something').waitFor()
      await expect.poll(() => focused(page), { ...POLL, message: from }).toBe('Your question')
    }
  })

  it('goes to what comes of a call by hand that was decided', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const { page } = await openDesk(browser, { tools: tools.all, at: '#/tools/pay' })
    await page.getByLabel(/^amount/).fill('5')
    await page.keyboard.press('Enter')
    await pressOn(button(waits(page, 'pay'), 'Approve'))
    await page.getByText('paid 5').waitFor()
    await expect.poll(() => focused(page), POLL).toBe('Result')
  })

  it('goes from one decision in the inbox to the next, and to the way on after the last', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const pay = (amount: number) => ({ name: 'pay', arguments: { amount } })
    const model = scriptedModel([{ toolCalls: [pay(5), pay(6)] }, 'Paid.'])
    const { page } = await openDesk(browser, { model, tools: tools.all, at: '#/chat' })
    await ask(page, 'Pay both')
    await waits(page, 'pay').first().waitFor()
    await page.goto(page.url().replace(/#.*/, '#/inbox'))
    await pressOn(button(waits(page, 'pay').first(), 'Approve'))
    await expect.poll(() => focused(page), POLL).toBe('pay waits for a decision')
    await pressOn(button(waits(page, 'pay'), 'Approve'))
    await page.getByText('Nothing waits for you').waitFor()
    await expect.poll(() => focused(page), POLL).toBe('Go to the chat')
  })
})
