/** What the compiler knows about a tool: checked by `npm run test:types`, never executed. */
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { tool, toolRegistry, type ToolCallback, type ToolContext } from 'toolwright'
import * as v from 'valibot'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

describe('the input of execute', () => {
  it('is what a zod schema puts out', () => {
    tool({
      name: 'forecast',
      input: z.object({
        city: z.string(),
        days: z.number().optional(),
        unit: z.enum(['c', 'f']).default('c'),
        from: z.iso.date().transform((text) => new Date(text)),
      }),
      execute: (input) => {
        expectTypeOf(input.city).toEqualTypeOf<string>()
        expectTypeOf(input.days).toEqualTypeOf<number | undefined>()
        expectTypeOf(input.unit).toEqualTypeOf<'c' | 'f'>()
        expectTypeOf(input.from).toEqualTypeOf<Date>()
        // @ts-expect-error there is no such field
        return input.country as unknown
      },
    })
  })

  it('is the value itself when the schema is no object', () => {
    tool({
      name: 'shout',
      input: z.string(),
      execute: (text) => {
        expectTypeOf(text).toEqualTypeOf<string>()
        return text.toUpperCase()
      },
    })
  })

  it('follows arktype', () => {
    tool({
      name: 'forecast',
      input: type({ city: 'string', 'days?': 'number' }),
      execute: (input) => {
        expectTypeOf(input.city).toEqualTypeOf<string>()
        expectTypeOf(input.days).toEqualTypeOf<number | undefined>()
      },
    })
  })

  it('follows valibot, wrapped', () => {
    tool({
      name: 'forecast',
      input: toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number()) })),
      execute: (input) => {
        expectTypeOf(input.city).toEqualTypeOf<string>()
        expectTypeOf(input.days).toEqualTypeOf<number | undefined>()
      },
    })
  })

  it('follows a plain JSON Schema', () => {
    tool({
      name: 'forecast',
      input: {
        type: 'object',
        properties: {
          city: { type: 'string' },
          days: { type: 'integer' },
          unit: { enum: ['c', 'f'] },
          tags: { type: 'array', items: { type: 'string' } },
        },
        required: ['city', 'unit'],
      },
      execute: (input) => {
        expectTypeOf(input.city).toEqualTypeOf<string>()
        expectTypeOf(input.days).toEqualTypeOf<number | undefined>()
        expectTypeOf(input.unit).toEqualTypeOf<'c' | 'f'>()
        expectTypeOf(input.tags?.[0]).toEqualTypeOf<string | undefined>()
        // @ts-expect-error a string is no number
        const wrong: number = input.city
        return wrong
      },
    })
  })

  it('is empty without a schema', () => {
    tool({
      name: 'now',
      execute: (input) => {
        expectTypeOf(input).toEqualTypeOf<Record<string, never>>()
        return 'noon'
      },
    })
  })
})

describe('the shape of execute', () => {
  const input = z.object({ city: z.string() })

  it('is any of Supplier, Function, Consumer and BiFunction, sync or async', () => {
    tool({ name: 'supplier', execute: () => 1 })
    tool({ name: 'function', input, execute: ({ city }) => city })
    tool({ name: 'consumer', input, execute: ({ city }) => void city })
    tool({ name: 'bi-function', input, execute: ({ city }, context) => city + context.callId })
    tool({ name: 'async', input, execute: async ({ city }) => city })
    tool({ name: 'supplied-by-the-application', input })
  })

  it('may be a generator: its return is the result, not its progress', () => {
    const sync = tool({
      name: 'count',
      input,
      *execute({ city }) {
        yield 0.5
        return city.length
      },
      resultConverter: (result) => {
        expectTypeOf(result).toEqualTypeOf<number>()
        return String(result)
      },
    })
    expectTypeOf(sync).toExtend<ToolCallback>()
    tool({
      name: 'count-slowly',
      input,
      async *execute({ city }) {
        yield 'half way'
        return { length: city.length }
      },
      resultConverter: (result) => {
        expectTypeOf(result).toEqualTypeOf<{ length: number }>()
        return String(result.length)
      },
    })
  })

  it('gives undo the input, the result and the context', () => {
    tool({
      name: 'book',
      input,
      context: z.object({ tenant: z.string() }),
      execute: async ({ city }) => ({ id: city }),
      undo: async (given, result, context) => {
        expectTypeOf(given.city).toEqualTypeOf<string>()
        expectTypeOf(result).toEqualTypeOf<{ id: string }>()
        expectTypeOf(context.get('tenant')).toEqualTypeOf<string>()
        // @ts-expect-error the input has no street
        void given.street
      },
    })
    tool({
      name: 'count-and-forget',
      input,
      *execute({ city }) {
        yield 0.5
        return city.length
      },
      undo(_given, result) {
        expectTypeOf(result).toEqualTypeOf<number>()
      },
    })
    // @ts-expect-error it returns nothing
    tool({ name: 'odd', execute: () => 1, undo: (_input, result) => result })
    toolRegistry().register('book', {
      input,
      execute: ({ city }) => [city],
      undo(given, result) {
        expectTypeOf(given.city).toEqualTypeOf<string>()
        expectTypeOf(result).toEqualTypeOf<string[]>()
      },
    })
  })

  it('gives converters what a promise resolves to', () => {
    tool({
      name: 'lookup',
      input,
      execute: async ({ city }) => [city],
      resultConverter: (result) => {
        expectTypeOf(result).toEqualTypeOf<string[]>()
        return result.join()
      },
    })
  })
})

describe('the context', () => {
  it('is typed by its schema', () => {
    tool({
      name: 'orders',
      context: z.object({ tenant: z.string() }),
      execute: (_input, context) => {
        expectTypeOf(context.values.tenant).toEqualTypeOf<string>()
        expectTypeOf(context.get('tenant')).toEqualTypeOf<string>()
        expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>()
        // @ts-expect-error the tool did not ask for it
        return context.get('password') as unknown
      },
    })
  })

  it('holds unknown values without one', () => {
    tool({
      name: 'orders',
      execute: (_input, context) => {
        expectTypeOf(context).toEqualTypeOf<ToolContext>()
        expectTypeOf(context.get('tenant')).toEqualTypeOf<unknown>()
      },
    })
  })
})

describe('mistakes that do not compile', () => {
  it('a forgotten z.object', () => {
    tool({
      name: 'forecast',
      // @ts-expect-error a record of schemas is neither a Standard Schema nor a JSON Schema
      input: { city: z.string() },
      execute: () => 1,
    })
  })

  it('an unknown option, a wrong hint, a wrong effect', () => {
    // @ts-expect-error it is called timeoutMs
    tool({ name: 'slow', execute: () => 1, timeout: 5 })
    // @ts-expect-error hints are named readOnly, destructive, idempotent, openWorld
    tool({ name: 'read', execute: () => 1, hints: { readonly: true } })
    // @ts-expect-error there is no such effect
    tool({ name: 'twice', execute: () => 1, effect: 'twice' })
  })

  it('an approval that reads a field the input does not have', () => {
    tool({
      name: 'pay',
      input: z.object({ amount: z.number() }),
      execute: ({ amount }) => amount,
      // @ts-expect-error there is no such field
      approval: (input) => input.price > 100,
    })
  })
})
