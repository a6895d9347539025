import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compileSchema } from './compile-schema.ts'
import type { JsonSchema } from './json-schema.ts'
import { lowerSchema, raiseNulls, type SchemaDialect } from './lower-schema.ts'
import { toJsonSchema } from './to-json-schema.ts'

const strict: SchemaDialect = {
  takes: (keyword) => keyword === 'minimum',
  allRequired: true,
  recursion: true,
}
const loose: SchemaDialect = { takes: () => false, allRequired: false, recursion: false }
const lowered = (schema: z.ZodType, dialect = strict): JsonSchema | undefined =>
  lowerSchema(toJsonSchema(schema), dialect)

describe('a lowered schema', () => {
  it('requires every property, and lets an optional one be null', () => {
    expect(lowered(z.object({ a: z.string(), b: z.boolean().optional() }))).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
      },
      required: ['a', 'b'],
      additionalProperties: false,
    })
  })

  it('leaves a property alone that may be null already', () => {
    const schema = z.object({ a: z.string().nullish() })
    expect(lowered(schema)?.properties).toEqual({ a: { type: ['string', 'null'] } })
  })

  it('keeps optional properties where the dialect has them', () => {
    expect(lowered(z.object({ a: z.string().optional() }), loose)).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      additionalProperties: false,
    })
  })

  it('says in the description what it cannot send', () => {
    const schema = z.object({
      name: z.string().min(2).max(9).describe('Who'),
      age: z.number().min(0).max(150),
      mail: z.email(),
      count: z.int(),
    })
    expect(lowered(schema)?.properties).toEqual({
      name: { type: 'string', description: 'Who (minLength: 2, maxLength: 9)' },
      age: { type: 'number', minimum: 0, description: '(maximum: 150)' },
      mail: { type: 'string', description: '(format: email)' },
      count: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER },
    })
  })

  it('closes objects, names the types of constants, and makes oneOf anyOf', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        unit: { enum: ['c', 'f'] },
        shape: { oneOf: [{ const: 1 }, { type: 'object', properties: {} }] },
      },
    }
    expect(lowerSchema(schema, loose)).toEqual({
      type: 'object',
      properties: {
        unit: { type: 'string', enum: ['c', 'f'] },
        shape: {
          anyOf: [
            { type: 'number', const: 1 },
            { type: 'object', properties: {}, additionalProperties: false },
          ],
        },
      },
      additionalProperties: false,
    })
  })

  it('keeps definitions, and recursion where the dialect has it', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        first: { allOf: [{ $ref: '#/$defs/node' }], description: 'The first' },
        second: { $ref: '#/$defs/node' },
      },
      required: ['first'],
      $defs: { node: { type: 'object', properties: { name: { type: 'string' } } } },
    }
    expect(lowerSchema(schema, loose)).toMatchObject({
      properties: { first: { $ref: '#/$defs/node' }, second: { $ref: '#/$defs/node' } },
      $defs: { node: { additionalProperties: false } },
    })
    expect(lowerSchema(schema, strict)?.properties?.['second']).toEqual({
      anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }],
    })
    const tree: JsonSchema = {
      type: 'object',
      properties: { inner: { type: 'array', items: { $ref: '#' } } },
    }
    expect(lowerSchema(tree, strict)).toBeDefined()
    expect(lowerSchema(tree, loose)).toBeUndefined()
  })

  it.each<[string, JsonSchema]>([
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }],
    ['an open object', { type: 'object', properties: {}, additionalProperties: true }],
    ['patterns of names', { type: 'object', properties: {}, patternProperties: { a: {} } }],
    ['any value', { type: 'object', properties: { a: {} } }],
    ['a list of anything', { type: 'object', properties: { a: { type: 'array' } } }],
    ['a tuple', { type: 'object', properties: { a: { type: 'array', prefixItems: [] } } }],
    ['two parts', { type: 'object', properties: { a: { allOf: [{ type: 'string' }, {}] } } }],
    ['constants with depth', { type: 'object', properties: { a: { enum: [[1]] } } }],
    ['other documents', { type: 'object', properties: { a: { $ref: 'https://x.example/y' } } }],
    ['no object at the top', { type: 'array', items: { type: 'string' } }],
    ['an extended reference', { $ref: '#/$defs/a', properties: {}, $defs: { a: {} } }],
  ])('there is none for %s', (_what, schema) => {
    expect(lowerSchema(schema, strict)).toBeUndefined()
    expect(lowerSchema(schema, loose)).toBeUndefined()
  })
})

describe('the way back', () => {
  const schema = toJsonSchema(
    z.object({
      name: z.string(),
      note: z.string().optional(),
      maybe: z.string().nullable(),
      perhaps: z.string().nullish(),
      list: z.array(z.object({ n: z.number().optional() })).optional(),
      shape: z
        .discriminatedUnion('kind', [
          z.object({ kind: z.literal('a'), size: z.number().optional() }),
          z.object({ kind: z.literal('b'), size: z.number() }),
        ])
        .optional(),
    }),
  )

  it('leaves out nulls that stand for optional properties, and only those', () => {
    const said = {
      name: 'x',
      note: null,
      maybe: null,
      perhaps: null,
      list: [{ n: null }, { n: 1 }],
      shape: null,
    }
    expect(raiseNulls(schema, said)).toEqual({
      name: 'x',
      maybe: null,
      perhaps: null,
      list: [{}, { n: 1 }],
    })
  })

  it('what has none comes back itself, wrong or not', () => {
    for (const said of [{ name: null }, { name: 'x', other: null }, { list: [1] }, [null], null, 1])
      expect(raiseNulls(schema, said)).toBe(said)
    const unsure = { shape: { kind: 'a', size: null } }
    expect(raiseNulls(schema, unsure)).toBe(unsure)
  })

  it('follows references, also recursive ones', () => {
    const tree: JsonSchema = {
      type: 'object',
      properties: { name: { type: 'string' }, inner: { $ref: '#' } },
    }
    expect(raiseNulls(tree, { name: null, inner: { name: 'x', inner: null } })).toEqual({
      inner: { name: 'x' },
    })
  })

  it('what fits the lowered schema fits the schema once raised', () => {
    const leaf = fc.constantFrom<JsonSchema>(
      { type: 'string' },
      { type: 'integer' },
      { type: ['boolean', 'null'] },
      { enum: ['a', 'b'] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
    )
    const object = (inner: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> =>
      fc.tuple(inner, inner, fc.subarray(['p', 'q'])).map(([p, q, required]) => ({
        type: 'object',
        properties: { p, q },
        required,
        additionalProperties: false,
      }))
    const nested = object(fc.oneof(leaf, object(leaf)))
    const value = fc.oneof(fc.constant(null), fc.constant('a'), fc.constant(1), fc.boolean())
    const inner = fc.oneof(value, fc.record({ p: value, q: value }))
    let fitting = 0
    fc.assert(
      fc.property(nested, fc.record({ p: inner, q: inner }), (given, said) => {
        const check = (by: JsonSchema, what: unknown): boolean =>
          compileSchema(by, { coerce: false }).check(what).ok
        if (!check(lowerSchema(given, strict)!, said)) return
        fitting++
        expect(check(given, raiseNulls(given, said))).toBe(true)
      }),
      { numRuns: 1000 },
    )
    expect(fitting).toBeGreaterThan(15)
  })
})
