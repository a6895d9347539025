/** Registering a tool of an agent gives its schema as a handle, through which its code is registered. */
import { tool } from 'toolwright'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  Activity,
  agentRegistry,
  composeSchema,
  fromToolCallback,
  runAgent,
  Tool,
  type AgentConfig,
  type AgentMessage,
  type Call,
  type ToolSchema,
} from 'toolwright/agent'
import { answering, SUMMARY } from '../e2e/agent/agent-stage.ts'

const schema = {
  type: 'object',
  description: 'Returns degrees',
  properties: { town: { type: 'string' } },
  required: ['town'],
} as const satisfies ToolSchema
const DONE = { output: { summary: 'done' } }

describe('a registered tool', () => {
  it('is its schema still, unchanged', () => {
    const given = Object.freeze({ ...schema })
    const handle = agentRegistry().tool('weather', given)
    expect(handle).toEqual(given)
    expect(JSON.stringify(handle)).toBe(JSON.stringify(given))
    expect(Object.keys(handle)).toEqual(Object.keys(given))
    expect(handle.toolName).toBe('weather')
    expect(Object.keys(given)).not.toContain('activity')
  })

  it.each([
    ['by itself', (handle: ToolSchema): AgentMessage => ({ type: 'tool', tool: handle })],
    [
      'in a map',
      (handle: ToolSchema): AgentMessage => ({ type: 'tool', tool: { weather: handle } }),
    ],
    ['by name', (): AgentMessage => ({ type: 'tool', tool: 'weather' })],
  ])('can stand in a context %s, and composes the same', (_name, message) => {
    const registry = agentRegistry()
    const handle = registry.tool('weather', schema)
    const plain: AgentMessage = { type: 'tool', tool: { weather: schema } }
    expect(composeSchema({ context: [message(handle)], registry })).toEqual(
      composeSchema({ context: [plain], registry: agentRegistry() }),
    )
  })

  it('runs the code that is registered through it, in its own registry', async () => {
    const registry = agentRegistry()
    const weather = registry.tool('weather', schema)
    const towns: string[] = []
    weather.activity(({ town }) => towns.push(town), { approval: false })
    const model = answering({ calls: [{ _tool: 'weather', town: 'Oslo' }] }, DONE)
    const { errors } = await runAgent({ model, registry }, SUMMARY, [
      { type: 'tool', tool: weather },
      { type: 'text', text: 'Go' },
    ])
    expect(errors).toEqual([])
    expect(towns).toEqual(['Oslo'])
    expect(agentRegistry().snapshot().activities.size).toBe(0)
  })

  it('can be given to Activity.register', () => {
    const weather = Tool.register('handleWeather', schema)
    const run = (): number => 4
    Activity.register(weather, run)
    const context: readonly AgentMessage[] = [{ type: 'tool', tool: weather }]
    const { properties } = composeSchema({ context })
    expect(JSON.stringify(properties)).not.toContain('_output')
    expect(() => Activity.register(undefined as never, run)).toThrow(/An activity is a name/)
  })

  it('registers its code under the name in _activity', () => {
    const registry = agentRegistry()
    registry.tool('weather', { ...schema, _activity: 'lookUp' }).activity(() => 4)
    expect([...registry.snapshot().activities.keys()]).toEqual(['lookUp'])
  })

  it('refuses code that would never run', () => {
    const registry = agentRegistry()
    expect(() => registry.tool('a', { ...schema, _activity: '' }).activity(() => 4)).toThrow(
      /empty _activity, which keeps it latent/,
    )
    expect(() => registry.tool('b', { ...schema, _delegate: 'saved' }).activity(() => 4)).toThrow(
      /delegated to "saved"/,
    )
  })

  it('of a function is the function’s own, not another definition', async () => {
    const callback = tool({
      name: 'weather',
      description: 'Returns degrees',
      input: z.object({ town: z.string() }),
      execute: () => 4,
    })
    const definitionIn = async (config: Partial<AgentConfig>, context: readonly AgentMessage[]) => {
      const seen: unknown[] = []
      const model = answering({ calls: [{ _tool: 'weather', town: 'Oslo' }] }, DONE)
      await runAgent(
        { model, ...config, policy: ({ definition }) => (seen.push(definition), 'allow') },
        SUMMARY,
        [...context, { type: 'text', text: 'Go' }],
      )
      return seen
    }
    const registry = agentRegistry()
    const { name, schema: bridged, activity } = fromToolCallback(callback)
    const weather = registry.tool(name, bridged)
    registry.activity(name, activity)
    const registered = await definitionIn({ registry }, [{ type: 'tool', tool: weather }])
    const given = await definitionIn({ registry: agentRegistry(), tools: [callback] }, [])
    expect(JSON.stringify(registered)).toBe(JSON.stringify(given))
  })

  it('tells its calls from others', () => {
    const weather = agentRegistry().tool('weather', schema)
    const calls: readonly Call[] = [{ _tool: 'weather', town: 'Oslo' }, { _tool: 'other' }]
    expect(calls.map((call) => weather.isCall(call))).toEqual([true, false])
  })
})
