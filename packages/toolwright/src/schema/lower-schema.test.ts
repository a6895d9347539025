/** What each construct of a schema becomes in each dialect, and how answers come back. The properties of all: test/lowering. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JsonSchema } from './json-schema.ts'
import { lowerFor, lowerSchema, type LoweredSchema } from './lower-schema.ts'
import type { SchemaDialect } from './lowering/schema-rules.ts'
import { raiseText } from './lowering/raise.ts'
import { toJsonSchema } from './to-json-schema.ts'

const ALL: readonly SchemaDialect[] = ['openai', 'openai-strict', 'anthropic', 'google', 'ollama']
const OPEN: readonly SchemaDialect[] = ['openai', 'anthropic']

/** A closed object with one required property `p`. */
const holding = (p: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { p },
  required: ['p'],
  additionalProperties: false,
})

function lowered(p: JsonSchema, dialect: SchemaDialect): LoweredSchema & { readonly p: unknown } {
  const result = lowerSchema(holding(p), dialect)
  return { ...result, p: result.schema.properties?.['p'] }
}

const at = (path: string, keyword: string, how: string): object => ({ path, keyword, how })

describe('a plain schema', () => {
  const schema = holding({ type: 'string', description: 'Who' })
  it.each(ALL)('stays what it is for %s', (dialect) => {
    const result = lowerSchema(schema, dialect)
    expect(result.schema).toEqual(schema)
    expect(result.changes).toEqual([])
    const value = { p: 'x' }
    expect(result.raise(value)).toBe(value)
  })
})

describe('an optional property', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'boolean' }, c: { type: ['string', 'null'] } },
    required: ['a'],
    additionalProperties: false,
  }

  it('is null instead where every property is required', () => {
    const { schema: strict, changes, raise } = lowerSchema(schema, 'openai-strict')
    expect(strict).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
        c: { type: ['string', 'null'] },
      },
      required: ['a', 'b', 'c'],
      additionalProperties: false,
    })
    expect(changes).toEqual([
      at('$.properties.b', 'required', 'rewritten'),
      // Missing and null are one here.
      at('$.properties.c', 'required', 'dropped'),
    ])
    expect(raise({ a: 'x', b: null, c: null })).toEqual({ a: 'x', c: null })
  })

  it.each(['openai', 'anthropic', 'google', 'ollama'] as const)(
    'stays optional for %s',
    (dialect) => {
      expect(lowerSchema(schema, dialect)).toMatchObject({ schema, changes: [] })
    },
  )
})

describe('keywords that a dialect does not take', () => {
  const schema: JsonSchema = {
    type: 'integer',
    exclusiveMinimum: 3,
    multipleOf: 2,
    default: 4,
    description: 'How many',
  }

  it.each([
    ['openai', schema],
    ['anthropic', schema],
    ['openai-strict', { type: 'integer', exclusiveMinimum: 3, multipleOf: 2, description: 'How many (default: 4)' }], // prettier-ignore
    [
      'google',
      { type: 'integer', minimum: 4, description: 'How many (multipleOf: 2, default: 4)' },
    ],
    ['ollama', { type: 'integer', description: 'How many (exclusiveMinimum: 3, multipleOf: 2, default: 4)' }], // prettier-ignore
  ] as const)('are told in words: %s', (dialect, expected) => {
    expect(lowered(schema, dialect).p).toEqual(expected)
  })

  it('are reported one by one', () => {
    expect(lowered(schema, 'google').changes).toEqual([
      at('$.properties.p', 'exclusiveMinimum', 'rewritten'),
      at('$.properties.p', 'multipleOf', 'kept in the description'),
      at('$.properties.p', 'default', 'kept in the description'),
    ])
  })

  it('say nothing new beside a format, or as the limits of safe numbers', () => {
    const { p, changes } = lowered(
      toJsonSchema(z.object({ mail: z.email(), n: z.int() })),
      'openai-strict',
    )
    expect(p).toMatchObject({
      properties: { mail: { type: 'string', format: 'email' }, n: { type: 'integer' } },
    })
    expect(JSON.stringify(p)).not.toContain('pattern')
    expect(changes).toContainEqual(at('$.properties.p.properties.mail', 'pattern', 'dropped'))
  })

  it.each(['openai-strict', 'google', 'ollama'] as const)(
    'hold conditions, exclusions and dependencies only in words for %s',
    (dialect) => {
      const { p, changes, raise } = lowered(
        {
          type: 'object',
          properties: { a: { type: 'string' }, b: { type: 'string' } },
          additionalProperties: false,
          not: { required: ['a'] },
          if: { required: ['b'] },
          then: { minProperties: 2 },
          dependentSchemas: { a: { required: ['b'] } },
          dependentRequired: { b: ['a'] },
        },
        dialect,
      )
      for (const keyword of ['not', 'if', 'then', 'dependentSchemas', 'dependentRequired']) {
        expect((p as JsonSchema).description).toContain(`${keyword}: {`)
        expect(changes).toContainEqual(at('$.properties.p', keyword, 'kept in the description'))
      }
      expect(raise({ p: { a: 'x', b: 'y' } })).toEqual({ p: { a: 'x', b: 'y' } })
    },
  )

  it('are dropped, and that is reported, where the words would be endless', () => {
    const { p, changes } = lowered(
      { type: 'array', items: { type: 'string' }, contains: { enum: Array(999).fill('word') } },
      'openai-strict',
    )
    expect(p).toEqual({ type: 'array', items: { type: 'string' } })
    expect(changes).toEqual([at('$.properties.p', 'contains', 'dropped')])
  })
})

describe('a map', () => {
  const map: JsonSchema = { type: 'object', additionalProperties: { type: 'number' } }

  it('is a list of entries in strict mode, and comes back as a map', () => {
    const { p, changes, raise } = lowered(map, 'openai-strict')
    expect(p).toEqual({
      type: 'array',
      items: {
        type: 'object',
        properties: { key: { type: 'string' }, value: { type: 'number' } },
        required: ['key', 'value'],
        additionalProperties: false,
      },
      description: '(a list of entries: each key once, with its value)',
    })
    expect(changes).toEqual([at('$.properties.p', 'additionalProperties', 'rewritten')])
    expect(
      raise({
        p: [
          { key: 'a', value: 1 },
          { key: '__proto__', value: 2 },
        ],
      }),
    ).toEqual({
      p: Object.fromEntries([['a', 1], ['__proto__', 2]]), // prettier-ignore
    })
    expect(raise({ p: [{ key: 1 }] })).toEqual({ p: [{ key: 1 }] })
  })

  it.each(['openai', 'anthropic', 'google', 'ollama'] as const)('stays a map for %s', (dialect) => {
    expect(lowered(map, dialect)).toMatchObject({ p: map, changes: [] })
  })

  it('beside properties is a list of its own, under a free name', () => {
    const { p, raise } = lowered(
      {
        type: 'object',
        properties: { a: { type: 'string' }, additional_properties: { type: 'string' } },
        required: ['a', 'additional_properties'],
        additionalProperties: { type: 'number' },
      },
      'openai-strict',
    )
    expect(Object.keys((p as JsonSchema).properties!)).toEqual([
      'a',
      'additional_properties',
      'additional_properties_2',
    ])
    const said = { a: 'x', additional_properties: 'y', additional_properties_2: [{ key: 'n', value: 1 }] } // prettier-ignore
    expect(raise({ p: said })).toEqual({ p: { a: 'x', additional_properties: 'y', n: 1 } })
  })

  it('of listed names has properties', () => {
    const { p } = lowered(toJsonSchema(z.record(z.enum(['a', 'b']), z.boolean())), 'openai-strict')
    expect(p).toMatchObject({
      properties: { a: { type: 'boolean' }, b: { type: 'boolean' } },
      additionalProperties: false,
    })
  })

  it.each(['openai-strict', 'google', 'ollama'] as const)(
    'whose names match patterns says so in words for %s',
    (dialect) => {
      const { p, changes } = lowered(
        {
          type: 'object',
          patternProperties: { '^x-': { type: 'string' } },
          additionalProperties: false,
        },
        dialect,
      )
      expect((p as JsonSchema).description).toContain('names that match: ^x-')
      expect(changes).toContainEqual(
        at('$.properties.p', 'patternProperties', 'kept in the description'),
      )
    },
  )
})

describe('a tuple', () => {
  const tuple: JsonSchema = {
    type: 'array',
    prefixItems: [{ type: 'string' }, { type: 'number' }],
    items: { type: 'boolean' },
    minItems: 1,
  }

  it('is an object in strict mode, and comes back as a list', () => {
    const { p, raise } = lowered(tuple, 'openai-strict')
    expect(p).toMatchObject({
      type: 'object',
      properties: {
        item_1: { type: 'string' },
        item_2: { anyOf: [{ type: 'number' }, { type: 'null' }] },
        more: { type: 'array', items: { type: 'boolean' } },
      },
      required: ['item_1', 'item_2', 'more'],
    })
    expect(raise({ p: { item_1: 'a', item_2: 1, more: [true] } })).toEqual({ p: ['a', 1, true] })
    expect(raise({ p: { item_1: 'a', item_2: null, more: [] } })).toEqual({ p: ['a'] })
    expect(raise({ p: { item_1: 'a' } })).toEqual({ p: { item_1: 'a' } })
  })

  it('that may end before an item that may be null cannot, and that is reported', () => {
    const { p, changes } = lowered(
      { type: 'array', prefixItems: [{ type: ['string', 'null'] }], items: false },
      'openai-strict',
    )
    expect(p).toMatchObject({ properties: { item_1: { type: ['string', 'null'] } } })
    expect(changes).toContainEqual(at('$.properties.p', 'minItems', 'dropped'))
  })

  it('stays one for google, and is told in words to ollama', () => {
    expect(lowered(tuple, 'google')).toMatchObject({ p: tuple, changes: [] })
    expect(lowered({ ...tuple, items: false }, 'google').p).toMatchObject({ maxItems: 2 })
    const { p, changes } = lowered(tuple, 'ollama')
    expect((p as JsonSchema).description).toContain('prefixItems: [')
    expect(changes).toContainEqual(at('$.properties.p', 'prefixItems', 'kept in the description'))
  })
})

describe('a union', () => {
  const shapes: JsonSchema = {
    oneOf: [
      { type: 'object', properties: { kind: { const: 'a' }, size: { type: 'number' } }, required: ['kind'], additionalProperties: false }, // prettier-ignore
      { type: 'object', properties: { kind: { const: 'b' }, size: { type: 'number' } }, required: ['kind', 'size'], additionalProperties: false }, // prettier-ignore
    ],
  }

  it('is raised by the alternative that the value fits', () => {
    const { p, changes, raise } = lowered(shapes, 'openai-strict')
    expect(Object.keys(p as object)).toEqual(['anyOf'])
    expect(changes).toContainEqual(at('$.properties.p', 'oneOf', 'rewritten'))
    expect(raise({ p: { kind: 'a', size: null } })).toEqual({ p: { kind: 'a' } })
    // The second alternative has no missing size, so this null is the model's own.
    expect(raise({ p: { kind: 'b', size: null } })).toEqual({ p: { kind: 'b', size: null } })
  })

  it('of alternatives that overlap says in words that exactly one is meant', () => {
    const { p, changes } = lowered({ oneOf: [{ type: 'integer' }, { type: 'number' }] }, 'google')
    expect((p as JsonSchema).description).toBe('(exactly one of the alternatives)')
    expect(changes).toEqual([at('$.properties.p', 'oneOf', 'kept in the description')])
  })

  it('takes what stands beside it into each alternative in strict mode', () => {
    const { p } = lowered(
      {
        type: 'object',
        properties: { id: { type: 'string' } },
        required: ['id'],
        anyOf: [
          { properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'string' } }, required: ['b'] },
        ],
        unevaluatedProperties: false,
      },
      'openai-strict',
    )
    const alternatives = (p as { anyOf: JsonSchema[] }).anyOf
    expect(alternatives.map(({ required }) => required)).toEqual([
      ['a', 'id'],
      ['b', 'id'],
    ])
  })

  it('that could mean two things is reported', () => {
    const { changes } = lowered({ anyOf: [{ type: 'string' }, {}] }, 'openai-strict')
    expect(changes).toContainEqual(at('$.properties.p', 'anyOf', 'dropped'))
  })

  it('of a list of types stays one, but for objects and lists in strict mode', () => {
    const types: JsonSchema = { type: ['string', 'null'] }
    for (const dialect of ALL) expect(lowered(types, dialect).p).toEqual(types)
    expect(
      lowered({ type: ['array', 'null'], items: { type: 'string' } }, 'openai-strict').p,
    ).toEqual({ anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] })
  })
})

describe('parts that hold together', () => {
  it.each(['openai-strict', 'google', 'ollama'] as const)('are one schema for %s', (dialect) => {
    const schema: JsonSchema = {
      ...holding({
        allOf: [
          { type: 'object', properties: { a: { type: ['string', 'number'] } }, required: ['a'] },
          { $ref: '#/$defs/more' },
        ],
        unevaluatedProperties: false,
      }),
      $defs: { more: { properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['b'] } }, // prettier-ignore
    }
    expect(lowerSchema(schema, dialect).schema.properties?.['p']).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'integer' } },
      required: ['a', 'b'],
      additionalProperties: false,
    })
  })
})

describe('a reference', () => {
  const tree: JsonSchema = {
    type: 'object',
    properties: { first: { $ref: '#/$defs/node', description: 'The first' } },
    required: ['first'],
    additionalProperties: false,
    $defs: {
      node: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          inner: { type: 'array', items: { $ref: '#/$defs/node' } },
        },
        required: ['name', 'inner'],
        additionalProperties: false,
      },
    },
  }

  it('keeps its description beside it, and recursion where the dialect has it', () => {
    const { schema, changes } = lowerSchema(tree, 'openai-strict')
    expect(schema.properties).toEqual({
      first: { anyOf: [{ $ref: '#/$defs/node' }], description: 'The first' },
    })
    expect(schema.$defs).toEqual(tree.$defs)
    expect(changes).toEqual([])
  })

  it('leads back only through optional properties for google', () => {
    const { schema, changes } = lowerSchema(tree, 'google')
    expect(schema.$defs?.['node']).toMatchObject({
      required: ['name'],
      description: '(always with inner)',
    })
    expect(changes).toEqual([at('$.$defs.node', 'required', 'kept in the description')])
  })

  it('is replaced by what it means for ollama, once', () => {
    const { schema, changes } = lowerSchema(tree, 'ollama')
    expect(JSON.stringify(schema)).not.toContain('$ref')
    expect(schema.properties?.['first']).toMatchObject({
      description: 'The first',
      properties: {
        inner: { items: { type: 'object', description: 'The same again as at $defs.node.' } },
      },
    })
    expect(changes).toEqual([
      at('$.$defs.node.properties.inner.items', '$ref', 'kept in the description'),
    ])
  })

  it('to the top stays one, also where the top is wrapped', () => {
    const self: JsonSchema = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false } // prettier-ignore
    expect(lowerSchema(self, 'openai-strict').schema.properties).toEqual({
      next: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
    })
    const list: JsonSchema = { type: 'array', items: { $ref: '#' } }
    expect(lowerSchema(list, 'openai-strict').schema.$defs).toEqual({
      root: { type: 'array', items: { $ref: '#/$defs/root' } },
    })
    const { schema, raise } = lowerSchema(self, 'openai-strict')
    expect(schema).toBeDefined()
    expect(raise({ next: { next: { next: null } } })).toEqual({ next: { next: {} } })
  })

  it('that leads nowhere is any value, and reported', () => {
    for (const dialect of ['openai-strict', 'google', 'ollama'] as const)
      expect(lowered({ $ref: '#/$defs/gone' }, dialect).changes).toContainEqual(
        at('$.properties.p', '$ref', 'dropped'),
      )
  })
})

describe('the top', () => {
  it.each(ALL)('is wrapped where it is no object, and unwrapped: %s', (dialect) => {
    const { schema, changes, raise } = lowerSchema(
      { type: 'array', items: { type: 'string' } },
      dialect,
    )
    expect(schema).toEqual(wrapper({ type: 'array', items: { type: 'string' } }))
    expect(changes).toContainEqual(at('$', 'type', 'rewritten'))
    expect(raise({ value: ['a'] })).toEqual(['a'])
    expect(raise(['a'])).toEqual(['a'])
    expect(raise({ value: 1, other: 2 })).toEqual({ value: 1, other: 2 })
  })

  it.each(ALL)('is wrapped where it has alternatives: %s', (dialect) => {
    const { schema, raise } = lowerSchema(
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        anyOf: [{ required: ['a'] }, { required: ['b'] }],
        unevaluatedProperties: false,
      },
      dialect,
    )
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) expect(schema).not.toHaveProperty(keyword)
    expect(schema.type).toBe('object')
    expect(raise({ value: { a: 'x' } })).toEqual({ a: 'x' })
  })

  it.each(OPEN)('that refers to a definition is that definition: %s', (dialect) => {
    const { schema } = lowerSchema(
      { $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: {} } } },
      dialect,
    )
    expect(schema).toMatchObject({ type: 'object', properties: {} })
    expect(schema).not.toHaveProperty('$ref')
  })

  it('says what is in a list for openai, which demands it', () => {
    expect(lowered({ type: 'array' }, 'openai').p).toEqual({ type: 'array', items: {} })
    expect(lowered({ type: 'array' }, 'anthropic').p).toEqual({ type: 'array' })
  })
})

const wrapper = (value: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { value },
  required: ['value'],
  additionalProperties: false,
})

describe('constants', () => {
  it.each([
    ['openai-strict', { type: 'string', const: 'a' }],
    ['google', { type: 'string', enum: ['a'] }],
    ['ollama', { type: 'string', enum: ['a'] }],
  ] as const)('one alone: %s', (dialect, expected) => {
    expect(lowered({ const: 'a' }, dialect).p).toEqual(expected)
  })

  it('that are lists or objects are texts in strict mode, and parsed again', () => {
    const { p, changes, raise } = lowered({ enum: ['a', [1], { b: 2 }] }, 'openai-strict')
    expect(p).toEqual({ type: 'string', enum: ['a', '[1]', '{"b":2}'] })
    expect(changes).toEqual([at('$.properties.p', 'enum', 'rewritten')])
    expect(['a', '[1]', '{"b":2}', '[2]'].map((said) => raise({ p: said }))).toEqual(
      ['a', [1], { b: 2 }, '[2]'].map((p) => ({ p })),
    )
  })

  it('that google does not list are told in words, but for null', () => {
    expect(lowered({ enum: ['a', null] }, 'google').p).toEqual({
      anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }],
    })
    expect(lowered({ enum: [true, 'a'] }, 'google')).toMatchObject({
      p: { description: '(one of: true, "a")' },
      changes: [at('$.properties.p', 'enum', 'kept in the description')],
    })
  })

  it('that the rest of the schema excludes are left out', () => {
    const { p } = lowered({ type: 'string', enum: ['a', 'bb', 1], minLength: 2 }, 'openai-strict')
    expect(p).toEqual({ type: 'string', enum: ['bb'] })
  })
})

describe('any value', () => {
  it('is JSON text in strict mode, which nobody is held to without asking', () => {
    const { p, raise } = lowered({}, 'openai-strict')
    expect(p).toEqual({ type: 'string', description: '(any JSON value, written as JSON text)' })
    expect(raise({ p: '{"a":[1]}' })).toEqual({ p: { a: [1] } })
    expect(raise({ p: 'words' })).toEqual({ p: 'words' })
    expect(lowerFor(holding({}), 'openai-strict').isFit).toBe(false)
    expect(lowerFor(holding({ type: 'string' }), 'openai-strict').isFit).toBe(true)
  })

  it.each(['openai', 'anthropic', 'google', 'ollama'] as const)(
    'is any value for %s',
    (dialect) => {
      expect(lowered({}, dialect)).toMatchObject({ p: {}, changes: [] })
    },
  )
})

describe('limits of strict mode', () => {
  const properties = (count: number): JsonSchema => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, { type: 'null' }])), // prettier-ignore
    additionalProperties: false,
  })
  const nested = (levels: number): JsonSchema =>
    levels === 0 ? { type: 'string' } : holding(nested(levels - 1))

  it.each<[string, JsonSchema, boolean]>([
    ['5,000 properties', properties(5000), true],
    ['more', properties(5001), false],
    ['10 levels', nested(10), true],
    ['11 levels', nested(11), false],
    ['1,000 constants', holding({ enum: Array.from({ length: 1000 }, (_, n) => n) }), true],
    ['1,001 constants', holding({ enum: Array.from({ length: 1001 }, (_, n) => n) }), false],
    ['long constants', holding({ enum: Array.from({ length: 251 }, (_, n) => `${n}`.padEnd(60)) }), false], // prettier-ignore
  ])('%s', (_what, schema, isFit) => {
    expect(lowerFor(schema, 'openai-strict').isFit).toBe(isFit)
  })
})

describe('hostile input', () => {
  const deep = (levels: number): JsonSchema => {
    let schema: JsonSchema = { type: 'string' }
    for (let level = 0; level < levels; level++) schema = holding(schema)
    return schema
  }
  const chain = (length: number): JsonSchema => ({
    type: 'object',
    properties: { start: { $ref: '#/$defs/d0' } },
    $defs: Object.fromEntries(
      Array.from({ length }, (_, n) => [
        `d${n}`,
        { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}`, minLength: 1 }] },
      ]),
    ),
  })
  const fan = (levels: number): JsonSchema => ({
    type: 'object',
    properties: { start: { $ref: '#/$defs/d0' } },
    $defs: Object.fromEntries(
      Array.from({ length: levels }, (_, n) => [
        `d${n}`,
        {
          type: 'object',
          properties: { a: { $ref: `#/$defs/d${n + 1}`, minProperties: 1 }, b: { $ref: `#/$defs/d${n + 1}`, maxProperties: 9 } }, // prettier-ignore
        },
      ]),
    ),
  })

  it.each<[string, JsonSchema]>([
    ['150 levels', deep(150)],
    ['20,000 levels', deep(20_000)],
    ['a reference to itself', { $ref: '#' }],
    ['references in a circle', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }], // prettier-ignore
    ['a union of itself', { anyOf: [{ $ref: '#' }, { type: 'string' }] }],
    ['a part of itself', { allOf: [{ $ref: '#' }, { type: 'object', properties: { a: { $ref: '#' } } }] }], // prettier-ignore
    ['a chain of references', chain(300)],
    ['a tree of references', fan(30)],
    ['unions of unions', { allOf: Array.from({ length: 12 }, (_, n) => ({ anyOf: [{ required: [`a${n}`] }, { required: [`b${n}`] }, { type: 'string' }] })) }], // prettier-ignore
    ['a name of a prototype', { type: 'object', properties: Object.fromEntries([['__proto__', { type: 'string' }], ['constructor', { type: 'string' }]]), additionalProperties: false }], // prettier-ignore
    [
      'an invalid pattern',
      { type: 'object', properties: { a: {} }, patternProperties: { '(': {} } },
    ],
    ['keywords of wrong types', { type: 'object', properties: 3, required: 'a', enum: 1, anyOf: {}, items: 'x', $defs: [] } as never], // prettier-ignore
  ])('%s is lowered in every dialect', (_what, schema) => {
    for (const dialect of ALL) {
      const result = lowerSchema(schema, dialect)
      expect(result.schema.type).toBe('object')
      expect(JSON.stringify(result.raise({ a: null, value: { a: [null] } }))).toBeDefined()
    }
  })

  it('a name of a prototype is an own key on both ways', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: Object.fromEntries([['__proto__', { type: 'string' }]]),
      additionalProperties: false,
    }
    const { schema: strict, raise } = lowerSchema(schema, 'openai-strict')
    expect(Object.keys(strict.properties!)).toEqual(['__proto__'])
    expect(strict.required).toEqual(['__proto__'])
    const raised = raise(JSON.parse('{"__proto__":"x"}')) as object
    expect(Object.entries(raised)).toEqual([['__proto__', 'x']])
    expect(Object.entries(raise(JSON.parse('{"__proto__":null}')) as object)).toEqual([])
  })

  it('10,000 properties are lowered and raised', () => {
    const names = Array.from({ length: 10_000 }, (_, n) => `p${n}`)
    const { schema, raise } = lowerSchema(
      {
        type: 'object',
        properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
        additionalProperties: false,
      },
      'openai-strict',
    )
    expect(schema.required).toHaveLength(10_000)
    expect(raise(Object.fromEntries(names.map((name) => [name, null])))).toEqual({})
  })

  const { raise } = lowerSchema(
    { type: 'object', properties: { next: { $ref: '#' }, x: { type: 'string' } }, additionalProperties: false }, // prettier-ignore
    'openai-strict',
  )

  it('values that throw, refer to themselves or have no end stay as they are', () => {
    const thrower = new Proxy({}, { ownKeys: () => { throw new Error('no') } }) // prettier-ignore
    const cyclic: { next?: unknown } = {}
    cyclic.next = cyclic
    let endless: unknown = { next: null }
    for (let level = 0; level < 100_000; level++) endless = { next: endless }
    for (const value of [thrower, cyclic, endless, undefined, () => 1, Symbol('x'), 5n, NaN])
      expect(() => raise(value)).not.toThrow()
    expect(raise(thrower)).toBe(thrower)
    expect(raise(undefined)).toBe(undefined)
  })
})

describe('arguments as text', () => {
  it('keep every digit and every escape of what stays', () => {
    const { raising } = lowerFor(
      {
        type: 'object',
        properties: {
          n: { type: 'number' },
          o: { type: 'string' },
          m: { type: 'object', additionalProperties: { type: 'number' } },
          t: { type: 'string' },
        },
        required: ['n', 'm', 't'],
        additionalProperties: false,
      },
      'openai-strict',
    )
    const said =
      '{"n": 12345678901234567890, "o": null, "m": [{"key":"k","value":1.10}], "t": "\\u00e9\\n"}'
    expect(raiseText(raising, said)).toBe(
      '{"n":12345678901234567890,"m":{"k":1.10},"t":"\\u00e9\\n"}',
    )
    expect(raiseText(raising, '{"n": 1')).toBe('{"n": 1')
  })
})
