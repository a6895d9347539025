import type { JsonSchema } from 'toolwright'
import { describe, expect, it } from 'vitest'
import { initialItem, initialValue } from './initial-value.ts'

describe('initialValue', () => {
  it('fills in what must be there and is known, and leaves the rest absent', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        kind: { const: 'order' },
        size: { type: 'integer', default: 3 },
        name: { type: 'string' },
        address: { type: 'object', properties: { zip: { type: 'string' } } },
        lines: { type: 'array' },
        later: { type: 'string', default: 'x' },
      },
      required: ['kind', 'size', 'name', 'address', 'lines'],
    }
    expect(initialValue(schema, schema)).toEqual({ kind: 'order', size: 3, address: {}, lines: [] })
  })

  it('ends in a schema that contains itself', () => {
    const root: JsonSchema = {
      type: 'object',
      properties: { next: { $ref: '#' } },
      required: ['next'],
    }
    expect(JSON.stringify(initialValue(root, root)).length).toBeLessThan(100)
    const union: JsonSchema = { anyOf: [{ $ref: '#' }, { type: 'string' }] }
    expect(initialItem(union, union)).toBeNull()
  })

  it('has something for each item of a list', () => {
    expect(initialItem({ type: 'string' }, {})).toBe('')
    expect(initialItem({ type: 'number' }, {})).toBeNull()
    expect(initialItem({ enum: ['a', 'b'] }, {})).toBe('a')
    expect(initialItem({ type: 'object', properties: {} }, {})).toEqual({})
  })
})
