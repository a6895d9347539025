/**
 * A model that remembers nothing, as real ones do not: what it says follows from how many rounds of tools the prompt
 * has seen since its last user message. So any worker can go on asking it.
 */
import type { ChatModel, ChatResponse, Message, Prompt, ToolCall } from 'toolwright'

/** A text, or the calls of one round: name and arguments. */
export type Said = string | readonly (readonly [name: string, args: object])[]

export interface RoundModel extends ChatModel {
  /** How often it was asked, by whoever asked. */
  asked: number
}

/** `before` runs before each answer: to fail, to wait, to count. */
export function roundModel(
  rounds: readonly Said[],
  before: (round: number) => unknown = () => {},
): RoundModel {
  const answer = async ({ messages }: Prompt): Promise<ChatResponse> => {
    model.asked++
    const round = roundsSince(messages)
    await before(round + 1)
    return responseOf(rounds[Math.min(round, rounds.length - 1)]!, round)
  }
  const model: RoundModel = {
    asked: 0,
    provider: 'test',
    model: 'rounds',
    options: {},
    capabilities: { tools: true, structuredOutput: false, streaming: true, media: [] } as never,
    call: answer,
    async *stream(prompt) {
      const response = await answer(prompt)
      const { content } = response.results[0]!.message
      const words = typeof content === 'string' ? content.split(/(?<= )/) : []
      for (const text of words) yield { type: 'text-delta', text }
      for (const part of typeof content === 'string' ? [] : content) {
        if (part.type !== 'tool-call') continue
        yield { type: 'tool-call-start', id: part.id, name: part.name }
        yield { type: 'tool-call', toolCall: part }
      }
      yield { type: 'response', response }
    },
  }
  return model
}

function roundsSince(messages: readonly Message[]): number {
  const start = messages.findLastIndex(({ role }) => role === 'user')
  return messages.slice(start).filter(({ role }) => role === 'tool').length
}

function responseOf(said: Said, round: number): ChatResponse {
  const content =
    typeof said === 'string'
      ? said
      : said.map(([name, args], index): ToolCall & { readonly type: 'tool-call' } => ({
          type: 'tool-call',
          id: `call_${round + 1}_${index + 1}`,
          name,
          arguments: JSON.stringify(args),
        }))
  return {
    results: [
      {
        message: { role: 'assistant', content },
        finishReason: typeof said === 'string' ? 'stop' : 'tool-calls',
        metadata: {},
      },
    ],
    usage: { inputTokens: 1, outputTokens: 1 },
    metadata: {},
  }
}
