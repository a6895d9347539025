import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ConfigurationError } from '../errors/errors.ts'
import { toJsonSchema } from './to-json-schema.ts'

const city = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
  additionalProperties: false,
}

describe('gives the same closed JSON Schema for', () => {
  it('arktype, wrapped valibot and plain JSON Schema', () => {
    const { additionalProperties: _, ...open } = city
    const schemas = [
      type({ city: 'string', 'days?': 'number.integer' }),
      toStandardJsonSchema(
        v.object({ city: v.string(), days: v.optional(v.pipe(v.number(), v.integer())) }),
      ),
      { $schema: 'https://json-schema.org/draft/2020-12/schema', ...open } as const,
    ]
    for (const schema of schemas) expect(toJsonSchema(schema as never)).toEqual(city)
  })

  it('zod, with descriptions at every depth', () => {
    const schema = z.object({
      city: z.string().describe('Where'),
      places: z.array(z.object({ lat: z.number().describe('North') })).optional(),
      mood: z.enum(['a', 'b']).default('a'),
    })
    expect(toJsonSchema(schema)).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Where' },
        places: {
          type: 'array',
          items: {
            type: 'object',
            properties: { lat: { type: 'number', description: 'North' } },
            required: ['lat'],
            additionalProperties: false,
          },
        },
        mood: { type: 'string', enum: ['a', 'b'], default: 'a' },
      },
      required: ['city'],
      additionalProperties: false,
    })
  })
})

it('shows what goes in, or on request what comes out', () => {
  const schema = z.object({
    n: z.string().transform(Number).pipe(z.number()),
    d: z.string().default('x'),
  })
  expect(toJsonSchema(schema)).toMatchObject({
    properties: { n: { type: 'string' } },
    required: ['n'],
  })
  expect(toJsonSchema(schema, { io: 'output' })).toMatchObject({
    properties: { n: { type: 'number' } },
    required: ['n', 'd'],
  })
})

it('leaves open what says so', () => {
  expect(toJsonSchema(z.looseObject({ a: z.string() })).additionalProperties).toEqual({})
  expect(toJsonSchema(z.record(z.string(), z.number())).additionalProperties).toEqual({
    type: 'number',
  })
})

describe('on request', () => {
  const schema = z.object({
    city: z.string().describe('a type of place'),
    type: z.enum(['string', 'integer']),
    days: z.array(z.union([z.int(), z.null()])),
    more: z.object({ on: z.boolean() }).optional(),
  })

  it('objects that do not say otherwise stay open', () => {
    const open = toJsonSchema(schema, { allowAdditionalProperties: true })
    expect(JSON.stringify(open)).not.toContain('additionalProperties')
    const strict = z.strictObject({ a: z.string() })
    expect(toJsonSchema(strict, { allowAdditionalProperties: true })).toMatchObject({
      additionalProperties: false,
    })
    const output = toJsonSchema({ properties: { a: {} } }, { io: 'output' })
    expect(output).toEqual({ properties: { a: {} } })
  })

  it('types are written in capitals at every depth, and nothing else is', () => {
    expect(toJsonSchema(schema, { upperCaseTypes: true })).toEqual({
      type: 'OBJECT',
      properties: {
        city: { type: 'STRING', description: 'a type of place' },
        type: { type: 'STRING', enum: ['string', 'integer'] },
        days: {
          type: 'ARRAY',
          items: { anyOf: [expect.objectContaining({ type: 'INTEGER' }), { type: 'NULL' }] },
        },
        more: {
          type: 'OBJECT',
          properties: { on: { type: 'BOOLEAN' } },
          required: ['on'],
          additionalProperties: false,
        },
      },
      required: ['city', 'type', 'days'],
      additionalProperties: false,
    })
    const listed = { type: ['integer', 'null'], const: { type: 'integer' } } as const
    expect(toJsonSchema(listed, { upperCaseTypes: true })).toEqual({
      type: ['INTEGER', 'NULL'],
      const: { type: 'integer' },
    })
  })

  it('but an unknown wish is refused', () => {
    expect(() => toJsonSchema(schema, { uppercaseTypes: true } as never)).toThrow(
      'Did you mean "upperCaseTypes"?',
    )
  })
})

describe('refuses with what to do', () => {
  const problems: [string, unknown, string][] = [
    ['unwrapped valibot', v.object({ a: v.string() }), 'toStandardJsonSchema'],
    ['a zod date', z.object({ at: z.date() }), 'z.iso.datetime()'],
    ['a zod bigint', z.bigint(), 'use a string'],
    [
      'a converter that gives nothing',
      { '~standard': { vendor: 'x', jsonSchema: { input: () => 1 } } },
      'not 1',
    ],
    ['a promise', Promise.resolve(z.object({})), 'await'],
    ['a class', class Alarm {}, 'not function Alarm'],
    ['an array', [], 'not array of 0'],
    ['null', null, 'not null'],
    ['text', '{}', 'not "{}"'],
    ['a record of schemas', { city: z.string() }, 'z.object'],
    [
      'properties without an object around',
      { city: { type: 'string' } },
      'put city under properties',
    ],
  ]
  it('but nothing that is a schema', () => {
    const schemas = [{}, { const: { a: 1 } }, { $ref: '#' }, { properties: {} }, { not: {} }]
    for (const schema of schemas) expect(() => toJsonSchema(schema as never)).not.toThrow()
  })

  it.each(problems)('%s', (_name, schema, hint) => {
    const convert = (): unknown => toJsonSchema(schema as never)
    expect(convert).toThrow(ConfigurationError)
    expect(convert).toThrow(hint)
  })
})
