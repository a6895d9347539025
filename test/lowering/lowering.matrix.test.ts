/** The properties of lowering over many schemas, and how often each keyword occurred in them. */
import { describe, expect, it } from 'vitest'
import { checkLowering, LANGUAGES } from './lowering-properties.ts'
import { KEYWORDS } from './schema-arbitrary.ts'

const RUNS = Number(process.env['LOWERING_RUNS'] ?? 2500)
const SEED = Number(process.env['LOWERING_SEED'] ?? 14)

describe('schemas of every kind, lowered', () => {
  it.each(LANGUAGES)('%s: what is raised fits, and what fits can be said', (language) => {
    const { keywords, ...counts } = checkLowering(language, RUNS, SEED)
    const seen = KEYWORDS.map((keyword) => `${keyword} ${keywords.get(keyword) ?? 0}`)
    console.log(`${language}: ${JSON.stringify(counts)}\n${seen.join(', ')}`)
    expect(KEYWORDS.filter((keyword) => !keywords.get(keyword))).toEqual([])
    expect(Math.min(counts.raised, counts.said)).toBeGreaterThan(RUNS / 2)
    // Most of what can be said must not need the excuse of a report.
    expect(counts.said).toBeGreaterThan(counts.reported)
  })
})
