import { describe, expect, it } from 'vitest'
import { estimates, summaryOf } from './token-estimate.ts'

const rows = estimates()

describe.skipIf(rows.length === 0)('the estimate of tokens on recorded answers', () => {
  it('is too high rather than too low, and by a fifth or so', () => {
    const { median, least, most, whole } = summaryOf(rows)
    expect(least).toBeGreaterThan(-0.1)
    expect(median).toBeLessThan(0.25)
    expect(whole).toBeLessThan(0.25)
    expect(most).toBeLessThan(0.5)
  })
})
