import type { JsonSchema } from 'toolwright'
import { describe, expect, it } from 'vitest'
import { NOTHING, resolveSchema } from './resolve-schema.ts'

describe('resolveSchema', () => {
  it('follows references, and what stands beside one has the say in words', () => {
    const root: JsonSchema = { $defs: { 'a/b': { type: 'string', description: 'inner' } } }
    const node = { $ref: '#/$defs/a~1b', description: 'outer' }
    expect(resolveSchema(node, root)).toEqual({ type: 'string', description: 'outer' })
  })

  it('knows the root and anchors', () => {
    const root: JsonSchema = { title: 'root', $defs: { n: { $anchor: 'name', type: 'string' } } }
    expect(resolveSchema({ $ref: '#' }, root).title).toBe('root')
    expect(resolveSchema({ $ref: '#name' }, root).type).toBe('string')
  })

  it('has no form for references that lead nowhere, in a circle or to other documents', () => {
    const root: JsonSchema = { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }
    for (const $ref of ['#/$defs/a', '#/$defs/none', 'https://example.com/schema']) {
      expect(resolveSchema({ $ref }, root)).toEqual(NOTHING)
    }
  })

  it('merges allOf: properties and required together, the narrower limits', () => {
    const merged = resolveSchema(
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { minimum: 1 } }, required: ['b'] },
          { properties: { b: { minimum: 5 } } },
        ],
      },
      {},
    )
    expect(merged.type).toBe('object')
    expect(merged.required).toEqual(['a', 'b'])
    expect(resolveSchema(merged.properties!['b'], {}).minimum).toBe(5)
  })

  it('says that nothing fits where types exclude each other', () => {
    expect(resolveSchema({ allOf: [{ type: 'string' }, { type: 'number' }] }, {}).not).toEqual({})
    expect(resolveSchema({ allOf: [{ type: 'number' }, { type: 'integer' }] }, {}).type).toBe(
      'integer',
    )
  })
})
