import type { JsonSchema } from 'toolwright'
import { describe, expect, it } from 'vitest'
import { fieldShape } from './field-kind.ts'

const kindOf = (schema: JsonSchema) => fieldShape(schema, schema).kind

describe('fieldShape', () => {
  it.each<[string, JsonSchema, object]>([
    ['a text', { type: 'string' }, { kind: 'text', input: 'line' }],
    ['a long text', { type: 'string', maxLength: 201 }, { kind: 'text', input: 'long' }],
    ['a secret', { type: 'string', format: 'password' }, { kind: 'text', input: 'password' }],
    ['a day', { type: 'string', format: 'date' }, { kind: 'text', input: 'date' }],
    ['an unknown format', { type: 'string', format: 'hostname' }, { kind: 'text', input: 'line' }],
    ['a number', { type: 'number' }, { kind: 'number', isInteger: false }],
    ['an integer', { type: 'integer' }, { kind: 'number', isInteger: true }],
    ['a boolean', { type: 'boolean' }, { kind: 'boolean' }],
    ['a constant', { const: 3 }, { kind: 'const', value: 3 }],
    ['an enum of one', { enum: ['a'] }, { kind: 'const', value: 'a' }],
    ['null', { type: 'null' }, { kind: 'const', value: null }],
    [
      'a list',
      { type: 'array', items: { type: 'string' } },
      { kind: 'array', items: { type: 'string' } },
    ],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }] }, { kind: 'json' }],
    ['anything', {}, { kind: 'json' }],
    ['what nothing fits', { not: {} }, { kind: 'json' }],
    ['a type that goes without saying', { properties: {} }, { kind: 'object', properties: [] }],
  ])('shows %s', (_, schema, kind) => {
    expect(kindOf(schema)).toEqual(kind)
  })

  it('lists the properties of an object, with those that are only required', () => {
    const kind = kindOf({
      type: 'object',
      properties: { a: { type: 'string' }, b: true },
      required: ['b', 'c'],
    })
    expect(kind).toEqual({
      kind: 'object',
      properties: [
        { name: 'a', node: { type: 'string' }, isRequired: false },
        { name: 'b', node: true, isRequired: true },
        { name: 'c', node: {}, isRequired: true },
      ],
    })
  })

  it('tells records from objects', () => {
    expect(kindOf({ type: 'object', additionalProperties: { type: 'number' } })).toMatchObject({
      more: { type: 'number' },
    })
    expect(kindOf({ type: 'object' })).toMatchObject({ more: {} })
    expect(kindOf({ type: 'object', additionalProperties: false })).not.toHaveProperty('more')
    expect(kindOf({ type: 'object', properties: {} })).not.toHaveProperty('more')
  })

  it('takes the null out, however it is written', () => {
    const texts: JsonSchema[] = [
      { type: ['string', 'null'] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { oneOf: [{ const: null }, { $ref: '#/$defs/text' }], $defs: { text: { type: 'string' } } },
    ]
    for (const schema of texts) {
      const { kind, isNullable } = fieldShape(schema, schema)
      expect(kind).toEqual({ kind: 'text', input: 'line' })
      expect(isNullable).toBe(true)
    }
    const choice = fieldShape({ type: ['string', 'null'], enum: ['a', 'b', null] }, {})
    expect(choice.kind).toMatchObject({ options: [{ value: 'a' }, { value: 'b' }] })
    expect(fieldShape({ type: 'null' }, {}).isNullable).toBe(false)
  })

  it('makes a choice of a list of constants, with their titles', () => {
    expect(kindOf({ oneOf: [{ const: 1, title: 'One' }, { const: '' }] })).toEqual({
      kind: 'choice',
      options: [
        { value: 1, label: 'One' },
        { value: '', label: '""' },
      ],
    })
  })

  it('names the forms of a union by title, discriminator or type', () => {
    const labels = (schema: JsonSchema) => {
      const kind = kindOf(schema)
      return kind.kind === 'union' ? kind.options.map(({ label }) => label) : kind
    }
    expect(labels({ anyOf: [{ title: 'A', type: 'string' }, { type: 'array' }] })).toEqual([
      'A',
      'List',
    ])
    const circle = { type: 'object', properties: { kind: { const: 'circle' }, r: {} } } as const
    const square = { type: 'object', properties: { kind: { enum: ['square'] }, a: {} } } as const
    expect(labels({ oneOf: [circle, square] })).toEqual(['circle', 'square'])
    expect(labels({ type: ['string', 'integer'] })).toEqual(['Text', 'Whole number'])
    expect(
      labels({
        anyOf: [
          { type: 'string', pattern: 'a' },
          { type: 'string', pattern: 'b' },
        ],
      }),
    ).toEqual(['Text (1)', 'Text (2)'])
  })

  it('gives each form what stands beside the union, and passes over what makes no other form', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { shared: { type: 'string' } },
      anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }],
    }
    const kind = kindOf(schema)
    expect(kind.kind === 'union' && Object.keys(kind.options[1]!.schema.properties!)).toEqual([
      'b',
      'shared',
    ])
    const either = kindOf({
      type: 'object',
      properties: { a: {}, b: {} },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    })
    expect(either.kind).toBe('object')
  })

  it('describes a union once, and each form by its own words', () => {
    const words = (schema: JsonSchema) => {
      const kind = kindOf({ ...schema, description: 'How large' })
      return kind.kind === 'union' && kind.options.map((option) => option.schema.description)
    }
    const centimetres = { type: 'integer', description: 'In cm' } as const
    expect(words({ anyOf: [{ type: 'string' }, centimetres] })).toEqual([undefined, 'In cm'])
    expect(words({ type: ['string', 'integer'] })).toEqual([undefined, undefined])
  })

  it('shows a schema that contains itself one level at a time', () => {
    const root: JsonSchema = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: { next: { $ref: '#/$defs/node' } },
          required: ['next'],
        },
      },
    }
    const outer = fieldShape(root, root).kind
    const inner = outer.kind === 'object' ? fieldShape(outer.properties[0]!.node, root).kind : outer
    expect(inner).toEqual(outer)
  })
})
