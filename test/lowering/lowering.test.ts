import { describe, expect, it } from 'vitest'
import { checkLowering, LANGUAGES } from './lowering-properties.ts'
import { KEYWORDS } from './schema-arbitrary.ts'

describe('schemas of every kind, lowered', () => {
  it.each(LANGUAGES)('%s: what is raised fits, and what fits can be said', (language) => {
    const tally = checkLowering(language, 150, 20_260_801)
    expect(tally.raised).toBeGreaterThan(100)
    expect(tally.said).toBeGreaterThan(100)
  })
  it('use every keyword', () => {
    const { keywords } = checkLowering('openai', 150, 7)
    expect(KEYWORDS.filter((keyword) => !keywords.get(keyword))).toEqual([])
  })
})
