/** What the steps of both contenders keep: an answer of a model that calls a tool, and the tool's result. */
import type { ChatResponse } from 'toolwright'

export const TOOL_RESULT = {
  city: 'Lisbon',
  days: 3,
  forecast: 'clear, then some clouds. '.repeat(8),
}

export const modelAnswer = (round: number): ChatResponse => ({
  results: [
    {
      message: {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look the weather up, and tell you when I know it.' },
          {
            type: 'tool-call',
            id: `call_${round}`,
            name: 'weather',
            arguments: JSON.stringify({ city: 'Lisbon', round }),
          },
        ],
      },
      finishReason: 'tool-calls',
      metadata: {},
    },
  ],
  usage: { inputTokens: 420, outputTokens: 42, totalTokens: 462 },
  metadata: { id: `answer-${round}`, model: 'bench' },
})

export const FINAL_ANSWER: ChatResponse = {
  results: [
    {
      message: { role: 'assistant', content: 'It will be clear, then some clouds.' },
      finishReason: 'stop',
      metadata: {},
    },
  ],
  usage: { inputTokens: 420, outputTokens: 12, totalTokens: 432 },
  metadata: { id: 'answer', model: 'bench' },
}
