import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hashOfKey } from './hashes.ts'
import { fromStoredText, toStoredText } from './stored-text.ts'

/** Any sequence of UTF-16 units, halves of pairs included. */
const anyText = fc
  .array(
    fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0, 0x5c, 0x75, 0xd83d, 0xde00)),
  )
  .map((units) => String.fromCharCode(...units))

it('ordinary text stays as it is', () => {
  for (const text of ['Zoë', '日本語 😀', 'it\'s "quoted" & <b>', 'line\nbreak\ttab', ''])
    expect(toStoredText(text)).toBe(text)
})

it('what databases refuse is written out', () => {
  expect(toStoredText('a\u0000b')).toBe('a\\u0000b')
  expect(toStoredText('a\\u0000b')).toBe('a\\u005cu0000b')
  expect(toStoredText('\ud83d')).toBe('\\ud83d')
  expect(toStoredText('\ude00\ud83d')).toBe('\\ude00\\ud83d')
})

it('any text comes back, and holds nothing that databases refuse', () =>
  fc.assert(
    fc.property(anyText, (text) => {
      const stored = toStoredText(text)
      expect(stored.isWellFormed() && !stored.includes('\0')).toBe(true)
      expect(fromStoredText(stored)).toBe(text)
    }),
    { numRuns: 3_000 },
  ))

it('two keys never have one hash', () => {
  const key = fc.oneof(anyText, fc.record({ tenant: anyText, conversation: anyText }))
  const text = (x: unknown): string => JSON.stringify(x)
  fc.assert(
    fc.property(key, key, (a, b) => {
      expect(hashOfKey(a) === hashOfKey(b)).toBe(text(a) === text(b))
    }),
  )
  expect(hashOfKey('a')).not.toBe(hashOfKey({ tenant: 'a', conversation: '' }))
  expect(hashOfKey('["a","b"]')).not.toBe(hashOfKey({ tenant: 'a', conversation: 'b' }))
})
