import { type } from 'arktype'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { InferInput } from './infer-schema.ts'
import type { JsonSchema } from './json-schema.ts'

type Flat<T> = { [Key in keyof T]: T[Key] }
type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles only when the types are equal. */
function same<A, B>(_equal: Equal<A, B>): void {
  expect(_equal).toBe(true)
}
const json = <const Schema extends JsonSchema>(schema: Schema): Schema => schema

it('a Standard Schema gives its output', () => {
  const _zod = z.object({ n: z.string().transform(Number), d: z.string().default('x') })
  same<InferInput<typeof _zod>, { n: number; d: string }>(true)
  const _ark = type({ a: 'string', 'b?': 'number' })
  same<InferInput<typeof _ark>, { a: string; b?: number }>(true)
  same<InferInput<undefined>, Record<string, never>>(true)
})

it('a JSON Schema literal gives what it describes', () => {
  const _object = json({
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer' },
      unit: { enum: ['c', 'f'] },
      kind: { const: 'a' },
      tags: { type: 'array', items: { type: 'string' } },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
      maybe: { type: ['boolean', 'null'] },
      either: { anyOf: [{ type: 'string' }, { type: 'object', properties: {}, required: [] }] },
      map: { type: 'object', additionalProperties: { type: 'number' } },
      any: {},
    },
    required: ['city', 'unit'],
  })
  type Input = Flat<InferInput<typeof _object>>
  same<Pick<Input, 'city' | 'unit'>, { city: string; unit: 'c' | 'f' }>(true)
  same<Input['days'], number | undefined>(true)
  same<Input['kind'], 'a' | undefined>(true)
  same<Input['tags'], string[] | undefined>(true)
  same<Input['pair'], [string, number] | undefined>(true)
  same<Input['maybe'], boolean | null | undefined>(true)
  same<Input['map'], Record<string, number> | undefined>(true)
  same<Input['any'], unknown>(true)
  const required: Input = { city: 'Oslo', unit: 'c', either: 'x' }
  expect(required.city).toBe('Oslo')
  // @ts-expect-error city is required
  const missing: Input = { unit: 'c' }
  expect(missing).toBeDefined()
})

it('what cannot be read is unknown', () => {
  same<InferInput<JsonSchema>, unknown>(true)
  same<InferInput<{ readonly $ref: '#/$defs/x' }>, unknown>(true)
  same<InferInput<{ readonly type: 'object' }>, Record<string, unknown>>(true)
})
