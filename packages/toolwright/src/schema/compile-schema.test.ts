import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../errors/errors.ts'
import { compileSchema } from './compile-schema.ts'
import { describeIssue } from '../errors/issue.ts'
import type { JsonSchema } from './json-schema.ts'

function issuesOf(schema: JsonSchema | boolean, value: unknown): string[] {
  const result = compileSchema(schema, { coerce: false }).check(value)
  return result.ok ? [] : result.issues.map(describeIssue)
}

const alarm = {
  type: 'object',
  properties: {
    time: { type: 'string', format: 'date-time' },
    repeat: { type: 'array', items: { enum: ['mon', 'tue'] }, maxItems: 2 },
    volume: { type: 'integer', minimum: 0, maximum: 10 },
  },
  required: ['time'],
  additionalProperties: false,
} as const satisfies JsonSchema

describe('issues', () => {
  it('say where, what was expected and what was there', () => {
    expect(
      issuesOf(alarm, { time: 'soon', repeat: ['mon', 'wed', 'tue'], volume: 11.5, x: 1 }),
    ).toEqual([
      '$.time: expected date-time, received "soon"',
      '$.repeat: expected at most 2 items, received array of 3',
      '$.repeat[1]: expected one of "mon", "tue", received "wed"',
      '$.volume: expected integer, received 11.5',
      '$.volume: expected at most 10, received 11.5',
      '$.x: expected no property of this name, received 1',
    ])
  })

  it('name a missing property by its path and type', () => {
    expect(issuesOf(alarm, {})).toEqual(['$.time: expected string (required), received nothing'])
  })

  it('take an own undefined for a missing property', () => {
    expect(issuesOf(alarm, { time: undefined, extra: undefined })).toEqual([
      '$.time: expected string (required), received nothing',
    ])
  })

  it('quote odd keys in paths', () => {
    const schema = { additionalProperties: { items: { type: 'null' } } } as const
    expect(issuesOf(schema, { 'odd "key"': [null, 1] })).toEqual([
      '$["odd \\"key\\""][1]: expected null, received 1',
    ])
  })

  it('stop at ten', () => {
    expect(issuesOf({ items: { type: 'string' } }, Array(100).fill(1))).toHaveLength(10)
  })

  it('shorten what was received on a code point and keep it well-formed', () => {
    for (const length of [75, 76, 77, 78, 79, 80]) {
      const [issue] = issuesOf({ type: 'number' }, 'a'.repeat(length) + '😀'.repeat(60))
      expect(issue!.length).toBeLessThan(140)
      expect(issue).not.toMatch(/\p{Surrogate}|\uFFFD/u)
    }
    expect(issuesOf({ type: 'number' }, '\uD800')).toEqual([
      '$: expected number, received "\\ud800"',
    ])
  })

  it('name the keys of an object that should be something else', () => {
    expect(issuesOf({ type: 'string' }, { a: 1, b: 2 })).toEqual([
      '$: expected string, received object with "a", "b"',
    ])
  })

  it('stand for every keyword', () => {
    const failing: [JsonSchema | boolean, unknown, string][] = [
      [false, 1, 'no property of this name'],
      [{ const: { a: [1] } }, { a: [2] }, '{"a":[1]}'],
      [{ exclusiveMinimum: 1 }, 1, 'more than 1'],
      [{ exclusiveMaximum: 1 }, 1, 'less than 1'],
      [{ multipleOf: 0.01 }, 0.015, 'a multiple of 0.01'],
      [{ minLength: 2 }, '😀', 'at least 2 characters'],
      [{ maxLength: 1 }, 'ab', 'at most 1 character'],
      [{ pattern: '^a' }, 'b', 'text that matches ^a'],
      [{ pattern: `^${'a'.repeat(80)}`, format: 'color' }, 'b', 'color'],
      [
        { uniqueItems: true },
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        'items that all differ',
      ],
      [{ contains: { const: 1 } }, [2], 'at least 1 fitting item'],
      [{ contains: { const: 1 }, maxContains: 1 }, [1, 1], 'at most 1 fitting item'],
      [{ minProperties: 1 }, {}, 'at least 1 key'],
      [{ maxProperties: 0 }, { a: 1 }, 'at most 0 keys'],
      [{ not: { type: 'string' } }, '', 'a value that the schema does not exclude'],
      [{ oneOf: [true, true] }, 1, 'a value that fits exactly one of the alternatives, not 2'],
      [{ type: ['string', 'null'] }, 1, 'string or null'],
      [{ type: 'number' }, NaN, 'number'],
      [{ minimum: 2 }, 1, 'at least 2'],
      [{ minItems: 2 }, [1], 'at least 2 items'],
    ]
    for (const [schema, value, expected] of failing) {
      const result = compileSchema(schema, { coerce: false }).check(value)
      expect(result).toMatchObject({ ok: false, issues: [{ path: '$', expected }] })
    }
  })
})

describe('unions', () => {
  const shape = {
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
        required: ['kind', 'radius'],
      },
      {
        type: 'object',
        properties: {
          kind: { const: 'square' },
          side: { type: 'number' },
          turn: { type: 'number' },
        },
        required: ['kind'],
      },
    ],
  } as const

  it('report on the alternative that was meant', () => {
    expect(issuesOf(shape, { kind: 'square', side: 'x', turn: 'y' })).toEqual([
      '$.side: expected number, received "x"',
      '$.turn: expected number, received "y"',
    ])
  })

  it('name all alternatives when none comes near', () => {
    expect(issuesOf({ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1)).toEqual([
      '$: expected string or null, received 1',
    ])
    expect(issuesOf({ anyOf: [{ const: 'a' }, { const: 'b' }] }, 'c')).toEqual([
      '$: expected "a" or "b", received "c"',
    ])
  })
})

describe('hostile values', () => {
  const hostile = JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":{}},"toString":1}')

  it('have own keys only', () => {
    expect(issuesOf({ required: ['toString', '__proto__', 'constructor'] }, {})).toHaveLength(3)
    expect(issuesOf({ required: ['toString', '__proto__', 'constructor'] }, hostile)).toEqual([])
    const schema = { type: 'object', properties: {}, additionalProperties: false } as const
    expect(issuesOf(schema, hostile).map((issue) => issue.split(':')[0])).toEqual([
      '$.__proto__',
      '$.constructor',
      '$.toString',
    ])
  })

  it('are refused when they are too deep, whatever the schema', () => {
    const deep = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000))
    const schemas: JsonSchema[] = [
      { items: { $ref: '#' } },
      { anyOf: [{ items: { $ref: '#' } }, { type: 'string' }] },
      { items: { $ref: '#' }, unevaluatedItems: false },
      { uniqueItems: true },
      { const: [] },
      { type: 'object' },
      { items: { $dynamicRef: '#a' }, $dynamicAnchor: 'a' },
    ]
    for (const schema of schemas) {
      for (const coerce of [true, false]) {
        expect(compileSchema(schema, { coerce }).check(deep).ok).toBe(false)
      }
    }
    expect(compileSchema({ type: 'array' }).check(deep).ok).toBe(true)
  })

  it('are accepted down to a hundred levels, unions and all', () => {
    const node = {
      anyOf: [{ type: 'null' }, { type: 'object', properties: { next: { $ref: '#' } } }],
    } as const
    let value: object | null = null
    for (let level = 0; level < 100; level++) value = { next: value }
    expect(compileSchema(node).check(value).ok).toBe(true)
    // Far from the end of the stack, wherever that is.
    const deeper = JSON.parse('['.repeat(300) + ']'.repeat(300))
    expect(compileSchema({ items: { $ref: '#' } }).check(deeper).ok).toBe(false)
  })

  it('are refused, not thrown at, when the caller has used up the stack', () => {
    const deep = JSON.parse('['.repeat(200) + ']'.repeat(200))
    const checker = compileSchema({ items: { $ref: '#' } })
    expect(checker.check(deep).ok).toBe(true)
    let refused = false
    const dive = (): void => {
      try {
        dive()
      } catch {
        return
      }
      try {
        // On the way up, the first check that has room enough to begin.
        refused ||= !checker.check(deep).ok
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(RangeError)
      }
    }
    dive()
    expect(refused).toBe(true)
  })

  it('stay what they are: cyclic, exotic, or without a prototype', () => {
    const cyclic: { next?: object } = {}
    cyclic.next = cyclic
    const schema = { properties: { next: { $ref: '#' } }, enum: [{}] } as const
    expect(compileSchema(schema).check(cyclic).ok).toBe(false)
    const exotic = { a: 10n, b: () => 1, c: Symbol('x') }
    expect(issuesOf({ additionalProperties: { type: 'integer' } }, exotic)).toHaveLength(3)
    const bare = Object.assign(Object.create(null), { a: '1' })
    expect(compileSchema({ properties: { a: { type: 'integer' } } }).check(bare)).toEqual({
      ok: true,
      value: { a: 1 },
    })
  })

  it('are explained where alternatives that share a member recurse', () => {
    const node = (kind: string): object => ({
      type: 'object',
      properties: {
        kids: { type: 'array', items: { $ref: '#' } },
        kind: { const: kind },
        n: { type: 'number' },
      },
      required: ['kind'],
      additionalProperties: false,
    })
    const checker = compileSchema({ oneOf: ['a', 'b', 'c', 'd'].map(node) })
    const chain = (leaf: unknown): object => {
      let value: object = { kind: 'd', n: leaf }
      for (let level = 0; level < 40; level++) value = { kids: [value], kind: 'c' }
      return value
    }
    expect(checker.check(chain(1))).toEqual({ ok: true, value: chain(1) })
    expect(checker.check(chain('1'))).toEqual({ ok: true, value: chain(1) })
    const path = `$${'.kids[0]'.repeat(40)}.n`
    expect(checker.check(chain('x'))).toEqual({
      ok: false,
      issues: [{ path, expected: 'number', received: '"x"' }],
    })
  })

  it('are checked in bounded work where alternatives recurse', () => {
    const schema = {
      anyOf: [
        { type: 'object', properties: { next: { $ref: '#' } }, required: ['a'] },
        { type: 'object', properties: { next: { $ref: '#' } }, required: ['b'] },
        {
          type: 'object',
          properties: { next: { $ref: '#' }, n: { type: 'integer' } },
          required: ['c'],
        },
      ],
    } as const
    let value: object = { n: 'x' }
    for (let level = 0; level < 100; level++) value = { next: value }
    expect(compileSchema(schema).check(value).ok).toBe(false)
  })
})

describe('references', () => {
  it('follow recursion through $defs', () => {
    const schema = {
      $ref: '#/$defs/tree',
      $defs: {
        tree: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/$defs/tree' } },
          },
          required: ['name'],
        },
      },
    } as const
    expect(issuesOf(schema, { name: 'a', children: [{ name: 'b', children: [{}] }] })).toEqual([
      '$.children[0].children[0].name: expected string (required), received nothing',
    ])
  })

  it('that lead nowhere, and patterns that are none, are configuration errors', () => {
    for (const schema of [
      { $ref: '#/$defs/none' },
      { $ref: 'other.json' },
      { pattern: '(' },
    ] as const) {
      expect(() => compileSchema(schema).check('x')).toThrow(ConfigurationError)
    }
    expect(compileSchema({ properties: { a: { $ref: '#/none' } } }).check({}).ok).toBe(true)
  })

  it('find other documents they are given', () => {
    const remotes = { 'https://example.com/city': { type: 'string' } }
    const checker = compileSchema({ $ref: 'https://example.com/city' }, { remotes })
    expect(checker.check('Oslo').ok).toBe(true)
    expect(checker.check(1).ok).toBe(false)
  })

  it('that go in circles end', () => {
    expect(compileSchema({ $ref: '#' }).check({}).ok).toBe(false)
  })
})

it('reads patterns that only compile without unicode rules', () => {
  expect(issuesOf({ pattern: '^[\\w-.]+$' }, 'a-b.c')).toEqual([])
  expect(issuesOf({ pattern: '^[\\w-.]+$' }, 'a b')).toHaveLength(1)
})

it('reads the older spelling of tuples', () => {
  const schema = { items: [{ type: 'integer' }], additionalItems: false } as const
  expect(issuesOf(schema as JsonSchema, ['x'])).toEqual(['$[0]: expected integer, received "x"'])
  expect(issuesOf(schema as JsonSchema, [1, 2])).toEqual([
    '$[1]: expected no item here, received 2',
  ])
})

it('does not stumble over operands that make no sense', () => {
  const operands = [null, 0, 'x', true, [], {}]
  const keywords =
    'type required properties items prefixItems enum minimum anyOf allOf patternProperties dependentRequired dependentSchemas additionalProperties if contains multipleOf uniqueItems format propertyNames $defs unevaluatedItems'
  for (const keyword of keywords.split(' ')) {
    for (const operand of operands) {
      for (const value of [{ a: 1 }, [1], 'a', 1]) {
        expect(() => compileSchema({ [keyword]: operand }).check(value)).not.toThrow()
      }
    }
  }
})

it('formats are asserted unless switched off', () => {
  expect(compileSchema({ format: 'email' }).check('x').ok).toBe(false)
  expect(compileSchema({ format: 'email' }, { formats: false }).check('x').ok).toBe(true)
  expect(compileSchema({ format: 'nobody-knows' }).check('x').ok).toBe(true)
})
