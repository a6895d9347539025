/** The chat of the playground in a real browser: calls, decisions, stops, second tabs, lost connections, long conversations. */
import { openDatabase, sqlMemoryRepository } from '@toolwright/sql'
import type { Browser, Page } from 'playwright-core'
import type { JsonObject, ToolCall } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { NO_CHROMIUM, startChromium } from '../chromium/chromium.ts'
import { openDesk, POLL } from './page-desk.ts'
import { ask, button, thread, waits } from './page-places.ts'
import { PageTools } from './page-tools.ts'

let browser: Browser
beforeAll(async () => {
  if (!NO_CHROMIUM[0]) browser = await startChromium()
})
afterAll(() => browser?.close())

const call = (name: string, id: string, input: JsonObject): ToolCall => ({
  type: 'tool-call',
  name,
  id,
  arguments: JSON.stringify(input),
})
describe('the chat of the playground', () => {
  it('shows calls as cards, takes one approval and one denial at once, and remembers', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const model = scriptedModel([
      {
        parts: [
          { type: 'reasoning', text: 'They want two things.' },
          { type: 'text', text: 'I look it up.' },
          call('weather', 'w', { city: 'Oslo' }),
          call('pay', 'p', { amount: 3 }),
          call('pay', 'q', { amount: 400 }),
        ],
      },
      'It is **clear**, and 3 are paid.',
      'I told you.',
    ])
    const { page, stray } = await openDesk(browser, { tools: tools.all, model, at: '#/chat' })
    await ask(page, 'Weather, and pay')
    await thread(page).getByText('clear').first().waitFor()
    expect(await thread(page).getByText('They want two things.').count()).toBe(1)
    const [first, second] = [waits(page, 'pay').nth(0), waits(page, 'pay').nth(1)]
    await second.waitFor()
    await button(second, 'Deny').click()
    await second.getByLabel(/^Reason/).fill('too much')
    await button(second, 'Deny').click()
    await button(first, 'Approve').click()
    await button(page, 'Send all 2').click()
    await thread(page).getByText('It is clear, and 3 are paid.').waitFor()
    expect(tools.paid).toEqual([3])
    expect(await thread(page).getByText('denied', { exact: true }).count()).toBe(1)
    await ask(page, 'Again?')
    await thread(page).getByText('I told you.').waitFor()
    await page.reload()
    await thread(page).getByText('I told you.').waitFor()
    expect(await thread(page).getByText('denied', { exact: true }).count()).toBe(1)
    expect(await page.getByRole('navigation', { name: 'Views' }).isVisible()).toBe(true)
    expect(stray).toEqual([])
  })

  it('scrolls in itself alone, however much waits in it', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const many = Array.from({ length: 60 }, (_, at) => `Line ${at}`).join('\n\n')
    const parts = [1, 2].map((amount) => call('pay', `p${amount}`, { amount }))
    const model = scriptedModel([many, { parts }])
    const { page } = await openDesk(browser, { tools: tools.all, model, at: '#/chat' })
    await ask(page, 'Tell me a lot')
    await thread(page).getByText('Line 59').waitFor()
    await ask(page, 'Pay twice')
    await button(waits(page, 'pay').first(), 'Approve').click()
    await thread(page).getByText('not sent yet').waitFor()
    expect(
      await page.evaluate<number>('document.documentElement.scrollHeight - innerHeight'),
    ).toBeLessThanOrEqual(0)
  })

  it('stops a turn and gives the question back; the conversation is as before', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const model = scriptedModel([{ parts: [call('slow', 's', {})] }, 'Then this.'])
    const { page } = await openDesk(browser, { tools: tools.all, model, at: '#/chat' })
    await ask(page, 'Take your time')
    await thread(page).getByText('half').waitFor()
    await page.keyboard.press('Escape')
    await thread(page)
      .getByText(/stopped/)
      .first()
      .waitFor()
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Your question' }).inputValue(), POLL)
      .toBe('Take your time')
    await page.keyboard.press('Enter')
    await thread(page).getByText('Then this.').waitFor()
    expect(tools.started).toBe(1)
  })

  it('says what failed and keeps the question; asking again keeps the old answer until there is a new one', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const model = scriptedModel([
      'First answer.',
      { error: new Error('out of order') },
      'Second answer.',
    ])
    const { page } = await openDesk(browser, { model, at: '#/chat' })
    await ask(page, 'Tell me')
    await thread(page).getByText('First answer.').waitFor()
    await button(page, /^(Regenerate|Ask again)/).click()
    await thread(page)
      .getByText(/failed/)
      .first()
      .waitFor()
    await page.reload()
    await thread(page).getByText('First answer.').waitFor()
    await button(page, /^(Regenerate|Ask again)/).click()
    await thread(page).getByText('Second answer.').waitFor()
    expect(await thread(page).getByText('First answer.').count()).toBe(0)
  })

  it('is the same in a second tab, and after a lost connection; what is decided twice runs once', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const model = scriptedModel([{ parts: [call('pay', 'p', { amount: 9 })] }, 'All paid.'])
    const { page, tab, cut } = await openDesk(browser, { tools: tools.all, model, at: '#/chat' })
    await ask(page, 'Pay nine')
    await waits(page, 'pay').waitFor()
    const other = await tab()
    await other.goto(page.url())
    await waits(other, 'pay').waitFor()
    const lost = [page, other].map((each) =>
      each
        .getByText(/onnection (is )?lost/)
        .first()
        .waitFor(),
    )
    cut()
    await Promise.all(lost)
    // At once, whether the other page has decided already or not.
    const approve = (each: Page): Promise<void> =>
      button(waits(each, 'pay'), 'Approve').evaluateAll((buttons) =>
        buttons.forEach((found) => (found as unknown as { click(): void }).click()),
      )
    await Promise.all([page, other].map(approve))
    for (const each of [page, other]) await thread(each).getByText('All paid.').waitFor()
    expect(tools.paid).toEqual([9])
    expect(await thread(page).getByText('All paid.').count()).toBe(1)
  })

  it('has what waits in the inbox, also after a restart, and results are supplied there', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const model = scriptedModel([
      { parts: [call('pick', 'c', { of: ['red', 'blue'] })] },
      'Blue it is.',
    ])
    const desk = await openDesk(browser, { tools: tools.all, model, at: '#/chat' })
    const { page } = desk
    await ask(page, 'Which colour?')
    await waits(page, 'pick').waitFor()
    const chat = page.url()
    await desk.restart()
    await page.getByRole('link', { name: /Inbox.*1/ }).click()
    const card = waits(page, 'pick')
    await card.getByLabel(/^colour/).fill('blue')
    await card.getByRole('button', { name: /^(Supply|Send|Give)/ }).click()
    await page.getByText(/Nothing waits/).waitFor()
    await page.goto(desk.playground.url + new URL(chat).hash)
    await thread(page).getByText('Blue it is.').waitFor()
  })

  it('has the question of a turn that the end of the server cut off, and asks it again', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const model = scriptedModel([{ hang: true }, 'Here it is.'])
    const desk = await openDesk(browser, { model, at: '#/chat' })
    const { page } = desk
    await ask(page, 'A long one')
    await page.getByText('was asked').waitFor()
    await desk.restart()
    await thread(page).getByText('It was cut off').waitFor()
    expect(await thread(page).getByText('A long one').count()).toBe(1)
    await button(page, 'Ask again').click()
    await thread(page).getByText('Here it is.').waitFor()
    expect(await thread(page).getByText('It was cut off').count()).toBe(0)
    expect(await thread(page).getByText('A long one').count()).toBe(1)
  })

  it('stays usable with 10,000 messages: the newest first, earlier ones when they are wanted', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const folderDesk = await openDesk(browser, { model: scriptedModel(['Number 10,001.']) })
    const database = await openDatabase(`file:${folderDesk.folder}/chat.db`)
    onTestFinished(() => database.close())
    const messages = Array.from({ length: 5_000 }, (_, at) => [
      { role: 'user' as const, content: `Question ${at}` },
      { role: 'assistant' as const, content: `Answer ${at}` },
    ]).flat()
    await sqlMemoryRepository(database).append(
      { tenant: 'playground', conversation: 'long' },
      messages,
    )
    const { page } = folderDesk
    await page.goto(folderDesk.playground.url + '#/chat/long')
    await thread(page).getByText('Answer 4999').waitFor()
    expect(await thread(page).getByRole('article').count()).toBeLessThan(400)
    await thread(page).evaluate((log) => log.scrollTo(0, 0))
    await thread(page).getByText('Answer 4940').waitFor({ state: 'attached' })
    await ask(page, 'And now?')
    await thread(page).getByText('Number 10,001.').waitFor()
  })
})
