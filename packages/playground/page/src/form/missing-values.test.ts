/** What a form does not send, because something that must be there is not. */
import { describe, expect, it } from 'vitest'
import type { Json, JsonSchema } from 'toolwright'
import { missingValues } from './missing-values.ts'

const ORDER: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    note: { type: 'string' },
    sizes: { type: 'array', items: { type: 'number' } },
    reason: { type: ['string', 'null'] },
    pay: {
      anyOf: [
        { type: 'object', properties: { card: { type: 'string' } }, required: ['card'] },
        { type: 'number' },
      ],
    },
    count: { type: 'integer', default: 1 },
  },
  required: ['name', 'sizes', 'reason', 'pay', 'count'],
}
const pathsOf = (schema: JsonSchema, value: Json | undefined) =>
  missingValues(schema, value).map(({ path }) => path.join('.'))

describe('missingValues', () => {
  it('names each required value that is not there', () => {
    expect(pathsOf(ORDER, {})).toEqual(['name', 'sizes', 'reason', 'pay'])
    expect(pathsOf({ type: 'number' }, undefined)).toEqual([''])
    expect(pathsOf({}, undefined)).toEqual([''])
  })

  it('looks into lists and into the form that was chosen', () => {
    const value = { name: '', sizes: [1, null], reason: 'gift', pay: {} }
    expect(pathsOf(ORDER, value)).toEqual(['name', 'sizes.1', 'pay.card'])
  })

  it('lets null and empty texts through where they are values', () => {
    const value = { name: 'Ada', note: '', sizes: [], reason: null, pay: 3 }
    expect(pathsOf(ORDER, value)).toEqual([])
    expect(pathsOf({}, null)).toEqual([])
    expect(pathsOf({ type: 'null' }, null)).toEqual([])
  })
})
