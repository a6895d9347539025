/** The mock model's answers in the Chat Completions format: whole, and as a list of SSE events. */
import type { MockModel } from './mock-model.ts'
import { mockArguments, mockCalls, TEXT_CHUNK } from './mock-model.ts'
import { pieces } from './pieces.ts'

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly tool_calls?: readonly unknown[] }[]
}

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }

/** How many tool rounds the conversation already holds. */
export function chatRound(request: ChatRequest): number {
  return request.messages.filter((message) => (message.tool_calls?.length ?? 0) > 0).length
}

export function chatAnswer(model: MockModel, round: number): string {
  const calls = mockCalls(model, round)
  const text = calls.length === 0 ? TEXT_CHUNK.repeat(model.textChunks) : null
  const toolCalls = calls.map(({ id, name }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(mockArguments(model)) },
  }))
  return JSON.stringify({
    id: `chatcmpl-${round}`,
    object: 'chat.completion',
    created: 1700000000,
    model: model.name,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text,
          ...(calls.length > 0 && { tool_calls: toolCalls }),
        },
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: USAGE,
  })
}

export function chatEvents(model: MockModel, round: number): string[] {
  const calls = mockCalls(model, round)
  const deltas = calls.length > 0 ? callDeltas(model, round) : textDeltas(model)
  const finish = calls.length > 0 ? 'tool_calls' : 'stop'
  return [
    chunk(model, round, choice({ role: 'assistant', content: '' }, null)),
    ...deltas.map((delta) => chunk(model, round, choice(delta, null))),
    chunk(model, round, choice({}, finish)),
    chunk(model, round, { choices: [], usage: USAGE }),
    'data: [DONE]\n\n',
  ]
}

function textDeltas(model: MockModel): object[] {
  return Array.from({ length: model.textChunks }, () => ({ content: TEXT_CHUNK }))
}

function callDeltas(model: MockModel, round: number): object[] {
  const args = pieces(JSON.stringify(mockArguments(model)), model.deltaBytes)
  return mockCalls(model, round).flatMap(({ id, name }, index) => [
    { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
    ...args.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ])
}

function choice(delta: object, finish: string | null): object {
  return { choices: [{ index: 0, delta, finish_reason: finish }] }
}

function chunk(model: MockModel, round: number, content: object): string {
  const head = {
    id: `chatcmpl-${round}`,
    object: 'chat.completion.chunk',
    created: 1700000000,
    model: model.name,
  }
  return `data: ${JSON.stringify({ ...head, ...content })}\n\n`
}
