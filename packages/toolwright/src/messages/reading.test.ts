import { describe, expect, it } from 'vitest'
import { addUsage, type ChatResponse } from './chat-response.ts'
import type { AssistantMessage, ToolCall } from './message.ts'
import { hasToolCalls, textOf, toolCallsOf } from './reading.ts'

const call: ToolCall = { type: 'tool-call', id: 'a', name: 'x', arguments: '{}' }
const said: AssistantMessage = {
  role: 'assistant',
  content: [{ type: 'text', text: 'One' }, call, { type: 'text', text: 'two' }],
}
const response: ChatResponse = {
  results: [
    { message: { role: 'assistant', content: 'Plain' }, finishReason: 'stop', metadata: {} },
    { message: said, finishReason: 'tool-calls', metadata: {} },
  ],
  usage: {},
  metadata: {},
}

describe('reading', () => {
  it('joins the text parts of a message as they are, generations by a blank line', () => {
    expect(textOf(said)).toBe('Onetwo')
    expect(textOf(response)).toBe('Plain\n\nOnetwo')
    expect(textOf(response.results[0]!)).toBe('Plain')
    expect(textOf({ role: 'user', content: [{ type: 'text', text: 'u' }] })).toBe('u')
    const responses = ['a', 'b'].map((content) => ({ id: content, name: 'x', content }))
    expect(textOf({ role: 'tool', responses })).toBe('a\n\nb')
  })

  it('finds calls in messages, generations and responses', () => {
    expect(toolCallsOf(said)).toEqual([call])
    expect(toolCallsOf(response)).toEqual([call])
    expect(toolCallsOf({ role: 'user', content: 'x' })).toEqual([])
    expect(hasToolCalls(response)).toBe(true)
    expect(hasToolCalls({ ...response, results: response.results.slice(0, 1) })).toBe(false)
  })
})

describe('addUsage', () => {
  it('sums field by field; what nobody counted stays absent', () => {
    expect(
      addUsage({ inputTokens: 1, outputTokens: 2 }, { inputTokens: 3, reasoningTokens: 0 }),
    ).toEqual({
      inputTokens: 4,
      outputTokens: 2,
      reasoningTokens: 0,
    })
    expect(addUsage({}, {})).toEqual({})
  })
})
