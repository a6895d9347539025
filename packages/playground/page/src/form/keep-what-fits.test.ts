import type { JsonSchema } from 'toolwright'
import { describe, expect, it } from 'vitest'
import { fitOf, optionOf } from './fit-of.ts'
import { keepWhatFits } from './keep-what-fits.ts'

const card: JsonSchema = {
  type: 'object',
  properties: { kind: { const: 'card' }, owner: { type: 'string' }, number: { type: 'string' } },
  required: ['kind', 'owner', 'number'],
}
const transfer: JsonSchema = {
  type: 'object',
  properties: {
    kind: { const: 'transfer' },
    owner: { type: 'string' },
    number: { type: 'integer' },
  },
  required: ['kind', 'owner', 'number'],
}
const forms = [{ schema: card }, { schema: transfer }]

describe('optionOf', () => {
  it('goes by constants before anything else', () => {
    expect(optionOf({ kind: 'transfer' }, forms, {})).toBe(1)
    expect(optionOf({ kind: 'other' }, forms, {})).toBe(-1)
    expect(optionOf(undefined, forms, {})).toBe(-1)
  })

  it('goes by the names that a form knows', () => {
    const byName = [
      { schema: { type: 'object', properties: { a: {} } } },
      { schema: { type: 'object', properties: { b: {} } } },
    ] as const
    expect(optionOf({ b: 1 }, byName, {})).toBe(1)
  })

  it('goes by type', () => {
    const byType = [
      { schema: { type: 'string' } },
      { schema: { type: 'integer' } },
      { schema: { type: 'array' } },
    ] as const
    expect(optionOf('x', byType, {})).toBe(0)
    expect(optionOf(2, byType, {})).toBe(1)
    expect(optionOf([], byType, {})).toBe(2)
    expect(optionOf(2.5, byType, {})).toBe(-1)
  })

  it('ends in a union that contains itself', () => {
    const root: JsonSchema = { anyOf: [{ $ref: '#' }, { type: 'string' }] }
    expect(fitOf(1, root, root)).toBeLessThan(0)
    expect(fitOf('x', root, root)).toBeGreaterThan(0)
  })
})

describe('keepWhatFits', () => {
  it('keeps what has the same name and fits, and sets the constants', () => {
    const before = { kind: 'card', owner: 'Ada', number: '4242' }
    expect(keepWhatFits(before, transfer, {})).toEqual({ kind: 'transfer', owner: 'Ada' })
  })

  it('begins anew where nothing fits', () => {
    expect(keepWhatFits('text', { type: 'number' }, {})).toBeUndefined()
    expect(keepWhatFits('text', { type: 'string' }, {})).toBe('text')
    expect(keepWhatFits(undefined, card, {})).toEqual({ kind: 'card' })
  })
})
