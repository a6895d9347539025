import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutOutput } from './cut-output.ts'

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

describe('cutOutput', () => {
  it('leaves what fits as it is, the same object', () => {
    const parts = [{ type: 'text' as const, text: 'short' }]
    expect(cutOutput('short', 5)).toBe('short')
    expect(cutOutput(parts, 100)).toEqual(parts)
  })

  it('never exceeds its bytes, never splits a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        fc.integer({ min: 80, max: 300 }),
        (text, most) => {
          const cut = cutOutput(text.toWellFormed(), most) as string
          expect(bytesOf(cut)).toBeLessThanOrEqual(most)
          expect(cut.includes('\uFFFD')).toBe(
            text.toWellFormed().includes('\uFFFD') && cut.includes('\uFFFD'),
          )
        },
      ),
    )
  })

  it('keeps head and tail', () => {
    expect(cutOutput(`HEAD${'x'.repeat(500)}TAIL`, 100)).toMatch(
      /^HEAD.*of 508 bytes left out.*TAIL$/s,
    )
  })

  it('lets the texts of one result share its bytes, and leaves media alone', () => {
    const image = { type: 'image' as const, mediaType: 'image/png', data: 'A'.repeat(1000) }
    const texts = ['a', 'b', 'c'].map((letter) => ({
      type: 'text' as const,
      text: letter.repeat(80),
    }))
    const cut = cutOutput([texts[0]!, image, texts[1]!, texts[2]!], 150)
    expect(cut).toEqual([
      texts[0],
      image,
      { type: 'text', text: expect.stringContaining('left out') },
    ])
    const text = (cut as readonly { text?: string }[]).map((part) => part.text ?? '').join('')
    expect(bytesOf(text)).toBeLessThanOrEqual(150)
  })
})
