/** What may not happen on the playground's page: foreign markup that acts, foreign pages that ask, pages without the token. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { tool, type Json } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { axeViolations } from '../chromium/axe-violations.ts'
import { NO_CHROMIUM, startChromium } from '../chromium/chromium.ts'
import { openDesk, PHONE, POLL } from './page-desk.ts'
import { HOSTILE, PageTools } from './page-tools.ts'

const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" onload="window.owned=1"/>',
).toString('base64')

let browser: Browser
beforeAll(async () => {
  if (!NO_CHROMIUM[0]) browser = await startChromium()
})
afterAll(() => browser?.close())

const FOREIGN =
  'iframe, object, embed, base, img[src^="http"], a[href^="javascript"], a[href^="http"], form[action], [onload], [onerror]'

/** Nothing of what was said acts. */
async function expectHarmless(page: Page): Promise<void> {
  expect(await page.evaluate('window.owned')).toBeUndefined()
  expect(await page.locator(FOREIGN).count()).toBe(0)
  expect(await page.locator('script').count()).toBe(1)
  expect(await page.getByRole('main').innerText()).not.toMatch(/[\u001b\u202e\u0007]/)
}

const described = { title: HOSTILE, description: HOSTILE }
const FORM = {
  type: 'object',
  properties: {
    [HOSTILE]: { type: 'string', ...described, default: HOSTILE },
    few: { enum: [HOSTILE, 'other'], ...described },
    many: { enum: [HOSTILE, 'a', 'b', 'c', 'd'], ...described },
    named: {
      oneOf: [
        { const: 1, title: HOSTILE },
        { const: 2, title: 'Two' },
      ],
    },
    either: { oneOf: [{ type: 'object', ...described, properties: {} }, { type: 'string' }] },
  },
} as const
const input = { type: 'object' } as const

/** Each says it in another place. */
const hostileTools = {
  fails: tool({
    ...{ name: 'fails', description: 'Fails', input },
    execute: (): string => {
      throw new Error(HOSTILE)
    },
  }),
  tells: tool({
    ...{ name: 'tells', description: 'Tells how far it is', input },
    execute: async (_input, context) => {
      context.progress(HOSTILE)
      await new Promise<void>((resolve) =>
        context.signal.addEventListener('abort', () => resolve(), { once: true }),
      )
      return ''
    },
  }),
  paints: tool({
    ...{ name: 'paints', description: 'Gives files', input, execute: () => '' },
    resultConverter: () => [
      { type: 'image', mediaType: 'image/svg+xml', data: SVG, name: HOSTILE },
      { type: 'file', mediaType: HOSTILE, data: SVG, name: HOSTILE },
      { type: 'image', mediaType: 'image/png', url: 'http://127.0.0.1:9/pixel.png', name: HOSTILE },
    ],
  }),
  asks: tool({
    ...{ name: 'asks', description: 'Asks first', approval: true, execute: () => '' },
    input: FORM,
    preview: () => HOSTILE,
  }),
  questions: tool({
    ...{ name: 'questions', description: 'Has a question', input },
    execute: (_input, context) =>
      String(
        context.suspend({
          mode: 'form',
          message: HOSTILE,
          requestedSchema: FORM as unknown as Json,
        }),
      ),
  }),
  described: tool({
    ...{ name: 'described', title: HOSTILE, description: HOSTILE, input: FORM, output: FORM },
    inputExamples: [{ few: HOSTILE }],
    execute: () => ({}),
  }),
}

describe('the page of the playground', () => {
  it('shows whatever tools and models say as text', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const model = scriptedModel([
      {
        parts: [
          { type: 'reasoning', text: HOSTILE },
          { type: 'text', text: HOSTILE },
          { type: 'tool-call', name: 'hostile', id: 'h', arguments: '{}' },
        ],
      },
      HOSTILE,
    ])
    const { page, stray } = await openDesk(browser, { tools: tools.all, model, at: '#/chat' })
    await page.getByRole('textbox', { name: 'Your question' }).fill(HOSTILE)
    await page.keyboard.press('Enter')
    await page.getByText('The turn is over').waitFor({ state: 'attached' })
    for (const at of [
      new URL(page.url()).hash,
      '#/tools/hostile',
      new URL(page.url()).hash.replace('chat', 'trace'),
    ]) {
      await page.goto(page.url().replace(/#.*/, at))
      await page
        .getByRole('main')
        .getByText(/window\.owned|hostile/)
        .first()
        .waitFor()
      await expectHarmless(page)
    }
    const bars = page.getByRole('list', { name: 'Run 1' }).getByRole('button')
    expect(await bars.count()).toBeGreaterThan(3)
    for (let at = 0; at < (await bars.count()); at++) {
      await bars.nth(at).click()
      await page.getByRole('region', { name: /^About/ }).waitFor()
      await expectHarmless(page)
      await page.keyboard.press('Escape')
    }
    expect(stray).toEqual([])
  })

  it('shows whatever a tool says of itself, while it runs and when it waits, as text', async ({
    skip,
  }) => {
    skip(...NO_CHROMIUM)
    const { page, stray } = await openDesk(browser, {
      tools: Object.values(hostileTools),
      at: '#/tools',
      model: scriptedModel([
        { toolCalls: [{ name: 'asks' }, { name: 'questions' }, { name: 'fails' }] },
        HOSTILE,
      ]),
      lint: async () => [
        { tool: 'described', rule: HOSTILE, message: HOSTILE, fix: HOSTILE },
        { rule: HOSTILE, message: HOSTILE, fix: HOSTILE },
      ],
    })
    const open = async (name: string): Promise<void> => {
      await page.goto(page.url().replace(/#.*/, `#/tools/${name}`))
      await page.getByRole('form', { name: `Call ${name}` }).waitFor()
      await expectHarmless(page)
    }
    const said = page.getByRole('region', { name: 'Result' }).getByText(/window\.owned/)
    for (const name of ['fails', 'tells', 'paints', 'asks', 'questions']) {
      await open(name)
      await page.getByRole('button', { name: 'Call', exact: true }).click()
      await said.first().waitFor()
      await expectHarmless(page)
      for (const stop of await page.getByRole('button', { name: 'Stop' }).all()) await stop.click()
    }
    await open('described')
    for (const tab of ['Parameters', 'Output', 'Findings (1)', 'JSON']) {
      await page.getByRole('tab', { name: tab, exact: true }).click()
      await page
        .getByRole('tabpanel')
        .getByText(/window\.owned/)
        .first()
        .waitFor()
      await expectHarmless(page)
    }
    await page.goto(page.url().replace(/#.*/, '#/chat/new'))
    await page.getByRole('textbox', { name: 'Your question' }).fill(HOSTILE)
    await page.keyboard.press('Enter')
    const waits = page.getByRole('group', { name: /waits for a decision/ })
    await waits.nth(1).waitFor()
    await expectHarmless(page)
    await waits.first().getByRole('button', { name: 'Deny' }).click()
    await waits
      .first()
      .getByLabel(/^Reason/)
      .fill(HOSTILE.replaceAll('\n', ' '))
    await page.keyboard.press('Enter')
    await page.getByText('not sent yet').waitFor()
    await expectHarmless(page)
    await page.goto(page.url().replace(/#.*/, '#/inbox'))
    await waits.nth(1).waitFor()
    await expectHarmless(page)
    expect(stray).toEqual([])
  })

  it('is not served without its token, and answers no other page', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const tools = new PageTools()
    const { playground, tab } = await openDesk(browser, { tools: tools.all })
    const bare = await tab()
    const answer = await bare.goto(new URL('/', playground.url).href)
    expect(answer!.status()).toBe(401)
    await bare
      .getByText(/address/)
      .first()
      .waitFor()
    const foreign = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<title>elsewhere</title>')
    }).listen(0, '127.0.0.1')
    await once(foreign, 'listening')
    onTestFinished(() => void foreign.close())
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    await page.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`)
    const token = new URL(playground.url).searchParams.get('token')
    const tried = await page.evaluate(
      async ([url, secret]) => {
        const headers = { 'x-toolwright-token': secret!, 'content-type': 'application/json' }
        const asked = await fetch(new URL('/api/tools', url!), { headers }).then(
          (r) => r.status,
          () => 'refused',
        )
        // Browsers send this one without asking first.
        const posted = await fetch(new URL(`/api/calls?token=${secret}`, url!), {
          method: 'POST',
          mode: 'no-cors',
          headers: { 'content-type': 'text/plain' },
          body: JSON.stringify({ requestId: 'foreign', tool: 'slow', input: {} }),
        }).then(
          (r) => r.type,
          () => 'refused',
        )
        return [asked, posted]
      },
      [playground.url, token],
    )
    expect(tried).toEqual(['refused', 'refused'])
    // Whether it was done all the same, the playground itself says.
    const headers = { 'x-toolwright-token': token! }
    const calls = await fetch(new URL('/api/calls', playground.url), { headers })
    expect(await calls.json()).toEqual({ calls: [] })
    expect(tools.started).toBe(0)
  })

  const LOOKS = [
    ['desktop, light', { colorScheme: 'light' as const }],
    ['desktop, dark', { colorScheme: 'dark' as const }],
    ['phone, light', { colorScheme: 'light' as const, viewport: PHONE }],
    ['phone, dark', { colorScheme: 'dark' as const, viewport: PHONE }],
  ] as const
  it.for(LOOKS)('can be read by everybody: %s', async ([, screen], { skip }) => {
    skip(...NO_CHROMIUM)
    const model = scriptedModel([
      {
        parts: [
          { type: 'reasoning', text: 'Thinking.' },
          { type: 'text', text: 'Look:\n\n- one\n- `two`\n\n```js\nconst a = 1\n```' },
          { type: 'tool-call', name: 'weather', id: 'w', arguments: '{"city":"Oslo"}' },
          { type: 'tool-call', name: 'pay', id: 'p', arguments: '{"amount":3}' },
        ],
      },
    ])
    const { page } = await openDesk(browser, {
      tools: new PageTools().all,
      model,
      screen,
      at: '#/chat/new',
    })
    await page.getByRole('textbox', { name: 'Your question' }).fill('Weather, and pay')
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: 'pay waits for a decision' }).waitFor()
    const chat = new URL(page.url()).hash
    for (const at of [
      chat,
      '#/chat',
      '#/tools',
      '#/tools/plan',
      chat.replace('chat', 'trace'),
      '#/trace',
      '#/inbox',
    ]) {
      await page.goto(page.url().replace(/#.*/, at))
      await page.getByRole('main').waitFor()
      await expect.poll(() => page.locator('main .spinner').count(), POLL).toBe(0)
      expect({ at, found: await axeViolations(page) }).toEqual({ at, found: [] })
      const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      expect({ at, wide }).toEqual({ at, wide: false })
    }
  })
})
