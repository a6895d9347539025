/** Methods of classes as tools: what a model is offered, and what is called when it asks. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ChatClient,
  Tool,
  ToolInputError,
  type ToolCallback,
  type ToolContext,
  type ToolSource,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { scenario, toldByTools } from './scenario.ts'

const TIME = z.object({ time: z.iso.datetime().describe('When to ring') })
type Time = z.infer<typeof TIME>

/** What the model is offered for these sources. */
async function offered(...sources: ToolSource[]): Promise<readonly ToolCallback[]> {
  const model = scriptedModel(['Done.'])
  await ChatClient.create(model)
    .prompt('Go')
    .tools(...sources)
    .call()
    .content()
  return model.prompts[0]!.options!.tools as readonly ToolCallback[]
}

const namesOf = async (...sources: ToolSource[]): Promise<readonly string[]> =>
  (await offered(...sources)).map(({ definition }) => definition.name)

const calling = (...names: string[]) => ({ toolCalls: names.map((name) => ({ name })) })

class AlarmTools {
  readonly alarms: string[] = []

  @Tool({ description: 'Set a user alarm for the given time', input: TIME })
  setAlarm({ time }: Time): string {
    this.alarms.push(time)
    return `Alarm ${this.alarms.length} set for ${time}`
  }

  @Tool()
  countAlarms(): number {
    return this.alarms.length
  }

  helper(): string {
    return 'not a tool'
  }
}

describe('an instance with @Tool methods', () => {
  it('offers them as tools named and described like the methods', async () => {
    const [set, count, ...others] = await offered(new AlarmTools())
    expect(set!.definition).toEqual({
      name: 'setAlarm',
      description: 'Set a user alarm for the given time',
      inputSchema: {
        type: 'object',
        properties: {
          time: expect.objectContaining({ type: 'string', description: 'When to ring' }),
        },
        required: ['time'],
        additionalProperties: false,
      },
    })
    expect(count!.definition).toEqual({
      name: 'countAlarms',
      description: 'count alarms',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    })
    expect(others).toEqual([])
  })

  scenario('is what the methods are called on', {
    script: [
      { toolCalls: [{ name: 'setAlarm', arguments: { time: '2026-01-01T06:00:00Z' } }] },
      calling('countAlarms'),
      'Set.',
    ],
    tools: () => [new AlarmTools()],
    check({ prompts }) {
      expect(toldByTools(prompts[1])).toEqual([{ content: 'Alarm 1 set for 2026-01-01T06:00:00Z' }])
      expect(toldByTools(prompts[2])).toEqual([{ content: '1' }])
    },
  })

  scenario('gets arguments that fit its schema, or none at all', {
    script: [{ toolCalls: [{ name: 'setAlarm', arguments: { time: 'soon' } }] }, 'Well.'],
    tools: ({ log }) => [
      new (class extends AlarmTools {
        override setAlarm(input: Time): string {
          log.push(input)
          return super.setAlarm(input)
        }
      })(),
    ],
    check({ prompts, log }) {
      expect(log).toEqual([])
      expect(toldByTools(prompts[1])).toEqual([
        { content: expect.stringContaining('$.time'), isError: true },
      ])
    },
  })

  it('gives the same callbacks each time, and others than another instance', async () => {
    const one = new AlarmTools()
    const [first] = await offered(one)
    const [again] = await offered(one)
    const [other] = await offered(new AlarmTools())
    expect(again).toBe(first)
    expect(other).not.toBe(first)
  })

  it('may stand among other sources', async () => {
    const [callback] = await offered(new AlarmTools())
    const renamed = { ...callback!, definition: { ...callback!.definition, name: 'another' } }
    expect(await namesOf([new AlarmTools()], { renamed })).toEqual([
      'setAlarm',
      'countAlarms',
      'another',
    ])
  })

  it('checks the input of a callback called by hand', async () => {
    const [set] = await offered(new AlarmTools())
    await expect(set!.call('{"time":5}')).rejects.toThrow(ToolInputError)
    await expect(set!.call('{"time":5}')).rejects.toThrow('$.time')
  })
})

describe('the name and description of a class tool', () => {
  class Odd {
    @Tool()
    größe_v2(): void {}
    @Tool({ name: 'get.the-Weather now', description: '   ' })
    weather(): void {}
  }

  it('are kept as they are, and a blank description is the name in words', async () => {
    const tools = await offered(new Odd())
    expect(tools.map(({ definition }) => [definition.name, definition.description])).toEqual([
      ['größe_v2', 'größe v2'],
      ['get.the-Weather now', 'get the weather now'],
    ])
  })

  it('are one tool for a method with overloads', async () => {
    class Overloaded {
      find(input: { id: string }): string
      find(input: { id: string }, context: ToolContext): string
      @Tool({ input: z.object({ id: z.string() }) })
      find({ id }: { id: string }): string {
        return id
      }
    }
    expect(await namesOf(new Overloaded())).toEqual(['find'])
  })
})

describe('the options of @Tool', () => {
  class Bank {
    @Tool({
      name: 'transfer',
      title: 'Transfer',
      description: '  Move money  ',
      input: z.object({ amount: z.number() }),
      context: z.object({ tenant: z.string() }),
      approval: ({ amount }) => amount > 100,
      returnDirect: true,
      resultConverter: (result: { moved: number }) => `moved ${result.moved}`,
      hints: { idempotent: true },
    })
    async move({ amount }: { amount: number }, context: ToolContext<{ tenant: string }>) {
      return { moved: amount, by: Object.keys(context.values) }
    }
  }

  it('are those of tool()', async () => {
    const [transfer] = await offered(new Bank())
    expect(transfer!.definition).toMatchObject({
      name: 'transfer',
      title: 'Transfer',
      description: 'Move money',
    })
    expect(transfer!.metadata).toMatchObject({ returnDirect: true, effect: 'idempotent' })
  })

  scenario('hold when the model calls', {
    script: [{ toolCalls: [{ name: 'transfer', arguments: { amount: 5 } }] }],
    request: (client) => client.prompt('Go').toolContext({ tenant: 'acme', secret: 1 }),
    tools: () => [new Bank()],
    check: ({ legs }) => expect(legs[0]!.text).toBe('moved 5'),
  })

  scenario('may ask for approval', {
    script: [{ toolCalls: [{ name: 'transfer', arguments: { amount: 500 } }] }],
    request: (client) => client.prompt('Go').toolContext({ tenant: 'acme' }),
    tools: () => [new Bank()],
    check: ({ result }) => expect(result.pending?.[0]?.toolName).toBe('transfer'),
  })

  scenario('let a method be a generator: its yields are progress', {
    script: [calling('count'), 'Counted.'],
    tools: () => [
      new (class {
        @Tool()
        async *count() {
          yield 'half way'
          return 2
        }
      })(),
    ],
    check({ prompts, events }) {
      expect(toldByTools(prompts[1])).toEqual([{ content: '2' }])
      expect(events.find((event) => event.type === 'tool-progress')?.progress).toBe('half way')
    },
  })
})

describe('static methods', () => {
  class Clock {
    static zone = 'UTC'

    @Tool()
    static now(): string {
      return `noon in ${this.zone}`
    }

    @Tool()
    wind(): string {
      return 'wound'
    }
  }

  class LocalClock extends Clock {
    static override zone = 'Paris'
  }

  class OnlyStatic {
    @Tool()
    static ping(): string {
      return 'pong'
    }
  }

  it('are offered by the class, alone', async () => {
    expect(await namesOf(Clock)).toEqual(['now'])
  })

  it('are offered by an instance beside its own', async () => {
    expect(await namesOf(new Clock())).toEqual(['wind', 'now'])
    expect(await namesOf(new OnlyStatic())).toEqual(['ping'])
  })

  it('are called on the class that was passed, or the instance is of', async () => {
    const answers = [Clock, LocalClock, new LocalClock()].map(async (source) => {
      const tools = await offered(source)
      return tools.find(({ definition }) => definition.name === 'now')!.call('{}')
    })
    expect(await Promise.all(answers)).toEqual(['noon in UTC', 'noon in Paris', 'noon in Paris'])
  })
})

describe('inherited methods', () => {
  class Base {
    protected readonly greeting: string = 'Hello'

    @Tool({ description: 'Greet' })
    greet(): string {
      return this.greeting
    }

    @Tool()
    leave(): string {
      return 'Bye'
    }
  }
  class Plain extends Base {
    protected override readonly greeting = 'Salut'
  }
  class Overriding extends Base {
    override greet(): string {
      return `${super.greet()} again`
    }
  }
  class Decorated extends Base {
    @Tool({ name: 'welcome', description: 'Welcome' })
    override greet(): string {
      return 'Welcome'
    }
    @Tool()
    more(): string {
      return 'more'
    }
  }
  const first = async (source: ToolSource) => {
    const [greet] = await offered(source)
    return [greet!.definition.name, greet!.definition.description, await greet!.call('{}')]
  }

  it('are tools of the subclass, called on its instance', async () => {
    expect(await namesOf(new Plain())).toEqual(['greet', 'leave'])
    expect(await first(new Plain())).toEqual(['greet', 'Greet', 'Salut'])
  })

  it('are called as overridden', async () => {
    expect(await first(new Overriding())).toEqual(['greet', 'Greet', 'Hello again'])
  })

  it('are replaced by an override that is decorated again', async () => {
    expect(await namesOf(new Decorated())).toEqual(['welcome', 'leave', 'more'])
    expect(await first(new Decorated())).toEqual(['welcome', 'Welcome', 'Welcome'])
    expect(await namesOf(new Base())).toEqual(['greet', 'leave'])
  })
})

describe('private methods', () => {
  class Vault {
    readonly #code = '1234'

    @Tool()
    #openVault(): string {
      return `opened with ${this.#code}`
    }

    @Tool()
    private closeVault(): string {
      return 'closed'
    }

    @Tool()
    static #findVault(): string {
      return this.place
    }
    static place = 'in the cellar'

    used(): unknown {
      return [this.#openVault, this.closeVault, Vault.#findVault]
    }
  }
  class BankVault extends Vault {
    static override place = 'in the bank'
  }

  it('are tools too, without the # in their name', async () => {
    const tools = await offered(new Vault())
    expect(tools.map(({ definition }) => [definition.name, definition.description])).toEqual([
      ['openVault', 'open vault'],
      ['closeVault', 'close vault'],
      ['findVault', 'find vault'],
    ])
    expect(await Promise.all(tools.map((tool) => tool.call('{}')))).toEqual([
      'opened with 1234',
      'closed',
      'in the cellar',
    ])
  })

  it('are called through a subclass as well', async () => {
    const [open] = await offered(new BankVault())
    const [find] = await offered(BankVault)
    expect(await open!.call('{}')).toBe('opened with 1234')
    expect(await find!.call('{}')).toBe('in the cellar')
  })

  it('cannot be reached through a proxy, which is said before the model is asked', () => {
    const proxy = new Proxy(new Vault(), {})
    expect(() => ChatClient.create(scriptedModel([])).prompt('Go').tools(proxy)).toThrow(
      '"#openVault" cannot be called through this object: pass the instance itself.',
    )
  })
})

describe('a proxy of an instance', () => {
  it('is what the methods are called on', async () => {
    const seen: unknown[] = []
    const proxy = new Proxy(new AlarmTools(), {
      get: (target, key) => (seen.push(key), Reflect.get(target, key) as unknown),
    })
    const [, count] = await offered(proxy)
    seen.length = 0
    expect(await count!.call('{}')).toBe('0')
    expect(seen).toEqual(['countAlarms', 'alarms'])
  })
})

describe('refused before the model is asked', () => {
  const offer =
    (...sources: unknown[]) =>
    () =>
      ChatClient.create(scriptedModel([]))
        .prompt('Go')
        .tools(...(sources as ToolSource[]))

  it('a class whose tools are all of instances', () => {
    expect(offer(AlarmTools)).toThrow('AlarmTools has no static tools: pass an instance of it.')
  })

  it('an object without tools, with what to do', () => {
    class Plain {
      readonly x = 1
      method(): void {}
    }
    expect(offer(new Plain())).toThrow(
      /^There are no tools in this Plain\. Pass .*@Tool\(\).*defineTools\(\)/,
    )
    expect(offer(new (class Empty {})())).toThrow('There are no tools in this Empty.')
    expect(offer(Plain)).toThrow('Plain has no static tools')
    expect(offer({})).toThrow('There are no tools in empty object.')
    expect(offer({ x: 1 })).toThrow('In a record of tools, "x" is 1: write x: tool({ ... }).')
    expect(offer(new Map())).toThrow('pass its values()')
    expect(offer(5)).toThrow('There are no tools in this Number.')
    expect(offer(undefined)).toThrow('There are no tools in nothing.')
    expect(offer(() => 1)).toThrow('A function was given as a tool source: write tool({ name:')
  })

  it('two methods that give one tool name', () => {
    class Twice {
      @Tool({ name: 'same' })
      one(): void {}
      @Tool({ name: 'same' })
      two(): void {}
    }
    expect(offer(new Twice())).toThrow('Two tools are called "same".')
    expect(offer(new AlarmTools(), new AlarmTools())).not.toThrow()
  })

  it('an instance given twice, or two of one class', async () => {
    const twice = ChatClient.create(scriptedModel([])).prompt('Go').tools(new AlarmTools())
    await expect(twice.tools(new AlarmTools()).call().content()).rejects.toThrow(
      'Two tools are called "setAlarm".',
    )
  })
})

describe('@Tool on the wrong thing', () => {
  // Decorators are plain functions: these are the calls the compiler would make.
  const decorate = (place: object) => () =>
    (Tool() as (...given: unknown[]) => void)(() => 1, place)
  const place = { name: 'size', static: false, private: false, addInitializer: () => {} }

  it.each(['getter', 'setter', 'field', 'accessor', 'class'])('a %s is refused', (kind) => {
    expect(decorate({ ...place, kind })).toThrow(`@Tool() stands on a ${kind}, "size"`)
  })

  it('a method named by a symbol is refused', () => {
    expect(decorate({ ...place, kind: 'method', name: Symbol('odd') })).toThrow(
      '@Tool() needs a method with a name, not Symbol(odd).',
    )
  })

  it('without parentheses it is refused', () => {
    expect(() => Tool((() => 1) as never)).toThrow('@Tool is written with parentheses: @Tool().')
  })

  it('unknown and wrong options are refused where the class is defined', () => {
    expect(() => Tool({ descripton: 'x' } as never)).toThrow(
      '@Tool() has no option "descripton". Did you mean "description"',
    )
    expect(() => Tool({ execute: () => 1 } as never)).toThrow('@Tool() has no option "execute".')
    expect(() => Tool({ name: ' ' })).toThrow('@Tool(" "): name is " "; it takes a non-empty text')
    expect(() => Tool({ timeoutMs: -1 })).toThrow('@Tool("").timeoutMs is -1')
  })
})
