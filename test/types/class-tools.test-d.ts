/** Which methods `@Tool()` takes: checked by `npm run test:types`, never executed. */
import { ChatClient, Tool, type ChatModel, type ToolContext, type ToolSource } from 'toolwright'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

declare const model: ChatModel
const CITY = z.object({ city: z.string(), days: z.number().optional() })
const TENANT = z.object({ tenant: z.string() })

class Weather {
  // A method may take less than it is given: nothing, part of the input, or wider types.
  @Tool({ input: CITY })
  nothing(): void {}

  @Tool({ input: CITY })
  all(input: z.infer<typeof CITY>, context: ToolContext): string {
    return input.city + context.callId
  }

  @Tool({
    input: CITY,
    undo: (input, result: string) => {
      expectTypeOf(input.city).toEqualTypeOf<string>()
      void result
    },
  })
  undone({ city }: { city: string }): string {
    return city
  }

  // @ts-expect-error undo takes a number
  @Tool({ input: CITY, undo: (_input, _result: number) => {} })
  undoneWrongly({ city }: { city: string }): string {
    return city
  }

  @Tool({ input: CITY })
  wider({ city }: { city: string | number; extra?: boolean }): unknown {
    return city
  }

  // Without a schema the parameters are what `toolwright generate` reads.
  @Tool({ description: 'Get the weather of a day' })
  bySignature(city: string, day: Date, context: ToolContext<{ tenant: string }>): string {
    return city + day.toISOString() + context.get('tenant')
  }

  @Tool({ input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } })
  plain(input: { city: string }): string {
    return input.city
  }

  @Tool()
  empty(input: Record<string, never>, context: ToolContext): string {
    return context.toolName + Object.keys(input).length
  }

  @Tool({ context: TENANT })
  tenant(_input: object, context: ToolContext<{ tenant: string }>): string {
    return context.get('tenant')
  }

  @Tool({ resultConverter: (result: number[]) => result.join() })
  async counted(): Promise<number[]> {
    return [1]
  }

  @Tool({
    input: CITY,
    approval: (input) => {
      expectTypeOf(input.days).toEqualTypeOf<number | undefined>()
      return true
    },
    resultConverter: (result) => {
      expectTypeOf(result).toEqualTypeOf<unknown>()
      return ''
    },
  })
  *generated({ city }: { city: string }) {
    yield 0.5
    return city
  }

  @Tool()
  failing(): never {
    throw new Error('always')
  }

  @Tool()
  anything(): any {
    return 1
  }

  @Tool({ input: CITY })
  static onClass({ city }: { city: string }): string {
    return city
  }

  @Tool({ input: CITY })
  #hidden({ city }: { city: string }): string {
    return city
  }

  @Tool({ input: CITY })
  private kept({ city }: { city: string }): string {
    return city + this.#hidden({ city })
  }

  used(): unknown {
    return this.kept
  }

  // Of an overloaded method the last signature counts.
  overloaded(input: number): string
  overloaded(input: { city: string }, context: ToolContext): string
  @Tool({ input: CITY })
  overloaded(input: { city: string } | number, context?: ToolContext): string {
    return String(input) + context?.callId
  }
}

describe('@Tool()', () => {
  it('does not compile on what does not fit its options', () => {
    class Wrong {
      // @ts-expect-error the schema does not give `days` for certain
      @Tool({ input: CITY })
      needsMore({ days }: { days: number }): number {
        return days
      }

      // @ts-expect-error the schema gives a string
      @Tool({ input: CITY })
      otherType({ city }: { city: number }): number {
        return city
      }

      // @ts-expect-error the context has to be declared
      @Tool({ input: CITY })
      noContext(_input: object, context: ToolContext<{ tenant: string }>): string {
        return context.get('tenant')
      }

      // @ts-expect-error the converter takes something else than the method returns
      @Tool({ resultConverter: (result: number) => String(result) })
      otherResult(): string {
        return 'text'
      }

      // @ts-expect-error tools are called as (input, context)
      @Tool({ input: CITY })
      three(_input: object, _context: ToolContext, more: string): string {
        return more
      }

      // @ts-expect-error a function is no result
      @Tool()
      supplier(): () => string {
        return () => 'text'
      }

      // @ts-expect-error only methods
      @Tool()
      field = 1

      // @ts-expect-error only methods
      @Tool()
      get got(): number {
        return 1
      }

      // @ts-expect-error parentheses
      @Tool
      bare(): void {}

      // @ts-expect-error there is no such option
      @Tool({ descripton: 'misspelt' })
      misspelt(): void {}

      // @ts-expect-error the method is what runs
      @Tool({ execute: () => 1 })
      executed(): void {}
    }
    // @ts-expect-error only methods
    @Tool()
    class Whole {}
    return [Wrong, Whole]
  })
})

describe('a class with tools', () => {
  it('is a source, as is its instance', () => {
    expectTypeOf<Weather>().toExtend<ToolSource>()
    expectTypeOf<typeof Weather>().toExtend<ToolSource>()
    ChatClient.create(model, { tools: [new Weather()] })
      .prompt('go')
      .tools(new Weather(), Weather)
  })
})
