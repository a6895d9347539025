/** The fields of a form, and what a typed line means for each. */
import type { JsonSchema } from 'toolwright'
import { describe, expect, it } from 'vitest'
import { formFields, readField } from './form-field.ts'

const field = (schema: object) =>
  formFields({ type: 'object', properties: { it: schema } } as JsonSchema)[0]!
const read = (schema: object, typed: string) => readField(field(schema), typed)

describe('formFields', () => {
  it('have titles, and say which are required', () => {
    const fields = formFields({
      type: 'object',
      properties: {
        a: { type: 'string', title: 'The\n \x1b[2Jname', description: 'Of the guest' },
        b: { type: 'boolean', default: true },
      },
      required: ['a'],
    })
    expect(fields).toMatchObject([
      { name: 'a', title: 'The name', description: 'Of the guest', isRequired: true, kind: 'text' },
      { name: 'b', title: 'b', isRequired: false, default: true, kind: 'yes-no' },
    ])
  })

  it.each([
    [{ type: 'string', enum: ['s', 'm'] }, 'choice', ['s', 'm']],
    [{ type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Mid'] }, 'choice', ['Small', 'Mid']],
    [{ type: 'string', oneOf: [{ const: 's', title: 'Small' }] }, 'choice', ['Small']],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, 'choices', ['a', 'b']],
    [{ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }, 'choices', ['A']],
    [{ type: 'integer', enum: [1, 2] }, 'number', []],
    [{ type: 'object' }, 'json', []],
    [{}, 'json', []],
  ])('%j', (schema, kind, titles) => {
    const { choices, ...is } = field(schema)
    expect([is.kind, choices.map(({ title }) => title)]).toEqual([kind, titles])
  })
})

describe('readField', () => {
  const SIZES = { type: 'string', enum: ['2', 'small', '1'], enumNames: ['Two', 'Small', 'One'] }
  const MANY = { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, maxItems: 2 }

  it.each([
    [{ type: 'string' }, ' y', ' y'],
    [{ type: 'number' }, '1.5', 1.5],
    [{ type: 'integer' }, '-3', -3],
    [{ type: 'boolean' }, 'Yes', true],
    [{ type: 'boolean' }, 'n', false],
    [SIZES, 'SMALL', 'small'],
    [SIZES, 'one', '1'],
    [SIZES, '2', '2'],
    [SIZES, '3', '1'],
    [MANY, '1, c, a', ['a', 'c']],
    [{ type: 'object' }, '{"a":1}', { a: 1 }],
  ])('%j takes %j', (schema, typed, value) => {
    expect(read(schema, typed)).toEqual({ value })
  })

  it.each([
    [{ type: 'string', minLength: 3 }, 'ab'],
    [{ type: 'string', format: 'email' }, 'nobody'],
    [{ type: 'number' }, 'many'],
    [{ type: 'integer' }, '1.5'],
    [{ type: 'integer', maximum: 5 }, '6'],
    [{ type: 'boolean' }, 'maybe'],
    [SIZES, '4'],
    [SIZES, '0'],
    [MANY, '1, 2, 3'],
    [MANY, '1, x'],
    [{ type: 'object' }, '{'],
  ])('%j does not take %j, and says why', (schema, typed) => {
    expect(read(schema, typed)).toEqual({ problem: expect.stringMatching(/^\S.{3,}/) })
  })
})
