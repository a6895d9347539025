/** The mock model's answers in the format of OpenAI's Responses API: whole, and as a list of SSE events. */
import type { MockModel } from './mock-model.ts'
import { mockArguments, mockCalls, TEXT_CHUNK } from './mock-model.ts'
import { pieces } from './pieces.ts'

interface ResponsesRequest {
  readonly input: readonly { readonly type?: string }[]
}

/** How many tool rounds the conversation already holds. The calls of one round stand together. */
export function responsesRound({ input }: ResponsesRequest): number {
  return input.filter(
    (item, index) => item.type === 'function_call' && input[index - 1]?.type !== 'function_call',
  ).length
}

export function responsesAnswer(model: MockModel, round: number): string {
  return JSON.stringify(response(model, round, outputOf(model, round)))
}

export function responsesEvents(model: MockModel, round: number): string[] {
  const output = outputOf(model, round)
  const items = output.flatMap((item, index) =>
    item.type === 'message' ? textEvents(model, item) : callEvents(model, item, index),
  )
  const events = [
    {
      type: 'response.created',
      response: { ...response(model, round, []), status: 'in_progress' },
    },
    ...items,
    { type: 'response.completed', response: response(model, round, output) },
  ]
  return events.map(
    (event, sequence) =>
      `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: sequence })}\n\n`,
  )
}

interface Item {
  readonly type: string
  readonly id: string
}
interface Event {
  readonly type: string
  readonly [field: string]: unknown
}

function outputOf(model: MockModel, round: number): Item[] {
  const calls = mockCalls(model, round)
  if (calls.length === 0) return [message(model)]
  const args = JSON.stringify(mockArguments(model))
  return calls.map(({ id, name }) => ({
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    name,
    arguments: args,
    status: 'completed',
  }))
}

function message(model: MockModel): Item {
  const text = TEXT_CHUNK.repeat(model.textChunks)
  const content = [{ type: 'output_text', text, annotations: [] }]
  return { type: 'message', id: 'msg_0', ...{ role: 'assistant', status: 'completed', content } }
}

function textEvents(model: MockModel, item: Item): Event[] {
  const place = { output_index: 0, content_index: 0, item_id: item.id }
  const part = { type: 'output_text', text: '', annotations: [] }
  const text = TEXT_CHUNK.repeat(model.textChunks)
  return [
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...place, part },
    ...Array.from({ length: model.textChunks }, () => ({
      type: 'response.output_text.delta',
      ...place,
      delta: TEXT_CHUNK,
    })),
    { type: 'response.output_text.done', ...place, text },
    { type: 'response.content_part.done', ...place, part: { ...part, text } },
    { type: 'response.output_item.done', output_index: 0, item },
  ]
}

function callEvents(model: MockModel, item: Item, index: number): Event[] {
  const args = JSON.stringify(mockArguments(model))
  const place = { output_index: index, item_id: item.id }
  return [
    {
      type: 'response.output_item.added',
      output_index: index,
      item: { ...item, arguments: '', status: 'in_progress' },
    },
    ...pieces(args, model.deltaBytes).map((delta) => ({
      type: 'response.function_call_arguments.delta',
      ...place,
      delta,
    })),
    { type: 'response.function_call_arguments.done', ...place, arguments: args },
    { type: 'response.output_item.done', output_index: index, item },
  ]
}

function response(model: MockModel, round: number, output: readonly Item[]): object {
  return {
    id: `resp_${round}`,
    object: 'response',
    created_at: 1700000000,
    status: 'completed',
    model: model.name,
    output,
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 120,
    },
  }
}
