/**
 * The meta-schemas of draft 2020-12, which the conformance suite refers to but does not hold. Only
 * what they say about shape: titles and defaults are left out.
 */
const BASE = 'https://json-schema.org/draft/2020-12/'

const nonNegative = { type: 'integer', minimum: 0 }
const meta = { $dynamicRef: '#meta' }
const map = { type: 'object', additionalProperties: meta }
const list = { type: 'array', minItems: 1, items: meta }
const strings = { type: 'array', items: { type: 'string' }, uniqueItems: true }
const bool = { type: 'boolean' }
const text = { type: 'string' }
const number = { type: 'number' }

function vocabulary(name: string, properties: object, $defs: object = {}): [string, object] {
  const $id = `${BASE}meta/${name}`
  const schema = {
    $schema: `${BASE}schema`,
    $id,
    $dynamicAnchor: 'meta',
    type: ['object', 'boolean'],
    properties,
    $defs,
  }
  return [$id, schema]
}

const vocabularies: readonly [string, object][] = [
  vocabulary(
    'core',
    {
      $id: { type: 'string', format: 'uri-reference', pattern: '^[^#]*#?$' },
      $schema: { type: 'string', format: 'uri' },
      $ref: { type: 'string', format: 'uri-reference' },
      $anchor: { $ref: '#/$defs/anchorString' },
      $dynamicRef: { type: 'string', format: 'uri-reference' },
      $dynamicAnchor: { $ref: '#/$defs/anchorString' },
      $vocabulary: { type: 'object', propertyNames: text, additionalProperties: bool },
      $comment: text,
      $defs: map,
    },
    { anchorString: { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' } },
  ),
  vocabulary('applicator', {
    prefixItems: list,
    items: meta,
    contains: meta,
    additionalProperties: meta,
    properties: map,
    patternProperties: { ...map, propertyNames: { format: 'regex' } },
    dependentSchemas: map,
    propertyNames: meta,
    if: meta,
    then: meta,
    else: meta,
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: meta,
  }),
  vocabulary('unevaluated', { unevaluatedItems: meta, unevaluatedProperties: meta }),
  vocabulary(
    'validation',
    {
      type: {
        anyOf: [
          { $ref: '#/$defs/simpleTypes' },
          { type: 'array', items: { $ref: '#/$defs/simpleTypes' }, minItems: 1, uniqueItems: true },
        ],
      },
      const: true,
      enum: { type: 'array', items: true },
      multipleOf: { type: 'number', exclusiveMinimum: 0 },
      maximum: number,
      exclusiveMaximum: number,
      minimum: number,
      exclusiveMinimum: number,
      maxLength: nonNegative,
      minLength: nonNegative,
      pattern: { type: 'string', format: 'regex' },
      maxItems: nonNegative,
      minItems: nonNegative,
      uniqueItems: bool,
      maxContains: nonNegative,
      minContains: nonNegative,
      maxProperties: nonNegative,
      minProperties: nonNegative,
      required: strings,
      dependentRequired: { type: 'object', additionalProperties: strings },
    },
    {
      simpleTypes: { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] },
    },
  ),
  vocabulary('meta-data', {
    title: text,
    description: text,
    default: true,
    deprecated: bool,
    readOnly: bool,
    writeOnly: bool,
    examples: { type: 'array', items: true },
  }),
  vocabulary('format-annotation', { format: text }),
  vocabulary('content', { contentEncoding: text, contentMediaType: text, contentSchema: meta }),
]

const root = {
  $schema: `${BASE}schema`,
  $id: `${BASE}schema`,
  $vocabulary: Object.fromEntries(
    vocabularies.map(([uri]) => [uri.replace('/meta/', '/vocab/'), true]),
  ),
  $dynamicAnchor: 'meta',
  type: ['object', 'boolean'],
  allOf: vocabularies.map(([uri]) => ({ $ref: uri.slice(BASE.length) })),
  properties: {
    definitions: map,
    dependencies: { type: 'object', additionalProperties: { anyOf: [meta, strings] } },
    $recursiveAnchor: text,
    $recursiveRef: text,
  },
}

export const META_SCHEMAS: ReadonlyMap<string, unknown> = new Map([
  [root.$id, root],
  ...vocabularies,
])
