/** What may not happen on the playground's page: foreign markup that acts, foreign pages that ask, pages without the token. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { scriptedModel } from 'toolwright/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { axeViolations } from '../chromium/axe-violations.ts'
import { NO_CHROMIUM, startChromium } from '../chromium/chromium.ts'
import { openDesk, PHONE, POLL } from './page-desk.ts'
import { HOSTILE, PageTools } from './page-tools.ts'

let browser: Browser
beforeAll(async () => {
  if (!NO_CHROMIUM[0]) browser = await startChromium()
})
afterAll(() => browser?.close())

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
      expect(await page.evaluate('window.owned')).toBeUndefined()
      const foreign =
        'iframe, object, embed, base, img[src^="http"], a[href^="javascript"], a[href^="http"], form[action], [onload], [onerror]'
      expect(await page.locator(foreign).count()).toBe(0)
      expect(await page.locator('script').count()).toBe(1)
      expect(await page.getByRole('main').innerText()).not.toMatch(/[\u001b\u202e\u0007]/)
    }
    expect(stray).toEqual([])
  })

  it('is not served without its token, and answers no other page', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const { playground, tab } = await openDesk(browser, { tools: new PageTools().all })
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
        const posted = await fetch(new URL('/api/calls', url!), {
          method: 'POST',
          mode: 'no-cors',
          body: '{}',
        }).then(
          (r) => r.type,
          () => 'refused',
        )
        return [asked, posted]
      },
      [playground.url, token],
    )
    // An opaque answer says nothing; the server's own tests prove that it is a refusal.
    expect(tried[0]).toBe('refused')
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
