/** A network that fails, in a real browser: what was sent is sent again, and nothing runs twice. */
import type { Browser, Page } from 'playwright-core'
import { scriptedModel } from 'toolwright/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_CHROMIUM, startChromium } from '../chromium/chromium.ts'
import { PacedModel } from './paced-model.ts'
import { openDesk, POLL } from './page-desk.ts'
import { ask, button, thread, waits } from './page-places.ts'
import { PageTools } from './page-tools.ts'

let browser: Browser
beforeAll(async () => {
  if (!NO_CHROMIUM[0]) browser = await startChromium()
})
afterAll(() => browser?.close())

/** The first request to such a path arrives, and its answer is lost; the second is lost before it arrives. */
async function loseTwo(page: Page, path: string): Promise<{ readonly bodies: unknown[] }> {
  const bodies: unknown[] = []
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    bodies.push(route.request().postDataJSON())
    if (bodies.length === 1) await route.fetch()
    if (bodies.length <= 2) return route.abort('connectionreset')
    return route.continue()
  })
  return { bodies }
}

/** The same request each time. */
function expectSame(bodies: readonly unknown[]): void {
  expect(bodies).toHaveLength(3)
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
}

describe('where the network fails', () => {
  it('a question is sent again and asked once, and a decision is sent again and done once', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const model = scriptedModel([
      { toolCalls: [{ name: 'pay', id: 'p', arguments: { amount: 9 } }] },
      'Nine are paid.',
    ])
    const { page } = await openDesk(browser, { tools: tools.all, model, at: '#/chat' })
    const turns = await loseTwo(page, '**/turns')
    const decisions = await loseTwo(page, '**/decisions')
    await ask(page, 'Pay nine')
    await waits(page, 'pay').waitFor()
    expectSame(turns.bodies)
    await button(waits(page, 'pay'), 'Approve').click()
    await thread(page).getByText('Nine are paid.').waitFor()
    await expect.poll(() => decisions.bodies.length, POLL).toBe(3)
    expectSame(decisions.bodies)
    expect(tools.paid).toEqual([9])
    expect(model.prompts).toHaveLength(2)
    expect(await thread(page).getByText('Pay nine', { exact: true }).count()).toBe(1)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('a call by hand is made once, and decided once', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const { page } = await openDesk(browser, { tools: tools.all, at: '#/tools/pay' })
    const calls = await loseTwo(page, '**/api/calls')
    const decisions = await loseTwo(page, '**/decisions')
    await page.getByLabel(/^amount/).fill('4')
    await button(page, 'Call').click()
    await waits(page, 'pay').waitFor()
    expectSame(calls.bodies)
    await button(waits(page, 'pay'), 'Approve').click()
    await page.getByText('paid 4').waitFor()
    await expect.poll(() => decisions.bodies.length, POLL).toBe(3)
    expectSame(decisions.bodies)
    expect(tools.paid).toEqual([4])
  })

  it('five tabs wait at once, and each is approved', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const amounts = [1, 2, 3, 4, 5]
    const model = scriptedModel([
      ...amounts.map((amount) => ({
        toolCalls: [{ name: 'pay', id: `p${amount}`, arguments: { amount } }],
      })),
      ...amounts.map(() => 'It is paid.'),
    ])
    const { page, tab } = await openDesk(browser, { tools: tools.all, model, at: '#/chat' })
    const tabs = [page]
    for (const amount of amounts) {
      const asking = tabs[amount - 1] ?? (await tab())
      tabs[amount - 1] = asking
      await asking.getByRole('link', { name: /^Chat/ }).click()
      await ask(asking, `Pay ${amount}`)
      await waits(asking, 'pay').waitFor()
    }
    for (const waiting of tabs) {
      await button(waits(waiting, 'pay'), 'Approve').click()
      await thread(waiting).getByText('It is paid.').waitFor()
    }
    expect(tools.paid).toEqual(amounts)
  })

  it('what a tab left waiting goes on there when another tab decides it', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const model = scriptedModel([
      {
        toolCalls: [
          { name: 'pay', id: 'p1', arguments: { amount: 1 } },
          { name: 'pay', id: 'p2', arguments: { amount: 2 } },
        ],
      },
      'Both are paid.',
    ])
    const { page, tab } = await openDesk(browser, { tools: tools.all, model, at: '#/chat' })
    await ask(page, 'Pay both')
    await waits(page, 'pay').nth(1).waitFor()
    const other = await tab()
    await other.goto(page.url())
    await button(other, 'Approve all 2').click()
    for (const each of [page, other]) {
      await thread(each).getByText('Both are paid.').waitFor()
      await expect.poll(() => waits(each, 'pay').count(), POLL).toBe(0)
      expect(await thread(each).getByText('paid 2', { exact: true }).count()).toBe(1)
    }
    expect(tools.paid.toSorted()).toEqual([1, 2])
  })

  it('an answer goes on where it was lost, with every word once', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const words = Array.from({ length: 12 }, (_, at) => `word${at} `)
    const model = new PacedModel(scriptedModel([{ text: words.join(''), chunks: words }]))
    const { page, cut } = await openDesk(browser, { model, at: '#/chat' })
    model.hold()
    await ask(page, 'Twelve words')
    for (const [at, word] of words.entries()) {
      // In the middle of the answer, twice.
      if (at % 5 === 4) {
        const lost = page.getByText(/The connection is lost/).waitFor()
        cut()
        await lost
      }
      model.say()
      await thread(page).getByText(word.trim()).waitFor()
    }
    model.say()
    await button(page, 'Ask again').waitFor()
    const answer = thread(page).getByRole('article', { name: 'Answer' })
    expect((await answer.locator('p').first().innerText()).trim()).toBe(words.join('').trim())
    await expect.poll(() => page.getByText(/The connection is lost/).count(), POLL).toBe(0)
  })
})
