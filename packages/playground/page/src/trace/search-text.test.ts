import { describe, expect, it } from 'vitest'
import { markedPieces, rowsWith, textsIn } from './search-text.ts'

describe('searching in a trace', () => {
  const rows = [
    {
      id: 'a',
      label: 'Exchange 1',
      shows: {
        type: 'tape-exchange' as const,
        exchange: {
          messages: [{ role: 'user' as const, content: 'How warm is it in Bonn?' }],
          tools: [],
          answer: {},
        },
      },
    },
    {
      id: 'b',
      label: 'weather',
      shows: {
        type: 'tape-call' as const,
        call: { tool: 'weather', input: { n: 7 }, outcome: null },
      },
    },
  ]

  it('finds rows by what was said in them, in any case, and by their names', () => {
    expect(rowsWith('bonn', rows)).toEqual(new Set(['a']))
    expect(rowsWith('WEATHER', rows)).toEqual(new Set(['b']))
    expect(rowsWith('7', rows)).toEqual(new Set(['b']))
    expect(rowsWith('nowhere', rows)).toEqual(new Set())
  })

  it('tells nothing wanted from nothing found', () => {
    expect(rowsWith('  ', rows)).toBeUndefined()
  })

  it('looks into everything but the bytes of media', () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA', name: 'cat' }
    expect(textsIn([{ a: [true, null, image] }])).toEqual(['true', 'image', 'image/png', 'cat'])
  })

  it('cuts a text where the wanted is, and loses nothing of it', () => {
    expect(markedPieces('Bonn, bonn!', 'bonn')).toEqual(['', 'Bonn', ', ', 'bonn', '!'])
    expect(markedPieces('nothing', 'bonn')).toEqual(['nothing'])
    expect(markedPieces('İstanbul', 'i')).toEqual(['İstanbul'])
  })
})
