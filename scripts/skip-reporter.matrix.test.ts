/** Which skipped tests are excused, and what the reporter leaves alone. */
import { describe, expect, it } from 'vitest'
import { project, runSkipping, strict } from './skipping-suites.ts'

describe('the skip reporter', () => {
  it('lists a skipped test with its reason and lets the run pass', () => {
    const { status, output } = runSkipping('skips.test.ts')
    expect(output).toMatch(/Skipped: 1\n {2}- skips\.test\.ts > waits\n {6}no database here/)
    expect(status).toBe(0)
  })

  it('excuses them when another file finds the data for them', () => {
    const { status, output } = runSkipping('indirect.test.ts', strict)
    expect(output).toContain('Skipped: 1')
    expect(status).toBe(0)
  })

  it('does not excuse them when the data is there', () => {
    expect(runSkipping('data.test.ts', { ...strict, TOOLWRIGHT_DATA: project }).status).toBe(1)
  })

  it('says nothing where nothing was skipped, and hides no failure', () => {
    const passing = runSkipping('plain.test.ts', strict)
    expect(passing.output).not.toContain('Skipped:')
    expect(passing.status).toBe(0)
    expect(runSkipping('fails.test.ts').status).toBe(1)
  })
})
