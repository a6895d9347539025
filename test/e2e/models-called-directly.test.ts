/** A model without a client: what it sends, what it refuses, and what its own options are worth. */
import { describe, expect, it } from 'vitest'
import {
  staticResolver,
  tool,
  toolCallingManager,
  toolCallsOf,
  type ChatOptions,
  type Prompt,
  type ToolCallback,
  type Transport,
} from 'toolwright'
import { openaiCompatible } from 'toolwright/openai'

const messages: Prompt['messages'] = [{ role: 'user', content: 'Go' }]
const named = (name: string): ToolCallback => tool({ name, execute: () => name })

/** Answers every request with one call, and keeps what was sent. */
function wire(): { transport: Transport; sent: { [field: string]: unknown }[] } {
  const sent: { [field: string]: unknown }[] = []
  const call = { id: 'c1', type: 'function', function: { name: 'a', arguments: '{}' } }
  const message = { role: 'assistant', content: null, tool_calls: [call] }
  const body = JSON.stringify({ choices: [{ message, finish_reason: 'tool_calls' }] })
  const transport: Transport = async (request) => {
    sent.push(JSON.parse(request.body))
    const header = (name: string): string | undefined =>
      name === 'content-type' ? 'application/json' : undefined
    async function* bytes(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode(body)
    }
    return { status: 200, header, body: bytes() }
  }
  return { transport, sent }
}
const baseUrl = 'http://127.0.0.1:9/v1'
const namesIn = (sent: { [field: string]: unknown } | undefined): unknown =>
  ((sent?.['tools'] ?? []) as { function: { name: string } }[]).map((each) => each.function.name)

describe('a model called directly', () => {
  it('sends the definitions and returns the calls unexecuted', async () => {
    const { transport, sent } = wire()
    let ran = 0
    const a = tool({ name: 'a', execute: () => ++ran })
    const model = openaiCompatible('m', { baseUrl, transport })
    const response = await model.call({ messages, options: { tools: [a] } })
    expect(namesIn(sent[0])).toEqual(['a'])
    expect(toolCallsOf(response)).toHaveLength(1)
    expect(ran).toBe(0)
  })

  it('its options hold without the prompt’s, and are overlaid field by field', async () => {
    const { transport, sent } = wire()
    const resolver = staticResolver([named('b'), named('c')])
    const options: ChatOptions = {
      temperature: 0.5,
      maxTokens: 9,
      tools: [named('a')],
      toolNames: ['b'],
    }
    const model = openaiCompatible('m', { baseUrl, transport, options, resolver })
    await model.call({ messages })
    await model.call({ messages, options: { temperature: 1 } })
    await model.call({ messages, options: { toolNames: ['c'] } })
    await model.call({ messages, options: { tools: [] } })
    expect(sent.map(namesIn)).toEqual([['a', 'b'], ['a', 'b'], ['c'], []])
    expect(sent.map((each) => each['temperature'])).toEqual([0.5, 1, 0.5, 0.5])
    expect(sent.every((each) => JSON.stringify(each).includes('9'))).toBe(true)
  })

  it('refuses two tools of one name before anything is sent, and so does a manager', async () => {
    const { transport, sent } = wire()
    const options = { tools: [named('a'), named('a')] }
    const model = openaiCompatible('m', { baseUrl, transport })
    await expect(model.call({ messages, options })).rejects.toMatchObject({
      code: 'duplicate-tool',
    })
    expect(sent).toEqual([])
    const manager = toolCallingManager()
    await expect(manager.resolveToolDefinitions(options)).rejects.toThrow(/called "a"/)
  })
})

describe('a tool from scratch', () => {
  const scratch = (definition: object): ToolCallback =>
    ({ definition, metadata: named('x').metadata, call: async () => 'ok' }) as ToolCallback

  it('needs a name, before anything is sent', async () => {
    const { transport, sent } = wire()
    const model = openaiCompatible('m', { baseUrl, transport })
    for (const name of ['', '  ', undefined]) {
      const nameless = scratch({ name, description: 'x', inputSchema: { type: 'object' } })
      await expect(model.call({ messages, options: { tools: [nameless] } })).rejects.toMatchObject({
        code: 'invalid-tool',
      })
    }
    expect(sent).toEqual([])
  })
})
