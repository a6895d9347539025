/** What an agent's instructions tell the model to use, its schema lets it write; and hints are true. */
import { describe, expect, it } from 'vitest'
import { tool, type JsonSchema, type Prompt } from 'toolwright'
import {
  agentRegistry,
  composeSchema,
  requestAgent,
  runAgent,
  type AgentConfig,
  type AgentMessage,
  type ToolSchema,
} from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { answering, registryWith, stepOf, SUMMARY, textRead } from '../e2e/agent/agent-stage.ts'

const pay: ToolSchema = {
  type: 'object',
  description: 'Pays. Returns a receipt.',
  properties: {
    amount: { type: 'number', minimum: 0 },
    currency: { enum: ['EUR', 'NOK'] },
    note: { type: 'string' },
    due: { type: 'string', format: 'date' },
  },
  required: ['amount'],
}
const DATA: AgentMessage = { type: 'state', state: { amount: 250 } }
const context = (...more: readonly AgentMessage[]): readonly AgentMessage[] => [
  { type: 'tool', tool: { pay } },
  ...more,
  { type: 'text', text: 'Go' },
]
const registry = registryWith({ pay: ({ amount }) => `receipt for ${String(amount)}` })

/** The schema of a call, and what the model was told, in the first request. */
async function asked(
  config: Omit<AgentConfig, 'model'>,
  messages: readonly AgentMessage[],
  capabilities = { structuredOutput: true },
): Promise<{ readonly item: JsonSchema; readonly told: string; readonly prompt: Prompt }> {
  const model = scriptedModel([stepOf({ output: { summary: '' } })], { capabilities })
  await requestAgent({ registry, ...config, model }, SUMMARY, messages)
  const prompt = model.prompts[0]!
  const schema = prompt.options?.outputSchema as { properties: { calls: { items: JsonSchema } } }
  return { item: schema?.properties.calls.items, told: textRead(prompt), prompt }
}

const acceptsReference = (node: unknown): boolean =>
  JSON.stringify(node).includes('^†') || JSON.stringify(node) === '{"type":"string"}'

describe.each([
  ['strict', { strict: true }],
  ['held to the schema by its provider', {}],
] as const)('a model that is %s', (_name, config) => {
  it('may keep results and refer to data as its instructions say', async () => {
    const { item, told } = await asked(config, context(DATA))
    expect(told).toContain('_outputPath')
    expect(told).toContain('_outputMethod')
    expect(told).toContain('†kind.path')
    expect(Object.keys(item.properties!)[0]).toBe('_tool')
    expect(item.properties).toHaveProperty('_outputPath')
    expect(item.properties).toHaveProperty('_outputMethod')
    const { amount, currency, due } = item.properties!
    for (const node of [amount, currency, due]) expect(acceptsReference(node)).toBe(true)
  })

  it('is told nothing of data, and offered nothing, where there is none', async () => {
    const { item, told } = await asked(config, context())
    expect(told).not.toContain('†')
    expect(told).not.toContain('_outputPath')
    expect(JSON.stringify(item)).not.toContain('†')
    expect(item.properties).not.toHaveProperty('_outputPath')
  })

  it('writes such calls, and they run', async () => {
    const call = {
      _tool: 'pay',
      _reasoningForCall: null,
      amount: '†state.amount',
      currency: null,
      note: null,
      due: null,
      _outputPath: '†state.receipt',
      _outputMethod: null,
    }
    const model = answering({ calls: [call as never] }, { output: { summary: 'done' } })
    const result = await runAgent({ registry, ...config, model }, SUMMARY, context(DATA))
    expect(result.errors).toEqual([])
    expect(result.messages.at(-1)).toMatchObject({
      kind: 'state',
      data: { receipt: 'receipt for 250' },
    })
  })
})

describe('a tool that is closed by its author', () => {
  const closed = tool({
    name: 'pay',
    description: 'Pays. Returns a receipt.',
    input: z.object({ amount: z.number() }),
    execute: ({ amount }) => `receipt for ${amount}`,
  })

  it('lets a call keep its result, also where each call is checked at once', async () => {
    const messages: readonly AgentMessage[] = [DATA, { type: 'text', text: 'Go' }]
    const call = { _tool: 'pay', amount: 1, _outputPath: '†state.receipt' }
    const model = scriptedModel([stepOf({ calls: [call] })])
    const { calls } = await requestAgent(
      { model, tools: [closed], registry: agentRegistry() },
      SUMMARY,
      messages,
    )
    expect(calls).toEqual([call])
    expect(textRead(model.prompts[0]!)).toContain('"_outputPath":{')
  })
})

describe('composeSchema()', () => {
  it('shows the strict form as a model gets it', () => {
    const strict = JSON.stringify(composeSchema({ context: context(DATA), registry, strict: true }))
    expect(strict).toContain('_outputPath')
    expect(strict).toContain('^†')
  })

  it('leaves open tools as they are', () => {
    const { calls } = composeSchema({ context: context(DATA), registry }).properties as {
      calls: { items: JsonSchema }
    }
    expect(Object.keys(calls.items.properties!)).toEqual(['_tool', ...Object.keys(pay.properties!)])
  })
})

describe('the hints', () => {
  const told = async (
    tools: { readonly [name: string]: ToolSchema },
    config: Partial<AgentConfig> = {},
  ): Promise<string> => {
    const { told: text } = await asked(
      { registry: agentRegistry(), ...config },
      [
        { type: 'tool', tool: tools },
        { type: 'text', text: 'Go' },
      ],
      { structuredOutput: true },
    )
    return text
  }
  const rate: ToolSchema = { type: 'object', properties: { text: { type: 'string' } } }
  const rated = { ...rate, properties: { ...rate.properties, _output: { type: 'number' } } }

  it('say "run by you" only where a tool shows its _output', async () => {
    expect(await told({ rate: rated })).toContain('run by you')
    expect(await told({ rate })).not.toContain('run by you')
    expect(
      await told({ rate: rated }, { registry: registryWith({ rate: () => 1 }) }),
    ).not.toContain('run by you')
    expect(
      await told({ rate, other: rated }, { registry: registryWith({ other: () => 1 }) }),
    ).not.toContain('run by you')
  })

  it('speak of _outputPath only where the model may choose it', async () => {
    const fixed = { ...rate, _outputPath: '†state.rating' }
    const { told: text } = await asked({ registry: agentRegistry() }, [
      { type: 'tool', tool: { rate: fixed } },
      DATA,
      { type: 'text', text: 'Go' },
    ])
    expect(text).toContain('†kind.path')
    expect(text).not.toContain('_outputPath')
  })

  it('do not promise results that are dropped', async () => {
    const text = await told({ rate: rated }, { resultsWithoutPath: 'forget' })
    expect(text).toContain('only if _outputPath says where it is kept')
    expect(await told({ rate: rated })).not.toContain('only if')
  })
})

describe('a run whose first result turns up', () => {
  it('is told of its notices once', async () => {
    const silent: ToolSchema = {
      type: 'object',
      description: 'Pays',
      properties: { amount: { type: 'number' }, _output: { type: 'string' } },
    }
    const notices: string[] = []
    await runAgent(
      {
        model: answering({ calls: [{ _tool: 'pay', amount: 1 }] }, { output: { summary: '' } }),
        registry,
        onEvent: (event) => void (event.type === 'notice' && notices.push(event.code)),
      },
      SUMMARY,
      [
        { type: 'tool', tool: { pay: silent } },
        { type: 'text', text: 'Go' },
      ],
    )
    expect(notices).toEqual(['agent-undescribed-result'])
  })
})
