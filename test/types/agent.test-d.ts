/** What the compiler knows about an agent's output: checked by `npm run test:types`, never executed. */
import {
  Activity,
  Agent,
  agentRegistry,
  requestAgent,
  runAgent,
  runCalls,
  streamAgent,
  Tool,
  type AgentConfig,
  type AgentEvent,
  type AgentMessage,
  type AgentStream,
  type Call,
  type CallOf,
  type ToolSchema,
} from 'toolwright/agent'
import type { ChatModel, Json, RunState, ToolResponse } from 'toolwright'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

const config = {} as AgentConfig
const context: readonly AgentMessage[] = []

describe('the output of an agent', () => {
  it('is what a JSON Schema literal describes', async () => {
    const result = await Agent(
      config,
      { type: 'object', properties: { summary: { type: 'string' } }, required: ['summary'] },
      context,
    )
    expectTypeOf(result.output.summary).toEqualTypeOf<string>()
    // @ts-expect-error there is no such field
    void result.output.title
    expectTypeOf(result.calls).toEqualTypeOf<readonly Call[]>()
  })

  it('is what a library’s schema puts out', async () => {
    const output = z.object({ at: z.iso.date().transform((text) => new Date(text)) })
    const result = await runAgent(config, output, context)
    expectTypeOf(result.output.at).toEqualTypeOf<Date>()
  })

  it('is null without a schema', async () => {
    const result = await runAgent(config, undefined, context)
    expectTypeOf(result.output).toEqualTypeOf<null>()
  })

  it('may be null after one step', async () => {
    const { output } = await requestAgent(config, { type: 'string' }, context)
    expectTypeOf(output).toEqualTypeOf<string | null>()
    const step = await Agent.Request(config, { type: 'number' }, context)
    expectTypeOf(step.output).toEqualTypeOf<number | null>()
  })
})

describe('a context', () => {
  it('takes the messages of the protocol and of a chat', () => {
    const messages: readonly AgentMessage[] = [
      {
        type: 'tool',
        tool: { greetUser: { type: 'object', properties: { userName: { type: 'string' } } } },
      },
      { type: 'tool', tool: 'Tool.greetUser' },
      { type: 'text', text: 'Hello' },
      { type: 'input', amount: 50 },
      { type: 'state', _instance: '①', state: { a: 1 } },
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: { type: 'text', text: 'Hello' } },
    ]
    expectTypeOf(messages).toExtend<readonly AgentMessage[]>()
    // @ts-expect-error a text has a text
    const bad: AgentMessage = { type: 'text' }
    void bad
  })
})

describe('an activity', () => {
  it('gets the call, the schema, messages and the run', () => {
    Activity.register('weather', (...[call, tool, scoped, run]) => {
      expectTypeOf(call.location).toEqualTypeOf<Json | undefined>()
      expectTypeOf(call._tool).toEqualTypeOf<string>()
      expectTypeOf(tool.properties).not.toBeAny()
      expectTypeOf(scoped).toEqualTypeOf<readonly AgentMessage[]>()
      expectTypeOf(run.signal).toEqualTypeOf<AbortSignal>()
    })
  })
})

describe('a registered tool', () => {
  const weather = Tool.register('weather', {
    type: 'object',
    description: 'Current weather. Returns {temperature}.',
    properties: {
      location: { type: 'string' },
      unit: { enum: ['C', 'F'] },
      days: { type: 'array', items: { type: 'number' } },
      _outputPath: '†state.weather',
      _output: {
        type: 'object',
        properties: { temperature: { type: 'number' } },
        required: ['temperature'],
      },
    },
    required: ['location'],
  })

  it('types the call of its activity by its schema', () => {
    weather.activity((...[call, , , run]) => {
      expectTypeOf(call.location).toEqualTypeOf<string>()
      expectTypeOf(call.unit).toEqualTypeOf<'C' | 'F' | undefined>()
      expectTypeOf(call.days).toEqualTypeOf<number[] | undefined>()
      expectTypeOf(call._tool).toEqualTypeOf<'weather'>()
      expectTypeOf(call._outputPath).toEqualTypeOf<string | undefined>()
      expectTypeOf(run.signal).toEqualTypeOf<AbortSignal>()
      // @ts-expect-error there is no such parameter
      void call.town
      return { temperature: 4 }
    })
  })

  it('types the result by its _output: at once, later, from a generator, or as a message', () => {
    weather.activity(async () => ({ temperature: 4 }))
    weather.activity(async function* () {
      yield 'asking'
      return { temperature: 4 }
    })
    weather.activity(() => ({ type: 'data', kind: 'state', data: { weather: 'fine' } }))
    // @ts-expect-error a text is no temperature
    weather.activity(() => ({ temperature: 'four' }))
    // @ts-expect-error the temperature is missing
    weather.activity(async () => ({}))
  })

  it('types its options too', () => {
    weather.activity(() => ({ temperature: 4 }), {
      approval: (call) => {
        expectTypeOf(call.location).toEqualTypeOf<string>()
        return true
      },
    })
  })

  it('can be given to Activity.register, typed the same', () => {
    Activity.register(weather, (call) => {
      expectTypeOf(call.location).toEqualTypeOf<string>()
      return { temperature: 4 }
    })
    // @ts-expect-error a text is no temperature
    Activity.register(weather, () => ({ temperature: 'four' }))
  })

  it('has a type for its calls', () => {
    expectTypeOf<CallOf<typeof weather>['location']>().toEqualTypeOf<string>()
    const solved = {} as Call
    if (weather.isCall(solved)) {
      expectTypeOf(solved._tool).toEqualTypeOf<'weather'>()
      expectTypeOf(solved.location).toEqualTypeOf<string>()
      expectTypeOf(solved.days).toEqualTypeOf<number[] | `†${string}` | undefined>()
    }
  })

  it('is a schema wherever one is expected', () => {
    const offered: AgentMessage = { type: 'tool', tool: weather }
    const named: AgentMessage = { type: 'tool', tool: { weather } }
    void [offered, named]
  })

  it('of a schema that is no literal types nothing it does not know', () => {
    const schema = {} as ToolSchema
    agentRegistry()
      .tool('any', schema)
      .activity((call) => {
        expectTypeOf(call.anything).toEqualTypeOf<Json | undefined>()
        return 'whatever'
      })
  })
})

describe('a config', () => {
  it('takes the options of the model itself, and no unknown ones', () => {
    const model = {} as ChatModel
    const good: AgentConfig = { model, temperature: 0.2, maxTokens: 100, seed: 1 }
    // @ts-expect-error a temperature is a number
    const warm: AgentConfig = { model, temperature: 'warm' }
    // @ts-expect-error there is no such option
    const misspelt: AgentConfig = { model, temprature: 0 }
    void [good, warm, misspelt]
  })
})

describe('a stream', () => {
  it('has the output as it grows: everything optional, as the model writes it', () => {
    const schema = {
      type: 'object',
      properties: {
        summary: { type: 'string' },
        days: {
          type: 'array',
          items: { type: 'object', properties: { high: { type: 'number' } } },
        },
      },
      required: ['summary', 'days'],
    } as const
    const stream = Agent.stream(config, schema, context)
    expectTypeOf(stream).toEqualTypeOf<AgentStream<typeof schema>>()
    const show = (event: AgentEvent<typeof schema>): void => {
      if (event.type !== 'output-delta') return
      expectTypeOf(event.output.summary).toEqualTypeOf<string | undefined>()
      expectTypeOf(event.output.days?.[0]?.high).toEqualTypeOf<number | undefined>()
      // @ts-expect-error there is no such field
      void event.output.title
    }
    void show
    expectTypeOf(stream.result).returns.resolves.toHaveProperty('output')
  })

  it('of a library’s schema shows what goes in, and gives what comes out', async () => {
    const output = z.object({ at: z.iso.date().transform((text) => new Date(text)) })
    const stream = streamAgent(config, output, context)
    for await (const event of stream.events())
      if (event.type === 'output-delta')
        expectTypeOf(event.output.at).toEqualTypeOf<string | undefined>()
    expectTypeOf((await stream.result()).output.at).toEqualTypeOf<Date>()
  })
})

describe('calls that a program runs', () => {
  it('come with their messages and responses', async () => {
    const result = await runCalls(config, [{ _tool: 'weather', location: 'Oslo' }], context)
    expectTypeOf(result.messages).toEqualTypeOf<readonly AgentMessage[]>()
    expectTypeOf(result.responses).toEqualTypeOf<readonly ToolResponse[]>()
    expectTypeOf(result.state).toEqualTypeOf<RunState | undefined>()
    // @ts-expect-error a call names its tool
    void runCalls(config, [{ location: 'Oslo' }], context)
  })
})
