import { describe, expect, it } from 'vitest'
import { checkKeywords } from './check-keywords.ts'

const checking = (schema: object) => () => checkKeywords(schema)
const inside = (property: object) => ({ type: 'object', properties: { city: property } })

describe('a type that does not exist is refused:', () => {
  it.each(['strng', 'int', 'STRING', 'any', 'float', '', 5, {}])('%j', (type) => {
    expect(checking({ type })).toThrow(/\$\.type of the schema is .*one of string, number, integer/)
    expect(checking(inside({ type: ['null', type] }))).toThrow('$.properties.city.type')
  })

  it('with the one that was meant', () => {
    expect(checking({ type: 'strng' })).toThrow('Did you mean "string"?')
    expect(checking({ type: 'Object' })).toThrow('Did you mean "object"?')
  })
})

describe('a misspelt keyword is refused:', () => {
  it.each([
    ['propertys', 'properties'],
    ['property', 'properties'],
    ['propeties', 'properties'],
    ['Properties', 'properties'],
    ['requierd', 'required'],
    ['require', 'required'],
    ['requires', 'required'],
    ['minLenght', 'minLength'],
    ['minlength', 'minLength'],
    ['min_length', 'minLength'],
    ['maxItem', 'maxItems'],
    ['descripton', 'description'],
    ['desciption', 'description'],
    ['additionalProperty', 'additionalProperties'],
    ['additonalProperties', 'additionalProperties'],
    ['item', 'items'],
    ['itmes', 'items'],
    ['enums', 'enum'],
    ['tpye', 'type'],
    ['types', 'type'],
    ['anyof', 'anyOf'],
    ['ref', '$ref'],
    ['defualt', 'default'],
    ['formt', 'format'],
    ['patern', 'pattern'],
    ['exclusiveMinimun', 'exclusiveMinimum'],
    ['multiple_of', 'multipleOf'],
  ])('%s for %s', (word, meant) => {
    expect(checking({ [word]: {} })).toThrow(
      `$.${word} of the schema is no keyword. Did you mean "${meant}"?`,
    )
    expect(checking({ type: 'array', items: inside({ [word]: 1 }) })).toThrow(
      `$.items.properties.city.${word} of`,
    )
  })

  it.each(['$defs', 'anyOf', 'allOf', 'oneOf', 'prefixItems'])('inside %s', (keyword) => {
    const part = { minLenght: 1 }
    expect(checking({ [keyword]: keyword === '$defs' ? { part } : [part] })).toThrow('minLenght')
  })
})

describe('a keyword of another vocabulary passes, and is reported:', () => {
  it.each(
    'x-order x-enum-names nullable discriminator xml externalDocs example id comment dependencies note when name label unit units order errorMessage enumNames markdownDescription tsType propertyOrdering propertyOrder formatMinimum formatMaximum allRequired deepProperties deepRequired instanceof transform $recursiveRef minDate maxWords contentType optional subtitle group'.split(
      ' ',
    ),
  )('%s', (word) => {
    expect(checkKeywords(inside({ type: 'string', [word]: true }))).toEqual([word])
  })

  it('each once; names of properties, constants and examples are no keywords', () => {
    const node = { type: 'string', 'x-a': 1, enum: ['propertys'], default: { requierd: 1 } }
    const properties = { propertys: node, requierd: { 'x-a': 2, const: { tpye: 1 } } }
    expect(checkKeywords({ type: 'object', properties, examples: [{ minLenght: 1 }] })).toEqual([
      'x-a',
    ])
  })

  it('what a library marks for itself is not reported', () => {
    expect(checkKeywords({ '~kind': 'String', type: 'string' })).toEqual([])
  })
})

describe('a required key that no property has is refused', () => {
  const city = { type: 'string' }

  it.each([
    ['beside properties', { type: 'object', properties: { city }, required: ['citty'] }],
    ['without properties', { type: 'object', required: ['citty'] }],
    [
      'of a closed object',
      { properties: { city }, required: ['citty'], additionalProperties: false },
    ],
    ['of an item', { type: 'array', items: { properties: { city }, required: ['citty'] } }],
    ['of a definition', { $defs: { a: { properties: { city }, required: ['citty'] } } }],
    ['of an alternative', { anyOf: [{ properties: { city }, required: ['citty'] }] }],
    ['of composed parts', { allOf: [{ properties: { city } }], required: ['citty'] }],
  ])('%s', (_name, schema) => {
    expect(checking(schema)).toThrow(/required of the schema names "citty", which is no property\./)
  })

  it('with the one that was meant, and what to write', () => {
    expect(checking({ properties: { city }, required: ['citty'] })).toThrow(
      'Did you mean "city"? Name it in properties, or say additionalProperties: true.',
    )
  })

  it.each([
    ['an open object', { required: ['id'], additionalProperties: true }],
    ['a map', { required: ['id'], additionalProperties: { type: 'string' } }],
    ['names by pattern', { required: ['id'], patternProperties: { '^i': {} } }],
    ['a part', { properties: { city }, allOf: [{ required: ['city'] }] }],
    ['a choice', { properties: { city }, anyOf: [{ required: ['city'] }, { required: ['town'] }] }],
    [
      'a condition',
      { properties: { city }, if: { required: ['city'] }, then: { required: ['x'] } },
    ],
    ['an exclusion', { properties: { city }, not: { required: ['town'] } }],
    ['a reference', { $ref: '#/$defs/a', required: ['x'], $defs: { a: { required: ['y'] } } }],
    ['parts', { allOf: [{ properties: { city } }, { $ref: '#/$defs/a' }], required: ['x'] }],
    ['one of its parts', { allOf: [{ properties: { city } }], required: ['city'] }],
    ['no name', { properties: { city }, required: [] }],
  ])('but may be in %s', (_name, schema) => {
    expect(checkKeywords(schema)).toEqual([])
  })
})

describe('what has the wrong form is refused', () => {
  it.each([
    [{ properties: { city: { type: 'string', required: true } } }, '$.properties.city.required'],
    [{ properties: { city: 'string' } }, '$.properties.city of the schema is "string"'],
    [{ properties: ['city'] }, '$.properties of the schema is an object of schemas'],
    [{ items: 'string' }, '$.items of the schema is "string"'],
    [{ enum: 'C' }, '$.enum of the schema is a list'],
    [{ anyOf: [null] }, '$.anyOf of the schema is null'],
  ])('%j', (schema, words) => expect(checking(schema)).toThrow(words))
})

it('a schema that contains itself ends', () => {
  const loop: { items?: object } = {}
  loop.items = loop
  expect(checkKeywords(loop)).toEqual([])
})
