/** What `defineTools()`, `methodTool()` and `definitionOf()` know about the methods they are given. */
import { defineTools, definitionOf, methodTool, type ToolContext } from 'toolwright'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

const CITY = z.object({ city: z.string() })

class Weather {
  readonly station = 'Aarhus'
  now(): string {
    return 'sunny'
  }
  forecast({ city, days }: { city: string; days?: number }): string[] {
    return [city, String(days)]
  }
  async ofTenant(_input: object, context: ToolContext<{ tenant: string }>): Promise<number> {
    return context.get('tenant').length
  }
  shout(text: string): string {
    return text
  }
  three(_input: object, _context: ToolContext, _more: string): void {}
  protected hidden(): void {}
}

describe('defineTools()', () => {
  it('takes options for methods, checked against them', () => {
    defineTools<Weather>({ now: {} })
    defineTools<Weather>({
      now: { name: 'weatherNow', description: 'Weather now', hints: { readOnly: true } },
      forecast: {
        input: CITY,
        approval: (input) => {
          expectTypeOf(input).toEqualTypeOf<{ city: string; days?: number }>()
          return input.city === 'Atlantis'
        },
        resultConverter: (result) => {
          expectTypeOf(result).toEqualTypeOf<string[]>()
          return result.join()
        },
        undo: (input, result) => {
          expectTypeOf(input).toEqualTypeOf<{ city: string; days?: number }>()
          expectTypeOf(result).toEqualTypeOf<string[]>()
        },
      },
      ofTenant: {
        input: 'none',
        context: z.object({ tenant: z.string() }),
        resultConverter: (result) => result.toFixed(),
        undo(_input, result, context) {
          expectTypeOf(result).toEqualTypeOf<number>()
          expectTypeOf(context.get('tenant')).toEqualTypeOf<string>()
        },
        preview: (_input, context) => context.get('tenant'),
      },
      shout: { input: z.string() },
    })
    defineTools<Weather>({
      forecast: {
        input: {
          type: 'object',
          properties: { city: { type: 'string', description: 'Where' }, days: { type: 'integer' } },
          required: ['city'],
        },
      },
      shout: { input: { type: 'string' } },
    })
  })

  it('does not compile when something does not fit', () => {
    // @ts-expect-error the class is forgotten
    defineTools({ now: {} })
    // @ts-expect-error there is no such method
    defineTools<Weather>({ later: {} })
    // @ts-expect-error no method
    defineTools<Weather>({ station: {} })
    // @ts-expect-error not public
    defineTools<Weather>({ hidden: {} })
    // @ts-expect-error called as (input, context)
    defineTools<Weather>({ three: {} })
    // @ts-expect-error without a schema there is no city
    defineTools<Weather>({ forecast: {} })
    // @ts-expect-error the schema gives a number
    defineTools<Weather>({ forecast: { input: z.object({ city: z.number() }) } })
    // @ts-expect-error the schema gives no city
    defineTools<Weather>({ forecast: { input: z.object({ town: z.string() }) } })
    defineTools<Weather>({
      // @ts-expect-error the schema has no city
      forecast: { input: { type: 'object', properties: { town: { type: 'string' } } } },
    })
    // @ts-expect-error a forgotten z.object
    defineTools<Weather>({ forecast: { input: { city: z.string() } } })
    // @ts-expect-error the context has to be declared
    defineTools<Weather>({ ofTenant: { input: 'none' } })
    // @ts-expect-error the context has another type
    defineTools<Weather>({ ofTenant: { input: 'none', context: z.object({ tenant: z.number() }) } })
    // @ts-expect-error a method with parameters says what it takes, if only 'none'
    defineTools<Weather>({ ofTenant: { context: z.object({ tenant: z.string() }) } })
    // @ts-expect-error what it reads has to be given
    defineTools<Weather>({ forecast: { input: 'none' } })
    // @ts-expect-error the method returns a string
    defineTools<Weather>({ now: { resultConverter: (result: number) => String(result) } })
    // @ts-expect-error there is no such option
    defineTools<Weather>({ now: { descripton: 'misspelt' } })
    // @ts-expect-error the method is what runs
    defineTools<Weather>({ now: { execute: () => 1 } })
  })

  it('may stand in the class itself, and in its subclass', () => {
    class Base {
      static tools = defineTools<Base>({ greet: {} })
      greet(): string {
        return 'Hello'
      }
    }
    class Derived extends Base {
      static override tools = defineTools<Derived>({ leave: {} })
      leave(): string {
        return 'Bye'
      }
    }
    return Derived
  })
})

describe('methodTool()', () => {
  it('takes a method by name or by itself, checked', () => {
    const object = new Weather()
    methodTool({ object, method: 'now' })
    methodTool({ object, method: 'forecast', input: CITY, lock: ({ city }) => city })
    methodTool({ object, method: 'forecast', inputSchema: { type: 'object' } })
    methodTool({ object, method: object.forecast, input: CITY })
    methodTool({ method: Math.random })
    // @ts-expect-error there is no such method
    methodTool({ object, method: 'later' })
    // @ts-expect-error without a schema there is no city
    methodTool({ object, method: 'forecast' })
    // @ts-expect-error the schema gives a number
    methodTool({ object, method: 'forecast', input: z.object({ city: z.number() }) })
    // @ts-expect-error a name needs its object
    methodTool({ method: 'now' })
  })
})

describe('definitionOf()', () => {
  it('takes names of methods, and of #private ones', () => {
    const object = new Weather()
    definitionOf(object, 'forecast')
    definitionOf(object, '#secret')
    // @ts-expect-error there is no such method
    definitionOf(object, 'forcast')
    // @ts-expect-error no method
    definitionOf(object, 'station')
  })
})
