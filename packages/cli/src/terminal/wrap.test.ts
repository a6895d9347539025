import { describe, expect, it } from 'vitest'
import { displayWidth, wrap } from './wrap.ts'

describe('displayWidth', () => {
  it.each([
    ['hello', 5],
    ['漢字', 4],
    ['e\u0301', 1],
    ['👍', 2],
    ['👩‍👩‍👧', 2],
    ['ｆｕｌｌ', 8],
    ['❤️', 2],
    ['', 0],
    ['naïve', 5],
  ])('%j takes %i', (text, width) => {
    expect(displayWidth(text)).toBe(width)
  })
})

describe('wrap', () => {
  it('breaks between words', () => {
    expect(wrap('Set a user alarm for the given time', { width: 20 })).toBe(
      'Set a user alarm for\nthe given time',
    )
  })
  it('breaks words that are longer than a line', () => {
    expect(wrap('a getCurrentDateTime b', { width: 10 })).toBe('a\ngetCurrent\nDateTime b')
  })
  it('keeps line breaks and the indent', () => {
    expect(wrap('one\ntwo three', { width: 14, indent: '  ', hanging: '    ' })).toBe(
      '  one\n    two three',
    )
  })
  it('counts wide characters twice', () => {
    expect(wrap('漢字漢字漢字', { width: 8 })).toBe('漢字漢字\n漢字')
  })
  it('gives up the indent where there is no room', () => {
    expect(wrap('one two', { width: 9, indent: '      ' })).toBe('one two')
  })
  it('leaves lines alone when there is no terminal', () => {
    const long = 'word '.repeat(100).trim()
    expect(wrap(long, { width: Infinity, indent: '  ' })).toBe(`  ${long}`)
  })
  it('never makes a line wider than the terminal', () => {
    const text = 'The quick 茶色の狐 jumps over-the-extraordinarily-lazy dog 👩‍👩‍👧 and naps'
    for (let width = 2; width < 60; width++) {
      for (const line of wrap(text, { width, indent: '  ' }).split('\n'))
        expect(displayWidth(line), `${width}: ${line}`).toBeLessThanOrEqual(width)
    }
  })
  it('loses nothing', () => {
    const text = 'The quick 茶色の狐 jumps over-the-extraordinarily-lazy dog'
    const letters = (some: string) => some.replace(/\s/g, '')
    for (let width = 2; width < 60; width++)
      expect(letters(wrap(text, { width }))).toBe(letters(text))
  })
})
