import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wholeCharacters } from './whole-characters.ts'

const escaped = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`

it('half a character becomes U+FFFD, a whole one stays as it was written', () => {
  expect(wholeCharacters('"\\ud83d"')).toBe('"\ufffd"')
  expect(wholeCharacters('"\\uDE00x\\uD83Dx"')).toBe('"\ufffdx\ufffdx"')
  expect(wholeCharacters('"\\ud83d\\ud83d\\ude00"')).toBe('"\ufffd\\ud83d\\ude00"')
  expect(wholeCharacters('"\\uD83D\\uDE00 \\u0041"')).toBe('"\\uD83D\\uDE00 \\u0041"')
})

it('source text that spells an escape is no escape', () => {
  for (const source of ['"\\\\ud83d"', '"\\\\\\\\ud83d \\\\u"', '"\\n\\\\ud83d\\""'])
    expect(wholeCharacters(source)).toBe(source)
  expect(wholeCharacters('"\\\\\\ud83d"')).toBe('"\\\\\ufffd"')
})

it('any text, written with or without escapes, is well-formed afterwards', () => {
  const units = fc
    .array(fc.constantFrom(0x5c, 0x22, 0x75, 0x64, 0x38, 0xd83d, 0xde00, 0xdfff, 0xd800))
    .map((codes) => String.fromCharCode(...codes))
  fc.assert(
    fc.property(units, (text) => {
      for (const json of [escaped(text), JSON.stringify(text)])
        expect(JSON.parse(wholeCharacters(json))).toBe(text.toWellFormed())
    }),
  )
})
