/** The mock model's answers in the Anthropic Messages format: whole, and as a list of SSE events. */
import type { MockModel } from './mock-model.ts'
import { mockArguments, mockCalls, TEXT_CHUNK } from './mock-model.ts'
import { pieces } from './pieces.ts'

interface MessagesRequest {
  readonly messages: readonly { readonly content: string | readonly { readonly type: string }[] }[]
}

/** How many tool rounds the conversation already holds. */
export function messagesRound(request: MessagesRequest): number {
  return request.messages.filter(
    ({ content }) =>
      typeof content !== 'string' && content.some((block) => block.type === 'tool_use'),
  ).length
}

export function messagesAnswer(model: MockModel, round: number): string {
  const calls = mockCalls(model, round)
  const text = { type: 'text', text: TEXT_CHUNK.repeat(model.textChunks) }
  const blocks = calls.map(({ id, name }) => ({
    type: 'tool_use',
    id,
    name,
    input: mockArguments(model),
  }))
  return JSON.stringify({
    ...head(model, round),
    content: calls.length > 0 ? blocks : [text],
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
  })
}

export function messagesEvents(model: MockModel, round: number): string[] {
  const calls = mockCalls(model, round)
  const stopReason = calls.length > 0 ? 'tool_use' : 'end_turn'
  return [
    event('message_start', { message: { ...head(model, round), content: [], stop_reason: null } }),
    ...(calls.length > 0 ? callEvents(model, round) : textEvents(model)),
    event('message_delta', {
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: 20 },
    }),
    event('message_stop', {}),
  ]
}

function textEvents(model: MockModel): string[] {
  const deltas = Array.from({ length: model.textChunks }, () => ({
    type: 'text_delta',
    text: TEXT_CHUNK,
  }))
  return blockEvents(0, { type: 'text', text: '' }, deltas)
}

function callEvents(model: MockModel, round: number): string[] {
  const args = pieces(JSON.stringify(mockArguments(model)), model.deltaBytes)
  const deltas = args.map((piece) => ({ type: 'input_json_delta', partial_json: piece }))
  return mockCalls(model, round).flatMap(({ id, name }, index) =>
    blockEvents(index, { type: 'tool_use', id, name, input: {} }, deltas),
  )
}

function blockEvents(index: number, block: object, deltas: readonly object[]): string[] {
  return [
    event('content_block_start', { index, content_block: block }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ]
}

function head(model: MockModel, round: number): object {
  return {
    id: `msg_${round}`,
    type: 'message',
    role: 'assistant',
    model: model.name,
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 20 },
  }
}

function event(type: string, content: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...content })}\n\n`
}
