/** The mock model's answers in the format of Ollama's /api/chat: whole, and as lines of JSON. */
import type { MockModel } from './mock-model.ts'
import { mockArguments, mockCalls, TEXT_CHUNK } from './mock-model.ts'

interface OllamaRequest {
  readonly messages: readonly { readonly tool_calls?: readonly unknown[] }[]
}

/** How many tool rounds the conversation already holds. */
export function ollamaRound({ messages }: OllamaRequest): number {
  return messages.filter(({ tool_calls: calls }) => (calls?.length ?? 0) > 0).length
}

export function ollamaAnswer(model: MockModel, round: number): string {
  const calls = toolCalls(model, round)
  const content = calls.length > 0 ? '' : TEXT_CHUNK.repeat(model.textChunks)
  return JSON.stringify({ ...line(model, messageOf(content, calls)), ...END })
}

/** The server sends a call in one piece, also in a stream. */
export function ollamaLines(model: MockModel, round: number): string[] {
  const calls = toolCalls(model, round)
  const texts = Array.from({ length: model.textChunks }, () => messageOf(TEXT_CHUNK, []))
  const messages = calls.length > 0 ? calls.map((call) => messageOf('', [call])) : texts
  return [
    ...messages.map((message) => line(model, message)),
    { ...line(model, messageOf('', [])), ...END },
  ].map((each) => `${JSON.stringify(each)}\n`)
}

const END = {
  done: true,
  done_reason: 'stop',
  total_duration: 1_000_000,
  load_duration: 1_000,
  prompt_eval_count: 100,
  prompt_eval_duration: 1_000,
  eval_count: 20,
  eval_duration: 1_000,
}

function toolCalls(model: MockModel, round: number): object[] {
  return mockCalls(model, round).map(({ name }) => ({
    function: { name, arguments: mockArguments(model) },
  }))
}

function messageOf(content: string, calls: readonly object[]): object {
  return { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }
}

function line(model: MockModel, message: object): object {
  return { model: model.name, created_at: '2026-01-01T00:00:00Z', message, done: false }
}
