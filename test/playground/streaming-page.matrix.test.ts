/** An answer as it comes, in a real browser: what is there already stays where it is. */
import type { Browser, Locator } from 'playwright-core'
import { scriptedModel } from 'toolwright/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_CHROMIUM, startChromium } from '../chromium/chromium.ts'
import { PacedModel } from './paced-model.ts'
import { openDesk, PHONE, POLL, type Desk, type DeskOptions } from './page-desk.ts'
import { ask, button, thread } from './page-places.ts'
import { PageTools } from './page-tools.ts'

let browser: Browser
beforeAll(async () => {
  if (!NO_CHROMIUM[0]) browser = await startChromium()
})
afterAll(() => browser?.close())

/** All kinds of Markdown, cut where a half of them looks like something else. */
const PIECES = [
  'Begin',
  'ning of it.\n\n',
  '- one\n- tw',
  'o\n\n`',
  '``js\nlet a = 1\n',
  'let b = 2\n```\n\n| a |',
  ' b |\n| --- | -',
  '-- |\n| 1 | 2 |\n\n## A he',
  'ading\n\n**bo',
  'ld** and *slant',
  'ed* words',
  ...Array.from({ length: 12 }, (_, at) => `\n\nParagraph ${at} of the answer.`),
]
const LONG = Array.from({ length: 60 }, (_, at) => `Line ${at} of the first answer.`).join('\n\n')

interface Box {
  readonly top: number
  readonly left: number
  readonly width: number
}
interface Shown {
  getBoundingClientRect(): Box
  closest(selector: string): Shown & { readonly scrollTop: number }
}

/** Where each of them stands in what is scrolled. */
const placesOf = (places: Locator): Promise<readonly (readonly number[])[]> =>
  places.evaluateAll((found) =>
    (found as unknown as readonly Shown[]).map((each) => {
      const { top, left, width } = each.getBoundingClientRect()
      const { scrollTop } = each.closest('.thread-scroll')
      return [top + scrollTop, left, width].map(Math.round)
    }),
  )

interface Scene extends Desk {
  readonly model: PacedModel
  /** The answer that comes. */
  readonly newest: Locator
  /** What was there before it. */
  readonly said: Locator
}

/** A long answer is there, and another was asked for. */
async function answered(screen: DeskOptions['screen']): Promise<Scene> {
  const model = new PacedModel(
    scriptedModel([
      { toolCalls: [{ name: 'weather', id: 'w', arguments: { city: 'Oslo' } }] },
      LONG,
      { text: PIECES.join(''), chunks: PIECES },
    ]),
  )
  const tools = new PageTools().all
  const desk = await openDesk(browser, {
    tools,
    model,
    at: '#/chat/new',
    ...(screen && { screen }),
  })
  const { page } = desk
  await ask(page, 'First')
  await button(page, 'Ask again').waitFor()
  model.hold()
  await ask(page, 'Second')
  await page.getByText('was asked').waitFor()
  const newest = thread(page).getByRole('article', { name: 'Answer' }).last()
  const said = thread(page).locator('.turn').first().locator('.message, p, .call, .turn-foot')
  return { ...desk, model, newest, said }
}

async function eachPiece({ model, newest }: Scene, look: () => Promise<void>): Promise<void> {
  for (const _piece of PIECES) {
    const before = await newest.innerHTML()
    model.say()
    await expect.poll(() => newest.innerHTML(), POLL).not.toBe(before)
    await look()
  }
}

describe.each([
  ['desktop', {}],
  ['phone', { viewport: PHONE }],
])('an answer that comes bit by bit, on a %s', (_where, screen) => {
  it('moves nothing of what was said before, and its end stays in sight', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const scene = await answered(screen)
    const before = await placesOf(scene.said)
    expect(before.length).toBeGreaterThan(60)
    await eachPiece(scene, async () => {
      expect(await placesOf(scene.said)).toEqual(before)
    })
    const isInSight = () =>
      scene.newest.getByText('Paragraph 11 of the answer.').evaluate((found) => {
        const each = found as unknown as Shown & { checkVisibility(): boolean }
        const frame = each.closest('.thread-scroll') as unknown as Shown & {
          readonly clientHeight: number
        }
        const from = frame.getBoundingClientRect().top
        const { top } = each.getBoundingClientRect()
        return top >= from && top < from + frame.clientHeight
      })
    await expect.poll(isInSight, POLL).toBe(true)
  })

  it('leaves a reader alone who has scrolled up', async ({ skip }) => {
    skip(...NO_CHROMIUM)
    const scene = await answered(screen)
    const { page } = scene
    const frame = thread(page)
    await frame.focus()
    await page.keyboard.press('Home')
    await button(page, 'To the newest').waitFor()
    await expect.poll(() => frame.evaluate(scrolled), POLL).toBe(0)
    await page.evaluate(
      `globalThis.shifts = []
       new PerformanceObserver((list) => globalThis.shifts.push(...list.getEntries().map(String)))
         .observe({ type: 'layout-shift' })`,
    )
    await eachPiece(scene, async () => {
      expect(await frame.evaluate(scrolled)).toBe(0)
    })
    expect(await page.evaluate('globalThis.shifts')).toEqual([])
  })
})

const scrolled = (frame: unknown): number => (frame as { readonly scrollTop: number }).scrollTop
