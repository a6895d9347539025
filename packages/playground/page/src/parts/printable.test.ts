import { describe, expect, it } from 'vitest'
import { ago } from './ago.tsx'
import { bytes } from './bytes.ts'
import { duration } from './duration.ts'
import { jsonInText } from './json-in-text.ts'
import { printable } from './printable.ts'

describe('printable', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007text', 'text'],
    ['a\r\nb\tc', 'a\nb\tc'],
    ['a\u0000b\rc\u007f', 'a\u2400b\u240dc\u2421'],
    ['a\u202eb', 'a⟨U+202E⟩b'],
    ['a\u0085b\u200b', 'a⟨U+0085⟩b⟨U+200B⟩'],
    ['ä 漢 👩‍💻', 'ä 漢 👩‍💻'],
  ])('shows %j as %j', (text, shown) => {
    expect(printable(text)).toBe(shown)
  })
})

describe('texts for people', () => {
  it('says durations, sizes and times', () => {
    expect([0.2, 12, 999.6, 1234, 59_960, 123_000].map(duration)).toEqual([
      '< 1 ms',
      '12 ms',
      '1.0 s',
      '1.2 s',
      '1 min 0 s',
      '2 min 3 s',
    ])
    expect([12, 1400, 999_960].map(bytes)).toEqual(['12 B', '1.4 kB', '1.0 MB'])
    expect([0, 90_000, 7_200_000].map((ms) => ago(1000, 1000 + ms))).toEqual([
      'just now',
      '1 min ago',
      '2 h ago',
    ])
  })

  it('knows JSON that reads better as a tree', () => {
    expect(jsonInText(' {"a":1}')).toEqual({ a: 1 })
    expect(jsonInText('12')).toBeUndefined()
    expect(jsonInText('{"a":')).toBeUndefined()
  })
})
