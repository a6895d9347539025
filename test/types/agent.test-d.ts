/** What the compiler knows about an agent's output: checked by `npm run test:types`, never executed. */
import {
  Activity,
  Agent,
  requestAgent,
  runAgent,
  type AgentConfig,
  type AgentMessage,
  type Call,
} from 'toolwright/agent'
import type { Json } from 'toolwright'
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
