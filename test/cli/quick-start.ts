/** `npm start` as a newcomer has it, and what it must have said. */
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

const path = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))
/** As `npm start` does. */
export const START = [
  '--import',
  path('node_modules/tsx/dist/loader.mjs'),
  path('scripts/start.ts'),
]
const TEN_MINUTES = 600_000
const ONE_DAY = 86_400_000

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Both questions answered, without tools and with them, and the alarm ten minutes from the start. */
export function expectQuickStart(shown: string, started: number): void {
  expect(shown).toMatch(/^A rule-based demo model answers here, not a language model/)
  expect(shown).toContain('I do not have access to any tools')
  const [, tomorrow] = /Tomorrow is \w+day, ([\d-]+)/.exec(shown) ?? []
  // It may have become midnight since.
  expect([started, Date.now()].map((now) => dayOf(now + ONE_DAY))).toContain(tomorrow)
  const [, time] = /Alarm set for (\S+Z)/.exec(shown) ?? []
  expect(Date.parse(time!)).toBeGreaterThanOrEqual(started + TEN_MINUTES)
  expect(Date.parse(time!)).toBeLessThanOrEqual(Date.now() + TEN_MINUTES)
}
