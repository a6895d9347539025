import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { argumentsOnWire, wellFormedJson } from './well-formed-json.ts'

const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }))
  .map((units) => String.fromCharCode(...units))

describe('wellFormedJson', () => {
  it('replaces halves of surrogate pairs, in values and in keys', () => {
    expect(wellFormedJson({ '\ud800': ['a\udfff', '😀'] })).toBe('{"\ufffd":["a\ufffd","😀"]}')
  })

  it('leaves text alone that only looks like an escape', () => {
    for (const text of ['\\ud800', '\\\\ud800', '\\\ud800x', '"\\', '\u0001\\ud800']) {
      expect(JSON.parse(wellFormedJson({ text }))).toEqual({
        text: text.replace(/\p{Surrogate}/gu, '\ufffd'),
      })
    }
  })

  it('gives any text back well-formed, and a well-formed one unchanged', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const back = JSON.parse(wellFormedJson([text])) as [string]
        expect(back[0]).toBe(text.replace(/\p{Surrogate}/gu, '\ufffd'))
      }),
    )
  })
})

describe('argumentsOnWire', () => {
  const sent = (text: string): string =>
    argumentsOnWire({ type: 'tool-call', id: 'a', name: 'x', arguments: text })

  it.each(['', '{', 'null', '[1]', '"{}"', '1', '{"a":1}x'])('sends {} for %j', (text) => {
    expect(sent(text)).toBe('{}')
  })

  it.each(['{}', '{ "a" : 1 }', '{"a":"\\ud83d\\ude00"}', '{"a":"😀\\u0041"}', '{"a":1,"a":2}'])(
    'leaves %j alone',
    (text) => {
      expect(sent(text)).toBe(text)
    },
  )

  it.each(['{"a":"\\ud83d"}', '{"a":"\ud83d"}', '{"\\udc00":1}'])('mends %j', (text) => {
    const mended = sent(text)
    expect(mended).toContain('\ufffd')
    expect(isWellFormed(mended)).toBe(true)
    expect(JSON.stringify(JSON.parse(mended))).not.toContain('\\ud')
  })
})
