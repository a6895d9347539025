/** Methods with parameters and no schema were offered, and failed only when a model called them. */
import { describe, expect, it, vi } from 'vitest'
import {
  ChatClient,
  ConfigurationError,
  defineTools,
  methodTool,
  Tool,
  toolsOf,
  type ToolContext,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { scenario, toldByTools } from '../e2e/scenario.ts'

const TAKEN = /"ring" takes parameters.*input: 'none'.*toolwright generate/

class BySignature {
  @Tool({ description: 'Ring at a time' })
  ring(time: Date): string {
    return time.toISOString()
  }
}

describe('a @Tool method with parameters and no schema', () => {
  it('is refused by tools(), by the client and by a run, and the model is not asked', async () => {
    const model = scriptedModel(['never said'])
    const client = ChatClient.create(model)
    const tools = [new BySignature()]
    expect(() => client.prompt('Ring').tools(...tools)).toThrow(ConfigurationError)
    expect(() => client.prompt('Ring').tools(...tools)).toThrow(TAKEN)
    expect(() => ChatClient.create(model, { tools })).toThrow(TAKEN)
    expect(() => client.prompt('Ring').options({ tools })).toThrow(TAKEN)
    const holding = ChatClient.create(Object.assign(model, { options: { tools } }))
    await expect(holding.prompt('Ring').call().content()).rejects.toThrow(TAKEN)
    expect(model.prompts).toEqual([])
  })

  it.each([
    ['an optional parameter', class { @Tool() ring(_time?: Date) {} }],
    ['a default value', class { @Tool() ring(_time = 1) {} }],
    ['an object taken apart', class { @Tool() ring({ time }: { time: string }) { return time } }],
    ['one taken apart, with a default', class { @Tool() ring({ time = 1 } = {}) { return time } }],
    ['the rest', class { @Tool() ring(..._times: Date[]) {} }],
    ['only the context', class { @Tool() ring(_input: object, _context: ToolContext) {} }],
    ['a comment before it', class { @Tool() ring(/* when */ _time = 1) {} }],
    ['a generator', class { @Tool() *ring(time = 1) { yield time } }],
    ['an async method', class { @Tool() async ring(time = 1) { return time } }],
    ['a static method', class { @Tool() static ring(_time: Date) {} }],
  ])('may have %s', (_name, Class) => {
    expect(() => toolsOf([new Class()])).toThrow(TAKEN)
  }) // prettier-ignore

  it('is called by its own name where it is private, and found where it is inherited', () => {
    class Hidden {
      @Tool()
      #ring(time: Date): string {
        return String(time)
      }
      used(): unknown {
        return this.#ring
      }
    }
    class Derived extends BySignature {}
    expect(() => toolsOf(new Hidden())).toThrow('"#ring" takes parameters')
    expect(() => toolsOf(new Derived())).toThrow(TAKEN)
  })

  it('hides nothing: one without parameters is offered, also when it is spied on', async () => {
    class Clock {
      @Tool()
      now(/* nothing */): string {
        return 'noon'
      }
      @Tool()
      'at (any) time'(): string {
        return 'always'
      }
    }
    const clock = new Clock()
    vi.spyOn(clock, 'now').mockReturnValue('midnight')
    const [now, any] = toolsOf(clock)
    expect(await now!.call('{}')).toBe('midnight')
    expect(await any!.call('{}')).toBe('always')
  })
})

describe("input: 'none'", () => {
  class Tenants {
    static tools = defineTools<Tenants>({
      defined: { input: 'none', context: z.object({ tenant: z.string() }) },
    })
    defined(_input: object, context: ToolContext<{ tenant: string }>): string {
      return `defined for ${context.get('tenant')}`
    }
    @Tool({ input: 'none' })
    decorated(input: object, context: ToolContext): string {
      return `${Object.keys(input).length} for ${String(context.get('tenant'))}`
    }
  }

  scenario('is for methods that only take the context, which follows the empty input', {
    script: [
      {
        toolCalls: [
          { name: 'decorated' },
          { name: 'defined' },
          { name: 'decorated', arguments: { odd: 1 } },
        ],
      },
      'Done.',
    ],
    tools: () => [new Tenants()],
    request: (client) => client.prompt('Go').toolContext({ tenant: 'acme' }),
    check({ prompts }) {
      expect(toldByTools(prompts[1])).toEqual([
        { content: '0 for acme' },
        { content: 'defined for acme' },
        { content: expect.stringContaining('$.odd'), isError: true },
      ])
    },
  })
})

describe('the other makers of method tools', () => {
  class Alarm {
    ring(time: { at: string }): string {
      return time.at
    }
    static ring(time: { at: string }): string {
      return time.at
    }
  }

  it('refuse it too', () => {
    class Defined extends Alarm {
      static tools = defineTools<any>({ ring: {} })
    }
    expect(() => toolsOf(new Defined())).toThrow(TAKEN)
    const object = new Alarm()
    const make = (options: object) => () => methodTool(options as never)
    expect(make({ object, method: 'ring' })).toThrow(TAKEN)
    expect(make({ object: Alarm, method: 'ring' })).toThrow(TAKEN)
    expect(make({ method: Alarm.ring })).toThrow(TAKEN)
    expect(make({ object, method: 'ring', input: 'none' })).not.toThrow()
    expect(make({ object, method: 'ring', inputSchema: { type: 'object' } })).not.toThrow()
  })
})
