import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { augmentSchema } from './augment-schema.ts'
import { compileSchema } from './compile-schema.ts'
import type { JsonSchema } from './json-schema.ts'

const thought = z.object({
  innerThought: z.string().describe('Why'),
  confidence: z.enum(['low', 'high']).optional(),
})
const fits = (schema: JsonSchema, value: unknown): boolean =>
  compileSchema(schema, { coerce: false }).check(value).ok

describe('augmentSchema', () => {
  it('adds the properties after the schema’s own; required and optional stay what they are', () => {
    const city = z.object({ city: z.string(), unit: z.string().optional() })
    expect(augmentSchema(city, thought)).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string' },
        unit: { type: 'string' },
        innerThought: { type: 'string', description: 'Why' },
        confidence: { type: 'string', enum: ['low', 'high'] },
      },
      required: ['city', 'innerThought'],
      additionalProperties: false,
    })
    expect(Object.keys(augmentSchema(city, thought).properties!)).toEqual([
      'city', 'unit', 'innerThought', 'confidence',
    ]) // prettier-ignore
  })

  it('makes properties and required where there are none', () => {
    const schema = augmentSchema({ type: 'object' }, thought)
    expect(schema.required).toEqual(['innerThought'])
    expect(fits(schema, { innerThought: 'x', anything: 1 })).toBe(true)
    const none = { type: 'object', properties: { a: { type: 'number' } } } as const
    expect(augmentSchema({ type: 'object', properties: {} }, none)).not.toHaveProperty('required')
  })

  it('an input that is no object stays under value', () => {
    const schema = augmentSchema(z.number(), thought)
    expect(fits(schema, { value: 1, innerThought: 'x' })).toBe(true)
    expect(fits(schema, { value: 'a', innerThought: 'x' })).toBe(false)
  })

  it('definitions of one name stay two', () => {
    const withPart = (type: 'string' | 'number', name: string): JsonSchema => ({
      type: 'object',
      properties: { [name]: { $ref: '#/$defs/a~1b' }, [`${name}s`]: { $ref: '#/$defs/list' } },
      required: [name],
      $defs: { 'a/b': { type }, list: { type: 'array', items: { $ref: '#/$defs/a~1b' } } },
    })
    const schema = augmentSchema(withPart('string', 'own'), withPart('number', 'extra'))
    expect(fits(schema, { own: 'a', owns: ['b'], extra: 1, extras: [2] })).toBe(true)
    expect(fits(schema, { own: 'a', extra: 'b' })).toBe(false)
    expect(fits(schema, { own: 'a', extra: 1, extras: ['b'] })).toBe(false)
    expect(fits(schema, { own: 1, extra: 1 })).toBe(false)
  })

  it('a schema that refers to itself means itself without what was added, on both sides', () => {
    const tree = z.object({
      name: z.string(),
      get children() {
        return z.array(tree).optional()
      },
    })
    const doubt = z.object({
      doubt: z.string(),
      get deeper() {
        return doubt.optional()
      },
    })
    const schema = augmentSchema(tree, doubt)
    const value = {
      name: 'a',
      children: [{ name: 'b', children: [{ name: 'c' }] }],
      doubt: 'x',
      deeper: { doubt: 'y' },
    }
    expect(fits(schema, value)).toBe(true)
    expect(fits(schema, { ...value, children: [{ name: 'b', doubt: 'z' }] })).toBe(false)
    expect(fits(schema, { ...value, deeper: { doubt: 'y', name: 'a' } })).toBe(false)
  })

  it('closed alternatives do not refuse what is added, and unknown arguments still are errors', () => {
    const either: JsonSchema = {
      type: 'object',
      anyOf: [
        { properties: { city: { type: 'string' } }, required: ['city'] },
        { properties: { zip: { type: 'number' } }, required: ['zip'] },
      ],
    }
    const schema = augmentSchema(either, thought)
    expect(fits(schema, { city: 'Oslo', innerThought: 'x' })).toBe(true)
    expect(fits(schema, { zip: 150, innerThought: 'x' })).toBe(true)
    expect(fits(schema, { innerThought: 'x' })).toBe(false)
    expect(fits(schema, { city: 'Oslo', innerThought: 'x', other: 1 })).toBe(false)
  })

  it('a name that is taken is an error', () => {
    expect(() => augmentSchema(z.object({ innerThought: z.number() }), thought)).toThrow(
      expect.objectContaining({ code: 'argument-taken' }),
    )
  })

  for (const [name, extra] of Object.entries({
    'no object': z.string(),
    'an empty object': z.object({}),
    'an object of any keys': z.record(z.string(), z.string()),
    'a union': z.union([thought, z.object({ other: z.string() })]),
  })) {
    it(`${name} adds nothing: an error`, () => {
      expect(() => augmentSchema(z.object({}), extra)).toThrow(/at least one property/)
    })
  }
})
