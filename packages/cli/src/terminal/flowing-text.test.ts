import { expect, it } from 'vitest'
import { FlowingText } from './flowing-text.ts'

function flowed(pieces: readonly string[], widths: number | readonly number[]): string {
  let written = ''
  let current = 0
  const text = new FlowingText({
    width: () => (typeof widths === 'number' ? widths : widths[current]!),
    write: (more) => (written += more),
  })
  for (const piece of pieces) {
    text.add(piece)
    current++
  }
  current = pieces.length - 1
  text.endLine()
  return written
}

const SENTENCE = 'The quick brown fox jumps over the lazy dog'

it('breaks between words, however the text is cut into pieces', () => {
  const expected = 'The quick\nbrown fox\njumps over\nthe lazy\ndog\n'
  for (const size of [1, 2, 3, 5, 100]) {
    const pieces = SENTENCE.match(new RegExp(`.{1,${size}}`, 'g'))!
    expect(flowed(pieces, 10)).toBe(expected)
  }
})

it('follows a width that changes', () => {
  expect(flowed(['one two three ', 'four five six '], [13, 9])).toBe(
    'one two three\nfour five\nsix\n',
  )
})

it('does not break lines when there is no terminal', () => {
  expect(flowed([SENTENCE, ' ', SENTENCE], Infinity)).toBe(`${SENTENCE} ${SENTENCE}\n`)
})

it('keeps line breaks, empty lines and indents', () => {
  expect(flowed(['one\n\n  two', '\n'], 80)).toBe('one\n\n  two\n')
})

it('puts a word wider than the terminal on several lines', () => {
  expect(flowed(['a supercalifragilistic b'], 8)).toBe('a\nsupercal\nifragili\nstic b\n')
})

it('counts wide characters twice', () => {
  expect(flowed(['漢字 漢字 漢字'], 10)).toBe('漢字 漢字\n漢字\n')
})

it('takes escapes out, also when they come in pieces', () => {
  expect(flowed(['\x1b[31mred', ' \x1b', '[2Jx'], 80)).toBe('red ␛[2Jx\n')
})

it('writes nothing for nothing', () => {
  expect(flowed([''], 80)).toBe('')
  expect(flowed(['   '], 80)).toBe('')
})
