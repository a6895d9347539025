/** Skipped tests are seen, and fail a run that must not skip. What is excused: the slow suites. */
import { describe, expect, it } from 'vitest'
import { runSkipping, strict } from './skipping-suites.ts'

describe('the skip reporter', () => {
  it('fails a run that must not skip, and says which test and why', () => {
    const { status, output } = runSkipping('skips.test.ts', strict)
    expect(output).toMatch(/Skipped: 1\n {2}- skips\.test\.ts > waits\n {6}no database here/)
    expect(output).toContain('TOOLWRIGHT_MUST_NOT_SKIP is set')
    expect(status).toBe(1)
  })

  it('excuses tests of data that is absent, visibly', () => {
    const { status, output } = runSkipping('data.test.ts', strict)
    expect(output).toMatch(/Skipped: 1[\s\S]*needs the data at \.\.\/shared/)
    expect(status).toBe(0)
  })
})
