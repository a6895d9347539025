import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../errors/errors.ts'
import { closeObjects } from './close-objects.ts'
import { compileSchema } from './compile-schema.ts'
import type { JsonSchema } from './json-schema.ts'

const open = { type: 'object', properties: { a: { type: 'string' } } } as const
const closed = { ...open, additionalProperties: false }

const accepts = (schema: JsonSchema, value: unknown): boolean =>
  compileSchema(closeObjects(schema), { coerce: false }).check(value).ok

it('closes at every depth', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      list: { type: 'array', items: open, prefixItems: [open] },
      either: { anyOf: [open, { type: 'null' }], oneOf: [open] },
      map: { type: 'object', additionalProperties: open },
      pattern: { patternProperties: { '^x': open } },
    },
    $defs: { one: open },
  }
  expect(closeObjects(schema)).toEqual({
    type: 'object',
    properties: {
      list: { type: 'array', items: closed, prefixItems: [closed] },
      either: { anyOf: [closed, { type: 'null' }], oneOf: [closed] },
      map: { type: 'object', additionalProperties: closed },
      pattern: { patternProperties: { '^x': closed }, additionalProperties: false },
    },
    $defs: { one: closed },
    additionalProperties: false,
  })
})

it('leaves alone what says so itself, maps, tests, and the schema it was given', () => {
  const schemas: JsonSchema[] = [
    { ...open, additionalProperties: true },
    { ...open, additionalProperties: {} },
    { ...open, unevaluatedProperties: true },
    { type: 'object' },
    { type: 'object', propertyNames: { pattern: '^a' } },
    { not: open, if: open, contains: open },
    { type: 'string' },
  ]
  for (const schema of schemas) {
    const before = JSON.stringify(schema)
    expect(closeObjects(schema)).toEqual(schema)
    expect(JSON.stringify(schema)).toBe(before)
  }
})

it('is content with its own result', () => {
  const schema: JsonSchema = { allOf: [open, { properties: { b: open } }], $defs: { x: open } }
  expect(closeObjects(closeObjects(schema))).toEqual(closeObjects(schema))
})

describe('what is made of several schemas is closed as a whole', () => {
  const parts: JsonSchema = { allOf: [open, { properties: { b: { properties: { c: true } } } }] }

  it('by allOf', () => {
    expect(accepts(parts, { a: 'x', b: { c: 1 } })).toBe(true)
    expect(accepts(parts, { a: 'x', d: 1 })).toBe(false)
    expect(accepts(parts, { a: 'x', b: { d: 1 } })).toBe(false)
  })

  it('by extending a definition, which others use as it is', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        dog: { allOf: [{ $ref: '#/$defs/animal' }], properties: { barks: { type: 'boolean' } } },
        pet: { $ref: '#/$defs/animal', description: 'Any' },
      },
      $defs: { animal: { type: 'object', properties: { name: { type: 'string' } } } },
    }
    expect(accepts(schema, { dog: { name: 'a', barks: true }, pet: { name: 'b' } })).toBe(true)
    expect(accepts(schema, { dog: { name: 'a', meows: true } })).toBe(false)
    expect(accepts(schema, { pet: { name: 'a', barks: true } })).toBe(false)
  })

  it('by a condition or alternatives beside its own properties', () => {
    const schema: JsonSchema = {
      ...open,
      if: { properties: { a: { const: 'x' } } },
      then: { properties: { b: true } },
      anyOf: [{ required: ['a'] }, { properties: { c: true }, required: ['c'] }],
    }
    expect(accepts(schema, { a: 'x', b: 1 })).toBe(true)
    expect(accepts(schema, { c: 1 })).toBe(true)
    expect(accepts(schema, { a: 'x', d: 1 })).toBe(false)
  })

  it('but a constraint on something else is not', () => {
    const schema: JsonSchema = {
      allOf: [{ $ref: '#/$defs/unit' }],
      $defs: { unit: { enum: ['c', 'f'] } },
    }
    expect(closeObjects(schema)).toEqual(schema)
  })
})

it('refuses a schema without end', () => {
  let schema: JsonSchema = {}
  for (let level = 0; level < 10_000; level++) schema = { items: schema }
  expect(() => closeObjects(schema)).toThrow(ConfigurationError)
  const circle: { items?: object } = {}
  circle.items = circle
  expect(() => closeObjects(circle)).toThrow(ConfigurationError)
})
