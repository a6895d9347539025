/** The seed's own spelling, registries, and the bridges between agents and chat clients. */
import { describe, expect, it } from 'vitest'
import { ChatClient, tool } from 'toolwright'
import {
  Activity,
  Agent,
  AgentError,
  agentRegistry,
  composeSchema,
  fromToolCallback,
  Tool,
  toToolCallback,
  type ToolSchema,
} from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { answering, appended, play, SUMMARY } from './agent-stage.ts'

describe('the seed’s spelling', () => {
  it('registers tools and activities, and asks', async () => {
    const schema = Tool.register('seedWeather', {
      type: 'object',
      description: 'Current weather. Returns text.',
      properties: { _tool: { type: 'string', const: 'seedWeather' }, location: { type: 'string' } },
      required: ['location'],
    })
    expect(Tool.get('seedWeather')).toBe(schema)
    Activity.register('seedWeather', (call) => `sunny in ${String(call.location)}`)
    const calls = [{ _tool: 'seedWeather', location: 'Oslo' }]
    const context = [
      { type: 'tool' as const, tool: 'Tool.seedWeather' },
      { type: 'text' as const, text: 'Go' },
    ]
    const step = await Agent.Request({ model: answering({ calls }) }, SUMMARY, context)
    expect(step).toEqual({ meta: {}, calls, output: null })
    const model = answering({ calls }, { output: { summary: 'ok' } })
    const result = await Agent({ model }, SUMMARY, context)
    expect(result.output.summary).toBe('ok')
    expect(appended(result)).toMatchObject([{ data: { result: 'sunny in Oslo' } }])
  })

  it('offers nothing that the context does not name', () => {
    Tool.register('seedUnused', { type: 'object', properties: {} })
    expect(composeSchema({ context: [], output: SUMMARY }).properties).not.toHaveProperty('calls')
  })

  it('refuses what is no tool and no activity', () => {
    expect(() => Tool.register('bad', { type: 'array' } as never)).toThrow(AgentError)
    expect(() =>
      Tool.register('bad', { type: 'object', properties: { _tool: { const: 'other' } } }),
    ).toThrow(/calls itself "other"/)
    expect(() => Activity.register('bad', 'code' as never)).toThrow(/a name and a function/)
  })
})

describe('a snapshot of a registry', () => {
  it('is the same until something is registered, and never changes', () => {
    const registry = agentRegistry()
    const first = registry.snapshot()
    expect(registry.snapshot()).toBe(first)
    registry.activity('a', () => 1)
    expect(first.activities.size).toBe(0)
    expect(registry.snapshot()).not.toBe(first)
  })
})

const add = tool({
  name: 'add',
  title: 'Adder',
  description: 'Adds two numbers',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  execute: ({ a, b }) => ({ sum: a + b }),
})

describe('a callback as a tool and its activity', () => {
  it('keeps name, words, parameters and output', () => {
    const { name, schema } = fromToolCallback(add)
    expect(name).toBe('add')
    expect(schema).toMatchObject({
      type: 'object',
      title: 'Adder',
      description: 'Adds two numbers',
      properties: {
        _tool: { const: 'add' },
        a: { type: 'number' },
        _output: { properties: { sum: { type: 'number' } } },
      },
      required: ['a', 'b'],
    })
  })

  it('is explicit where both are registered', async () => {
    const { name, schema, activity } = fromToolCallback(add)
    const registry = agentRegistry()
    registry.tool(name, schema)
    registry.activity(name, activity)
    const { result } = await play({
      answers: [{ calls: [{ _tool: 'add', a: 1, b: 2 }] }, { output: { summary: '' } }],
      output: SUMMARY,
      context: [
        { type: 'tool', tool: 'add' },
        { type: 'text', text: 'Go' },
      ],
      registry,
    })
    expect(appended(result)).toMatchObject([{ data: { result: { sum: 3 } } }])
  })

  it('comes back as the same callback', () => {
    expect(toToolCallback(fromToolCallback(add))).toBe(add)
  })
})

describe('a tool and its activity as a callback', () => {
  const schema: ToolSchema = {
    type: 'object',
    description: 'Current weather',
    properties: {
      location: { type: 'string' },
      _output: {
        type: 'object',
        properties: { degrees: { type: 'number' } },
        required: ['degrees'],
      },
      _outputPath: { const: '†state.weather' },
    },
    required: ['location', '_output'],
  }

  it('is a tool for a chat client', async () => {
    const weather = toToolCallback({
      name: 'weather',
      schema,
      activity: (call) => ({ degrees: String(call.location).length }),
    })
    expect(weather.definition.inputSchema).toEqual({
      type: 'object',
      properties: { location: { type: 'string' } },
      required: ['location'],
      additionalProperties: false,
    })
    expect(weather.definition.outputSchema).toMatchObject({ properties: { degrees: {} } })
    const model = scriptedModel([
      { toolCalls: [{ name: 'weather', arguments: { location: 'Oslo' } }] },
      'Mild.',
    ])
    const result = await ChatClient.create(model).prompt('Go').tools(weather).call().result()
    expect(result.messages.at(-2)).toMatchObject({ responses: [{ content: '{"degrees":4}' }] })
  })

  it('is refused for a latent tool', () => {
    expect(() => toToolCallback({ name: 'weather', schema, activity: undefined as never })).toThrow(
      expect.objectContaining({ code: 'agent-activity' }),
    )
  })
})
