import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JsonSchema } from './json-schema.ts'
import { raiseNulls } from './raise-nulls.ts'
import { toJsonSchema } from './to-json-schema.ts'

describe('nulls for what is missing', () => {
  const schema = toJsonSchema(
    z.object({
      name: z.string(),
      note: z.string().optional(),
      maybe: z.string().nullable(),
      perhaps: z.string().nullish(),
      list: z.array(z.object({ n: z.number().optional() })).optional(),
      shape: z
        .discriminatedUnion('kind', [
          z.object({ kind: z.literal('a'), size: z.number().optional() }),
          z.object({ kind: z.literal('b'), size: z.number() }),
        ])
        .optional(),
    }),
  )

  it('leaves out nulls that stand for optional properties, and only those', () => {
    const said = {
      name: 'x',
      note: null,
      maybe: null,
      perhaps: null,
      list: [{ n: null }, { n: 1 }],
      shape: null,
    }
    expect(raiseNulls(schema, said)).toEqual({
      name: 'x',
      maybe: null,
      perhaps: null,
      list: [{}, { n: 1 }],
    })
  })

  it('what has none comes back itself, wrong or not', () => {
    for (const said of [{ name: null }, { name: 'x', other: null }, { list: [1] }, [null], null, 1])
      expect(raiseNulls(schema, said)).toBe(said)
    const unsure = { shape: { kind: 'a', size: null } }
    expect(raiseNulls(schema, unsure)).toBe(unsure)
  })

  it('follows references, also recursive ones', () => {
    const tree: JsonSchema = {
      type: 'object',
      properties: { name: { type: 'string' }, inner: { $ref: '#' } },
    }
    expect(raiseNulls(tree, { name: null, inner: { name: 'x', inner: null } })).toEqual({
      inner: { name: 'x' },
    })
  })
})
