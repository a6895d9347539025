import { describe, expect, it } from 'vitest'
import { checkLimit, checkOptions } from './check-options.ts'

describe('checkOptions', () => {
  it('takes known options, or none', () => {
    expect(() => checkOptions('f()', undefined, ['a'])).not.toThrow()
    expect(() => checkOptions('f()', { a: undefined }, ['a'])).not.toThrow()
  })

  it('names the unknown one, the nearest, and all there are', () => {
    expect(() => checkOptions('f()', { limts: 1 }, ['limits', 'tools'])).toThrow(
      'f() has no option "limts". Did you mean "limits"? It takes: limits, tools.',
    )
  })

  it('is not fooled by names every object has', () => {
    expect(() => checkOptions('f()', { toString: 1 }, ['a'])).toThrow(/"toString"/)
    expect(() => checkOptions('f()', JSON.parse('{"__proto__":1}'), ['a'])).toThrow(/"__proto__"/)
  })

  it('refuses what is no object', () => {
    for (const options of [null, [], 'a', 5, () => 1]) {
      expect(() => checkOptions('f()', options, ['a'])).toThrow(/f\(\) takes an object/)
    }
  })
})

describe('checkLimit', () => {
  it('takes numbers from the least on, the word, and nothing', () => {
    for (const value of [undefined, 'unlimited', 1, 1e9]) {
      expect(() => checkLimit('x', value)).not.toThrow()
    }
    expect(() => checkLimit('timeoutMs', 2.5)).not.toThrow()
    expect(() => checkLimit('rounds', 2.5)).toThrow('rounds is 2.5; it takes a whole number')
  })

  it('says what it was given', () => {
    const said = (value: unknown): string => {
      try {
        checkLimit('limits.rounds', value)
        return 'fine'
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(said(0)).toContain('limits.rounds is 0;')
    expect(said(NaN)).toContain('is NaN;')
    expect(said(Infinity)).toContain('is Infinity;')
    expect(said('5')).toContain('is "5";')
    expect(said(5n)).toContain('is 5;')
    expect(said(null)).toContain('is null;')
  })
})
