import fc from 'fast-check'
import { expect, it } from 'vitest'
import { GrowingText } from './growing-text.ts'

it('is the pieces, one after another, whenever it is read', () => {
  const piece = fc.oneof(fc.string(), fc.string({ minLength: 3000, maxLength: 5000 }))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = new GrowingText()
      let expected = ''
      for (const each of pieces) {
        text.add(each)
        expected += each
        expect(text.toString()).toBe(expected)
        expect(text.isEmpty).toBe(expected === '')
      }
    }),
  )
})
