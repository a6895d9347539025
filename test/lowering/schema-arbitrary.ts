/** Schemas of every kind, for the properties of lowering. Made by a seeded source of chance, so that a failure comes again. */
import fc from 'fast-check'

export type Schema = { [keyword: string]: unknown }

/** The keywords that must occur. */
export const KEYWORDS =
  '$defs $ref $anchor definitions type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format items prefixItems additionalItems contains minContains maxContains minItems maxItems uniqueItems unevaluatedItems properties patternProperties additionalProperties propertyNames required minProperties maxProperties dependentRequired dependentSchemas unevaluatedProperties allOf anyOf oneOf not if then else title description default examples deprecated readOnly writeOnly contentEncoding contentMediaType $comment'.split(
    ' ',
  )

const NAMES = ['a', 'b', 'x-1', '__proto__']
const name = fc.constantFrom(...NAMES)
const scalar = fc.constantFrom<unknown>('a', 'b', '[1]', 1, 2, 2.5, true, null)
const constant = fc.oneof(
  { weight: 5, arbitrary: scalar },
  fc.constantFrom<unknown>([1], { a: 1 }, [], {}),
)
const small = fc.integer({ min: 0, max: 3 })

/** Keeps some of the keywords. */
const some = (keywords: { [keyword: string]: fc.Arbitrary<unknown> }): fc.Arbitrary<Schema> =>
  fc.record(keywords, { requiredKeys: [] }) as fc.Arbitrary<Schema>

const rarely = (schema: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, schema)

const words = rarely(
  some({
    title: fc.constant('Title'),
    description: fc.constant('Words'),
    default: scalar,
    examples: fc.constant(['a']),
    deprecated: fc.boolean(),
    readOnly: fc.boolean(),
    writeOnly: fc.boolean(),
    $comment: fc.constant('for authors'),
  }),
)

const named = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<{ [name: string]: Value }> =>
  fc
    .uniqueArray(fc.tuple(name, value), { maxLength: 3, selector: ([key]) => key })
    .map((entries) => Object.fromEntries(entries))

function merged(...schemas: fc.Arbitrary<Schema>[]): fc.Arbitrary<Schema> {
  return fc.tuple(...schemas).map((all) => Object.assign({}, ...all) as Schema)
}

const { node } = fc.letrec<{ node: unknown; deep: unknown }>((tie) => {
  const inner = tie('node')
  const leaf = fc.oneof(
    merged(fc.constant({ type: 'string' }), words, rarely(some({ minLength: small, maxLength: fc.integer({ min: 1, max: 4 }), pattern: fc.constantFrom('^a', 'b$'), format: fc.constantFrom('date', 'uuid', 'x-own'), contentEncoding: fc.constant('base64'), contentMediaType: fc.constant('text/plain') }))), // prettier-ignore
    merged(fc.constantFrom({ type: 'integer' }, { type: 'number' }), words, rarely(some({ minimum: small, maximum: fc.integer({ min: 2, max: 5 }), exclusiveMinimum: small, exclusiveMaximum: fc.integer({ min: 2, max: 5 }), multipleOf: fc.constantFrom(1, 2, 0.5) }))), // prettier-ignore
    fc.constantFrom<Schema>({ type: 'boolean' }, { type: 'null' }, { type: ['string', 'null'] }, { type: ['integer', 'boolean'] }), // prettier-ignore
    merged(fc.uniqueArray(constant, { minLength: 1, maxLength: 4, selector: (each) => JSON.stringify(each) }).map((members) => ({ enum: members })), words), // prettier-ignore
    merged(
      constant.map((each) => ({ const: each })),
      words,
    ),
  )
  const object = merged(
    fc.oneof(
      { weight: 5, arbitrary: fc.constant({ type: 'object' }) },
      fc.constantFrom<Schema>({}, { type: ['object', 'null'] }),
    ),
    words,
    fc.oneof({ weight: 4, arbitrary: named(inner).map((properties) => ({ properties })) }, fc.constant({})), // prettier-ignore
    some({ required: fc.uniqueArray(name, { maxLength: 2 }), additionalProperties: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, inner, fc.boolean()) }), // prettier-ignore
    rarely(some({ patternProperties: fc.oneof(inner.map((each) => ({ '^x-': each })), inner.map((each) => ({ '^b': each }))), propertyNames: fc.constantFrom({ pattern: '^[a-z]' }, { enum: ['a', 'b'] }, { maxLength: 3 }) })), // prettier-ignore
    rarely(some({ minProperties: small, maxProperties: small, dependentRequired: fc.constant({ a: ['b'] }), dependentSchemas: inner.map((each) => ({ a: each })), unevaluatedProperties: fc.oneof(fc.constant(false), inner) })), // prettier-ignore
  )
  const list = merged(
    fc.oneof(
      { weight: 5, arbitrary: fc.constant({ type: 'array' }) },
      fc.constantFrom<Schema>({}, { type: ['array', 'string'] }),
    ),
    words,
    fc.oneof(
      { weight: 4, arbitrary: some({ items: inner }) },
      fc.record({ prefixItems: fc.array(inner, { minLength: 1, maxLength: 2 }), items: fc.oneof(inner, fc.constant(false)) }, { requiredKeys: ['prefixItems'] }), // prettier-ignore
      fc.record({ items: fc.array(inner, { minLength: 1, maxLength: 2 }), additionalItems: fc.oneof(inner, fc.constant(false)) }), // prettier-ignore
    ),
    rarely(some({ minItems: small, maxItems: small, uniqueItems: fc.boolean() })),
    rarely(some({ contains: inner, minContains: small, maxContains: small, unevaluatedItems: fc.oneof(fc.constant(false), inner) })), // prettier-ignore
  )
  const alternatives = fc.array(inner, { minLength: 1, maxLength: 3 })
  const composed = merged(
    fc.oneof(
      alternatives.map((anyOf): Schema => ({ anyOf })),
      alternatives.map((oneOf): Schema => ({ oneOf })),
      fc.array(inner, { minLength: 1, maxLength: 2 }).map((allOf): Schema => ({ allOf })),
      fc.constantFrom<Schema>({ $ref: '#/$defs/one' }, { $ref: '#/$defs/two' }, { $ref: '#' }, { $ref: '#/definitions/old' }, { $ref: '#here' }), // prettier-ignore
    ),
    words,
    rarely(fc.oneof(object, leaf)),
  )
  const conditional = merged(
    fc.oneof(object, leaf),
    some({ not: inner, if: inner, then: inner, else: inner }),
  )
  const boolean = fc.constantFrom<unknown>(true, false, {})
  return {
    deep: fc.oneof({ weight: 4, arbitrary: leaf }, object, list, composed, conditional, boolean),
    node: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'schema' },
      { weight: 6, arbitrary: leaf },
      { weight: 4, arbitrary: object },
      { weight: 2, arbitrary: list },
      { weight: 3, arbitrary: composed },
      { weight: 1, arbitrary: conditional },
      { weight: 1, arbitrary: boolean },
    ),
  }
})

/** A whole schema with definitions to refer to, of which one refers to itself. */
export const schemas: fc.Arbitrary<Schema> = fc
  .tuple(node, node, node, node)
  .map(([root, one, two, old]) => {
    const top = (typeof root === 'boolean' ? {} : root) as Schema
    const here = { type: 'object', properties: { again: { $ref: '#here' }, n: { type: 'integer' } }, required: ['n'], additionalProperties: false } // prettier-ignore
    return {
      ...top,
      $defs: { one, two, here: { $anchor: 'here', ...here } },
      definitions: { old },
    }
  })

/** How often each keyword stands in a schema. */
export function countKeywords(schema: unknown, counts: Map<string, number>): void {
  if (Array.isArray(schema)) for (const each of schema) countKeywords(each, counts)
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return
  for (const [key, value] of Object.entries(schema)) {
    counts.set(key, (counts.get(key) ?? 0) + 1)
    countKeywords(value, counts)
  }
}
