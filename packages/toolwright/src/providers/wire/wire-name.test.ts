import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolNameRule } from './chat-dialect.ts'
import { toWireName } from './wire-name.ts'

const RULES: Record<string, ToolNameRule> = {
  'letters, digits, _ and -': { pattern: /^[\w-]+$/, maxLength: 64 },
  'more room': { pattern: /^[\w-]+$/, maxLength: 128 },
  'no digit first, dots and colons': { pattern: /^[a-zA-Z_][\w.:-]*$/, maxLength: 64 },
}

/** Names near the edge: marks, escapes, digits, what the rules differ in, and what none takes. */
const piece = fc.constantFrom(
  ...['a', 'x', 'h', '2e', '_', '__', '_x', '_x2e_', '__xh', '.', '5f', '-', '1', ' ', 'é', '🎉'],
)
const name = fc.oneof(
  fc.string({ unit: piece, maxLength: 12 }),
  fc.string({ unit: piece, minLength: 30, maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

describe.each(Object.entries(RULES))('wire names of %s', (_words, rule) => {
  const allowed = (wireName: string): boolean =>
    rule.pattern.test(wireName) && wireName.length <= rule.maxLength
  const wire = (own: string): string => toWireName(rule, own)

  it('are allowed, and differ wherever names differ', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 2, maxLength: 40 }), (names) => {
        const wireNames = names.map(wire)
        expect(wireNames.every(allowed)).toBe(true)
        expect(new Set(wireNames).size).toBe(names.length)
      }),
      { numRuns: 500 },
    )
  })

  it('leave an allowed name alone, unless it is what another name becomes', () => {
    fc.assert(
      fc.property(name, (own) => {
        const wireName = wire(own)
        if (wireName !== own) expect(wire(wireName)).not.toBe(wireName)
        if (allowed(own) && !own.includes('_x')) expect(wireName).toBe(own)
      }),
      { numRuns: 2000 },
    )
  })
})

it('reads like the name it stands for', () => {
  const rule = RULES['letters, digits, _ and -']!
  expect(toWireName(rule, 'files.read')).toBe('files_x2e_read')
  expect(toWireName(rule, 'get weather')).toBe('get_x20_weather')
  expect(toWireName(rule, 'files_x2e_read')).toBe('files_x5f_x2e_read')
  // No other name becomes these.
  for (const name of ['matrix_x_vector', 'a_x41_b', 'x_xyz_'])
    expect(toWireName(rule, name)).toBe(name)
  expect(toWireName(rule, '')).toMatch(/^__xh[0-9a-z]{22}_$/)
  expect(toWireName(rule, 'tool-'.repeat(20))).toMatch(/^(?:tool-){7}to__xh[0-9a-z]{22}_$/)
})
