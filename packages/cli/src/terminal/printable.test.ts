import { describe, expect, it } from 'vitest'
import { excerpt, printable } from './printable.ts'

describe('printable', () => {
  it.each([
    ['plain text\nin two lines', 'plain text\nin two lines', 'leaves text and line breaks'],
    ['\x1b[31mred\x1b[0m', 'red', 'takes colours out'],
    ['a\x1b[2Jb\x1b[1;1Hc', 'abc', 'takes cursor movements out'],
    ['\x1b]0;title\x07', '␛]0;title␇', 'shows what would rename the window'],
    ['\x1b\x1b[31m[2J', '␛[2J', 'is not tricked by sequences inside sequences'],
    ['a\x9b2Jb', 'ab', 'knows the one-character form'],
    ['one\r\ntwo\rthree', 'one\ntwo␍three', 'shows what would overwrite a line'],
    ['a\tb\x00\x7f', 'a    b␀␡', 'shows tabs, nulls and deletes'],
    ['safe\u202egnp.exe', 'safe\ufffdgnp.exe', 'does not let text run backwards'],
    ['\ud83d', '\ufffd', 'makes lone surrogates well-formed'],
    ['naïve 漢字 👩‍👩‍👧', 'naïve 漢字 👩‍👩‍👧', 'leaves other languages and emoji'],
  ])('%j', (text, expected) => {
    expect(printable(text)).toBe(expected)
  })
})

describe('excerpt', () => {
  const most = { characters: 10, lines: 3 }

  it('shows all of a short text', () => {
    expect(excerpt('a\nb\nc', most)).toEqual({ shown: 'a\nb\nc', hidden: 0 })
  })
  it('cuts after so many characters and says how many are left', () => {
    expect(excerpt('x'.repeat(25), most)).toEqual({ shown: 'x'.repeat(10), hidden: 15 })
  })
  it('cuts after so many lines', () => {
    expect(excerpt('a\nb\nc\nd\ne', most)).toEqual({ shown: 'a\nb\nc\n', hidden: 3 })
  })
  it('does not cut a character in two', () => {
    expect(excerpt(`${'x'.repeat(9)}👍`, most)).toEqual({ shown: 'x'.repeat(9), hidden: 2 })
  })
  it('makes what it shows printable', () => {
    expect(excerpt('\x1b[31mred', most).shown).toBe('red')
  })
})
