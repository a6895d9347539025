import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSchema } from './compile-schema.ts'
import type { JsonSchema } from './json-schema.ts'

function coerced(schema: JsonSchema, value: unknown): unknown {
  const result = compileSchema(schema).check(value)
  return result.ok ? result.value : result.issues
}

const refused = (schema: JsonSchema, value: unknown): boolean =>
  !compileSchema(schema).check(value).ok

describe('text becomes the number it writes', () => {
  it('when writing the number gives the same text', () => {
    for (const [text, number] of [
      ['42', 42],
      ['-1.5', -1.5],
      ['0', 0],
      ['1e+30', undefined],
    ] as const) {
      if (number === undefined) expect(refused({ type: 'number' }, text)).toBe(true)
      else expect(coerced({ type: 'number' }, text)).toBe(number)
    }
  })

  it('and not otherwise', () => {
    const texts = [
      '',
      ' 42',
      '042',
      '1e3',
      '42.0',
      '0x10',
      '-0',
      'NaN',
      'Infinity',
      '1_000',
      '4 2',
      '9007199254740993',
      '9007199254740992',
    ]
    for (const text of texts) expect(refused({ type: ['number', 'null'] }, text)).toBe(true)
    expect(refused({ type: 'integer' }, '1.5')).toBe(true)
  })
})

it('text becomes the truth value it names, and never null', () => {
  expect(coerced({ type: 'boolean' }, 'true')).toBe(true)
  expect(coerced({ type: ['boolean', 'null'] }, 'false')).toBe(false)
  for (const text of ['True', 'yes', '1', '']) expect(refused({ type: 'boolean' }, text)).toBe(true)
  expect(refused({ type: ['integer', 'null'] }, 'null')).toBe(true)
})

it('nothing becomes text', () => {
  for (const value of [42, true, null, {}, ['a']])
    expect(refused({ type: 'string' }, value)).toBe(true)
})

it('stringified JSON becomes what it says, and is coerced in turn', () => {
  const point = {
    type: 'object',
    properties: { x: { type: 'integer' } },
    required: ['x'],
    additionalProperties: false,
  } as const
  expect(coerced(point, '{"x": "1"}')).toEqual({ x: 1 })
  expect(coerced({ type: 'array', items: { type: 'integer' } }, ' [1, "2"] ')).toEqual([1, 2])
  for (const text of ['{"x":1', '{"x":1,"x":2}', '{"__proto__":{},"x":1}', '{"y":1}', '']) {
    expect(refused(point, text)).toBe(true)
  }
})

describe('one value becomes a list of one', () => {
  it('when it fits as an item', () => {
    expect(coerced({ type: 'array', items: { type: 'string' } }, 'a')).toEqual(['a'])
    expect(coerced({ type: 'array', items: { type: 'integer' } }, '7')).toEqual([7])
    expect(coerced({ type: 'array', items: { type: 'object' } }, { a: 1 })).toEqual([{ a: 1 }])
  })

  it('and not otherwise', () => {
    expect(refused({ type: 'array', items: { type: 'integer' } }, 'a')).toBe(true)
    expect(refused({ type: 'array', minItems: 2 }, 'a')).toBe(true)
    expect(refused({ type: 'array' }, null)).toBe(true)
    expect(refused({ type: 'array', items: { type: 'string' } }, '["a", "b"')).toBe(true)
    expect(coerced({ type: 'array', items: { $ref: '#' } }, 1)).toEqual([
      { path: '$', expected: 'array', received: '1' },
    ])
    expect(coerced({ type: 'array', items: { type: 'integer' } }, 'a')).toEqual([
      { path: '$', expected: 'array', received: '"a"' },
    ])
  })
})

describe('coercion finds its way', () => {
  it('through references, allOf, conditions, tuples and maps', () => {
    const integer = { $ref: '#/$defs/integer' }
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        a: { allOf: [integer, { minimum: 1 }] },
        b: { prefixItems: [integer], items: { type: 'boolean' } },
      },
      patternProperties: { '^n_': integer },
      additionalProperties: { type: 'boolean' },
      if: { properties: { kind: { const: true } }, required: ['c'] },
      then: { properties: { c: { type: 'array' } } },
      $defs: { integer: { type: 'integer' } },
    }
    expect(coerced(schema, { a: '2', b: ['1', 'true'], n_1: '3', d: 'false' })).toEqual({
      a: 2,
      b: [1, true],
      n_1: 3,
      d: false,
    })
  })

  it('keeps what already fits an alternative', () => {
    const either = { anyOf: [{ type: 'integer' }, { type: 'string' }] } as const
    expect(
      coerced({ properties: { a: either, b: { type: 'integer' } } }, { a: '1', b: '1' }),
    ).toEqual({ a: '1', b: 1 })
    expect(coerced({ type: ['integer', 'string'] }, '1')).toBe('1')
  })

  it('takes the first alternative that can be made to fit', () => {
    const schema = {
      anyOf: [
        { type: 'null' },
        { type: 'object', properties: { n: { type: 'integer' } } },
        { type: 'boolean' },
      ],
    } as const
    expect(coerced(schema, { n: '1' })).toEqual({ n: 1 })
    expect(coerced(schema, 'true')).toBe(true)
    expect(coerced({ oneOf: [{ type: 'integer' }, { type: 'null' }] }, '5')).toBe(5)
    const small = { type: 'integer', maximum: 5 } as const
    expect(coerced({ anyOf: [small, { type: 'array', items: { type: 'integer' } }] }, '9')).toEqual(
      [9],
    )
  })

  it('reads the type of constants', () => {
    expect(coerced({ enum: [1, 2] }, '2')).toBe(2)
    expect(coerced({ const: true }, 'true')).toBe(true)
  })

  it('fills in no defaults', () => {
    expect(
      coerced(
        { type: 'object', properties: { a: { default: 1 }, b: { type: 'integer' } } },
        { b: '1' },
      ),
    ).toEqual({ b: 1 })
  })

  it('keeps a key called __proto__ a key', () => {
    const value = JSON.parse('{"__proto__": "1", "a": "2"}')
    const result = coerced({ additionalProperties: { type: 'integer' } }, value) as object
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
    expect(Object.entries(result)).toEqual([
      ['__proto__', 1],
      ['a', 2],
    ])
  })

  it('tells what is wrong with what is left', () => {
    const schema = { properties: { a: { type: 'integer' }, b: { type: 'integer' } } } as const
    expect(coerced(schema, { a: '1', b: 'x' })).toEqual([
      { path: '$.b', expected: 'integer', received: '"x"' },
    ])
  })
})

describe('properties', () => {
  const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')
  const schemas = fc.letrec<{ schema: JsonSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.record({
        type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      }) as fc.Arbitrary<JsonSchema>,
      fc.record({ type: fc.constant('array' as const), items: tie('schema') }),
      fc.record({
        type: fc.constant('object' as const),
        properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('schema')),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      }),
      fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    ),
  })).schema
  const leaf = fc.oneof(
    fc.integer().map(String),
    fc.integer(),
    fc.constantFrom('true', 'false', 'null', 'a', '[1]', '{"a":"1"}'),
    fc.boolean(),
    fc.constant(null),
  )
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), tie('value')),
    ),
  })).value

  /** Every key that is in the text of a value, however deeply stringified. */
  const keysIn = (value: unknown): string[] => {
    if (typeof value === 'string') {
      try {
        const read: unknown = JSON.parse(value)
        return typeof read === 'object' ? keysIn(read) : []
      } catch {
        return []
      }
    }
    if (typeof value !== 'object' || value === null) return []
    const entries = Array.isArray(value) ? [] : Object.entries(value as object)
    // A null may stand for no value.
    const own = entries.filter(([, each]) => each !== null).map(([key]) => key)
    return [...own, ...Object.values(value).flatMap(keysIn)]
  }

  it('what comes out passes without coercion; keys with a value stay; the original is not touched', () => {
    let changed = 0
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const before = JSON.stringify(value)
        const result = compileSchema(schema).check(value)
        expect(JSON.stringify(value)).toBe(before)
        if (!result.ok) {
          expect(result.issues.length).toBeGreaterThan(0)
          return
        }
        expect(compileSchema(schema, { coerce: false }).check(result.value).ok).toBe(true)
        expect(keysIn(result.value).sort()).toEqual(keysIn(value).sort())
        if (result.value !== value) changed++
      }),
      { numRuns: 2000 },
    )
    expect(changed).toBeGreaterThan(50)
  })

  it('what fits already comes back itself', () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        if (!compileSchema(schema, { coerce: false }).check(value).ok) return
        expect(compileSchema(schema).check(value)).toEqual({ ok: true, value })
      }),
      { numRuns: 1000 },
    )
  })
})
