/**
 * A turn in the language of OpenAI's Responses API: events around items, or one `response`. Thoughts come
 * encrypted, which here means signed: the validator refuses a changed one.
 */
import type { Dialect, Frame, NumberedTurn, TurnFrames, WholeTurn } from '../../dialect.ts'
import { fieldsOf, parsesAsJson } from '../../request-checks.ts'
import type { FaultToolCall, FaultTurn } from '../../scenario.ts'
import { serverSentEvents } from '../../server-sent-events.ts'
import { signatureOf } from '../../signature.ts'
import { argumentText, finishOf, usageOf, wireId } from '../../turn-reading.ts'
import { validate } from './validate.ts'

const MODEL = 'fault-model'

const frame = (event: string, rest: object): Frame => ({
  event,
  data: JSON.stringify({ type: event, ...rest }),
})

/** One item of the output, whole, and the events by which it streams. */
interface StreamedItem {
  readonly index: number
  readonly item: { readonly id?: string | undefined; readonly type: string }
  /** As it begins. */
  readonly start: object
  /** Event and payload, in order. */
  readonly pieces: readonly (readonly [event: string, payload: object])[]
  /** A stream that breaks off inside this item does not end it. */
  readonly open: boolean
}

function thoughtItem(number: number, thought: string, index: number): StreamedItem {
  const part = { type: 'summary_text', text: thought }
  const item = {
    id: `rs_${number}`,
    type: 'reasoning',
    summary: [part],
    encrypted_content: signatureOf(thought),
  }
  return {
    index,
    item,
    start: { ...item, summary: [], encrypted_content: '' },
    pieces: [
      [
        'response.reasoning_summary_part.added',
        { summary_index: 0, part: { type: 'summary_text', text: '' } },
      ],
      ['response.reasoning_summary_text.delta', { summary_index: 0, delta: thought }],
      ['response.reasoning_summary_text.done', { summary_index: 0, text: thought }],
      ['response.reasoning_summary_part.done', { summary_index: 0, part }],
    ],
    open: false,
  }
}

const outputText = (text: string): object => ({ type: 'output_text', text, annotations: [] })

function messageItem({ turn, number }: NumberedTurn, index: number): StreamedItem {
  const pieces = turn.text ?? []
  const text = pieces.join('')
  const item = {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    status: statusOf(turn),
    content: [outputText(text)],
  }
  return {
    index,
    item,
    start: { ...item, status: 'in_progress', content: [] },
    pieces: [
      ['response.content_part.added', { content_index: 0, part: outputText('') }],
      ...pieces.map(
        (delta) => ['response.output_text.delta', { content_index: 0, delta }] as const,
      ),
      ['response.output_text.done', { content_index: 0, text }],
      ['response.content_part.done', { content_index: 0, part: outputText(text) }],
    ],
    open: false,
  }
}

/** A call whose own id is blank or missing has no other either. */
function callItem({ turn, number }: NumberedTurn, call: FaultToolCall, at: number): StreamedItem {
  const position = turn.toolCalls!.indexOf(call)
  const callId = wireId(call, `call_${number}_${position}`)
  const item = {
    id: callId ? `fc_${number}_${position}` : callId,
    type: 'function_call',
    status: statusOf(turn),
    arguments: argumentText(call),
    call_id: callId,
    name: call.name,
  }
  const names = turn.repeatedNames ? { name: call.name } : {}
  const open = turn.ending === 'eof' && !parsesAsJson(item.arguments)
  const end = ['response.function_call_arguments.done', { arguments: item.arguments }] as const
  return {
    index: call.index ?? at,
    item,
    start: { ...item, status: 'in_progress', arguments: '' },
    pieces: [
      ...call.arguments.map(
        (delta) => ['response.function_call_arguments.delta', { ...names, delta }] as const,
      ),
      ...(open ? [] : [end]),
    ],
    open,
  }
}

function itemsOf(numbered: NumberedTurn): readonly StreamedItem[] {
  const { turn, number } = numbered
  const items: StreamedItem[] = []
  if (turn.reasoning !== undefined) items.push(thoughtItem(number, turn.reasoning, items.length))
  if (turn.text) items.push(messageItem(numbered, items.length))
  for (const call of turn.toolCalls ?? []) items.push(callItem(numbered, call, items.length))
  return items
}

/** Gateways rotate and blank the ids of pieces, and send a start twice. */
function itemFrames({ index, item, start, pieces, open }: StreamedItem, turn: FaultTurn): Frame[] {
  const added = frame('response.output_item.added', { output_index: index, item: start })
  const id = turn.blankContinuationIds ? '' : item.id
  return [
    added,
    ...(turn.repeatedNames ? [added] : []),
    ...pieces.map(([event, payload]) =>
      frame(event, { item_id: id, output_index: index, ...payload }),
    ),
    ...(open ? [] : [frame('response.output_item.done', { output_index: index, item })]),
  ]
}

const statusOf = (turn: FaultTurn): 'completed' | 'incomplete' =>
  finishOf(turn) === 'length' ? 'incomplete' : 'completed'

const head = (id: string): object => ({
  id,
  object: 'response',
  created_at: 0,
  model: MODEL,
  error: null,
})

function response({ turn, number }: NumberedTurn, output: readonly object[]): object {
  const { inputTokens, outputTokens } = usageOf(turn)
  const status = statusOf(turn)
  return {
    ...head(turn.blankContinuationIds ? '' : `resp_${number}`),
    output,
    status,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + outputTokens,
    },
  }
}

function frames(numbered: NumberedTurn): TurnFrames {
  const { turn, number } = numbered
  const items = itemsOf(numbered)
  const begun = { ...head(`resp_${number}`), output: [], status: 'in_progress', usage: null }
  const whole = response(
    numbered,
    items.map(({ item }) => item),
  )
  return {
    body: [
      frame('response.created', { response: begun }),
      frame('response.in_progress', { response: begun }),
      ...items.flatMap((item) => itemFrames(item, turn)),
    ],
    finish: [frame(`response.${statusOf(turn)}`, { response: whole })],
    // The API ends with its last event; many servers add the marker of the older dialect.
    end: [{ data: '[DONE]' }],
  }
}

function whole(numbered: NumberedTurn): WholeTurn {
  const output = itemsOf(numbered).map(({ item }) => item)
  const text = JSON.stringify(response(numbered, output))
  return { text, cut: text.lastIndexOf(',"status"') }
}

function errorBody(status: number, message: string): string {
  const type =
    status === 429 ? 'rate_limit_error' : status < 500 ? 'invalid_request_error' : 'server_error'
  return JSON.stringify({ error: { message, type, param: null, code: null } })
}

export const openAi: Dialect = {
  basePath: '/v1',
  answerMode({ path, body }) {
    if (path !== '/v1/responses') return undefined
    return fieldsOf(body)?.stream === true ? 'stream' : 'whole'
  },
  streamFormat: serverSentEvents,
  frames,
  whole,
  endless: {
    frame: {
      event: 'response.output_text.delta',
      data: '{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"',
    },
    whole:
      '{"object":"response","output":[{"type":"message","content":[{"type":"output_text","text":"',
  },
  errorFrame: (message) => frame('error', { code: 'server_error', message, param: null }),
  errorBody,
  validate,
}
