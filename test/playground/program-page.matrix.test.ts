/** Programs on the playground's page in a real browser: their code, the calls that they make, and what waits inside. */
import { codeMode } from '@toolwright/code-mode'
import type { Browser } from 'playwright-core'
import { scriptedModel } from 'toolwright/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeViolations } from '../chromium/axe-violations.ts'
import { NO_CHROMIUM, startChromium } from '../chromium/chromium.ts'
import { openDesk } from './page-desk.ts'
import { ask, button, thread, waits } from './page-places.ts'
import { PageTools } from './page-tools.ts'

let browser: Browser
beforeAll(async () => {
  if (!NO_CHROMIUM[0]) browser = await startChromium()
})
afterAll(() => browser?.close())

const CODE = `const { degrees } = await callTool('weather', { city: 'Oslo' })
const paid = await callTool('pay', { amount: degrees })
return { degrees, paid }`

const running = () =>
  scriptedModel([
    { toolCalls: [{ name: 'runProgram', id: 'r', arguments: { code: CODE } }] },
    'The program has paid.',
  ])

describe('a program on the page', () => {
  it('is shown as code with the calls that it makes, and asks inside of itself', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const programs = codeMode({ tools: [tools.weather, tools.pay] })
    const desk = await openDesk(browser, { tools: [programs], model: running(), at: '#/chat' })
    const { page } = desk
    await ask(page, 'Pay as many as there are degrees')
    const inside = thread(page).getByRole('list', { name: 'Calls made by runProgram' })
    await waits(inside, 'pay').waitFor()
    const code = thread(page).getByRole('group', { name: 'Code', exact: true })
    expect(await code.innerText()).toBe(CODE)
    expect(await inside.getByRole('listitem').count()).toBeGreaterThanOrEqual(2)
    await inside.getByText('clear').first().waitFor()
    // It says where in the program it is.
    expect(await waits(inside, 'pay').innerText()).toContain('line 2')
    expect(tools.paid).toEqual([])
    expect(await axeViolations(page)).toEqual([])
    await button(waits(inside, 'pay'), 'Edit').click()
    const field = waits(inside, 'pay').getByRole('textbox')
    await field.fill('{ "amount": -1 }')
    await button(waits(inside, 'pay'), 'Approve with these').click()
    await waits(inside, 'pay')
      .getByText('amount: expected more than 0, received -1')
      .last()
      .waitFor()
    expect(await field.inputValue()).toBe('{ "amount": -1 }')
    await field.fill('{ "amount": 12 }')
    await button(waits(inside, 'pay'), 'Approve with these').click()
    await thread(page).getByText('The program has paid.').waitFor()
    expect(tools.paid).toEqual([12])
    expect(await inside.getByText('paid 12').count()).toBe(1)
  })

  it('waits in the inbox after a restart, and goes on from there', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const programs = codeMode({ tools: [tools.weather, tools.pay] })
    const desk = await openDesk(browser, { tools: [programs], model: running(), at: '#/chat' })
    const { page } = desk
    await ask(page, 'Pay')
    await waits(page, 'pay').waitFor()
    const chat = new URL(page.url()).hash
    await desk.restart()
    await waits(page, 'pay').waitFor()
    await page.goto(`${desk.playground.url}#/inbox`)
    await button(waits(page, 'pay'), 'Approve').click()
    await page.getByText('Nothing waits for you').waitFor()
    await page.goto(desk.playground.url + chat)
    await thread(page).getByText('The program has paid.').waitFor()
    expect(tools.paid).toEqual([21])
  })
})
