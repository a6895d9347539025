import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

describe('canonicalJson', () => {
  it('is the same text however the keys are ordered, at every depth', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed)
      if (typeof value !== 'object' || value === null) return value
      const entries = Object.entries(value).toReversed()
      return Object.fromEntries(entries.map(([key, inner]) => [key, reversed(inner)]))
    }
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('tells different values apart', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
        fc.pre(JSON.stringify(plain(a)) !== JSON.stringify(plain(b)))
        if (canonicalJson(a) === canonicalJson(b)) expect(plain(a)).toEqual(plain(b))
      }),
    )
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]))
    expect(canonicalJson('1')).not.toBe(canonicalJson(1))
  })

  it('keeps a key called __proto__ and stands undefined', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"x":1}}'))).toBe(
      '{"__proto__":{"x":1},"b":1}',
    )
    expect(canonicalJson(undefined)).toBe('null')
  })
})
