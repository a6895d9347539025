/** What the compiler knows about an entity: checked by `npm run test:types`, never executed. */
import { type } from 'arktype'
import type { CallRun, StreamRun } from 'toolwright'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

declare const run: CallRun
declare const stream: StreamRun

describe('an entity', () => {
  it('is what a Standard Schema puts out', async () => {
    const schema = z.object({
      city: z.string(),
      on: z.iso.date().transform((text) => new Date(text)),
      unit: z.enum(['c', 'f']).default('c'),
    })
    const entity = await run.entity(schema)
    expectTypeOf(entity).toEqualTypeOf<{ city: string; on: Date; unit: 'c' | 'f' }>()
    expectTypeOf(await run.entity(type({ city: 'string' }))).toEqualTypeOf<{ city: string }>()
  })

  it('is the value itself when the schema is no object', async () => {
    expectTypeOf(await run.entity(z.array(z.number()))).toEqualTypeOf<number[]>()
    expectTypeOf(await run.entity({ enum: ['good', 'bad'] })).toEqualTypeOf<'good' | 'bad'>()
  })

  it('follows a plain JSON Schema', async () => {
    const entity = await run.entity({
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    })
    expectTypeOf(entity.city).toEqualTypeOf<string>()
    expectTypeOf(entity.days).toEqualTypeOf<number | undefined>()
  })

  it('needs a schema, and a call', () => {
    // @ts-expect-error a record of schemas is none
    void run.entity({ city: z.string() })
    // @ts-expect-error nothing to check by
    void run.entity()
    // @ts-expect-error a stream has text only
    void stream.entity(z.string())
  })
})
