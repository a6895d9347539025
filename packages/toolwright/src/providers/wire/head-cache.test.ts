import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../messages/json.ts'
import type { ChatModel, ChatOptions } from '../../model/chat-model.ts'
import type { Transport } from '../../ports/transport.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { tool } from '../../tools/tool.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import { anthropic } from '../anthropic/index.ts'
import { google } from '../google/index.ts'
import { ollama } from '../ollama/index.ts'
import { openai, openaiCompatible } from '../openai/index.ts'
import type { WireQuestion } from './chat-dialect.ts'
import { headCache } from './head-cache.ts'

type Make = (transport: Transport) => ChatModel

const MODELS: readonly (readonly [provider: string, make: Make])[] = [
  ['openai-compatible', (transport) => openaiCompatible('m', { baseUrl: 'http://x', transport })],
  ['openai', (transport) => openai('m', { apiKey: 'k', transport })],
  ['anthropic', (transport) => anthropic('m', { apiKey: 'k', transport })],
  ['google', (transport) => google('m', { apiKey: 'k', transport })],
  ['ollama', (transport) => ollama('m', { transport })],
]

const named = (name: string): ToolCallback => tool({ name, description: name, execute: () => 'ok' })

/** The bodies that are sent when a model is asked with these options, one after the other, without the messages. */
async function sentBy(make: Make, asked: readonly (() => ChatOptions)[]): Promise<JsonObject[]> {
  const bodies: JsonObject[] = []
  const model = make(async ({ body }) => {
    const { messages: _m, input: _i, contents: _c, ...head } = JSON.parse(body) as JsonObject
    bodies.push(head)
    throw new Error('enough')
  })
  for (const options of asked)
    await model
      .call({ messages: [{ role: 'user', content: 'Hi' }], options: options() })
      .catch(() => {})
  return bodies
}

/** The same with a list of tools that nobody has seen, so that nothing is remembered for it. */
const unknown = (options: ChatOptions): ChatOptions =>
  options.tools ? { ...options, tools: [...options.tools] } : options

describe.each(MODELS)('what %s is asked besides the messages', (provider, make) => {
  const own: { [field: string]: string } = {}
  const schema: JsonSchema = { type: 'object', properties: { a: { type: 'string' } } }
  const deferred: string[] = []
  const tools: ToolCallback[] = []
  const ways: readonly (() => ChatOptions)[] = [
    () => ({ temperature: 0.1 }),
    () => ({ topP: 0.5 }),
    () => ({ topK: 5 }),
    () => ({ seed: 5 }),
    () => ({ maxTokens: 7 }),
    () => ({ outputSchema: Object.assign(schema, { title: 'one' }) }),
    () => ({ outputSchema: Object.assign(schema, { title: 'two' }) }),
    () => ({ deferredTools: Object.assign(deferred, ['a']) }),
    () => ({ deferredTools: Object.assign(deferred, ['b']) }),
    () => ({ toolChoice: 'none' }),
    () => ({ toolChoice: { tool: 'b' } }),
    () => ({ parallelToolCalls: false }),
    () => ({ stopSequences: ['x'] }),
    () => ({ model: 'other' }),
    () => ({ providerOptions: { [provider]: Object.assign(own, { user: 'one' }) } }),
    () => ({ providerOptions: { [provider]: Object.assign(own, { user: 'two' }) } }),
    () => ({ tools: [named('c')] }),
    () => ({ tools: [] }),
    () => {
      tools.push(named('d'))
      return {}
    },
  ]
  // Each between two questions without it.
  const asked = [() => ({}), ...ways.flatMap((way) => [way, () => ({})])].map(
    (way) => (): ChatOptions => ({ tools, ...way() }),
  )
  const start = (): void => void tools.splice(0, Infinity, named('a'), named('b'))

  it('is the same as when it is asked nothing else', async () => {
    start()
    const together = await sentBy(make, asked)
    start()
    const alone: JsonObject[] = []
    for (const options of asked) alone.push(...(await sentBy(make, [() => unknown(options())])))
    expect(together).toHaveLength(asked.length)
    expect(together).toEqual(alone)
    expect(new Set(together.map((body) => JSON.stringify(body))).size).toBeGreaterThan(6)
  })
})

describe('headCache', () => {
  const question = (more: Partial<WireQuestion> = {}): WireQuestion => ({
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
    options: {},
    tools: TOOLS,
    stream: false,
    capabilities: CAPABILITIES,
    ...more,
  })
  const TOOLS = [named('a')]
  const CAPABILITIES = { tools: true }

  it('writes once what is asked in one way, whatever the messages are', () => {
    let written = 0
    const headOf = headCache(() => `head ${++written}`)
    const asked = [
      question(),
      question({ messages: [] }),
      question({ options: { toolContext: {} } }),
    ]
    expect(asked.map(headOf)).toEqual(['head 1', 'head 1', 'head 1'])
    expect(headOf(question({ stream: true }))).toBe('head 2')
    expect(headOf(question({ stream: true, capabilities: { tools: true } }))).toBe('head 3')
  })
})
