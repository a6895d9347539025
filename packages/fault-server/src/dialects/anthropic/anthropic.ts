/** A turn in the language of Anthropic Messages: block events, or one `message`. Thoughts are signed. */
import type { Dialect, Frame, NumberedTurn, TurnFrames, WholeTurn } from '../../dialect.ts'
import { fieldsOf, parsesAsJson } from '../../request-checks.ts'
import type { FaultToolCall, FaultTurn } from '../../scenario.ts'
import { serverSentEvents } from '../../server-sent-events.ts'
import { argumentText, finishOf, usageOf, wireId } from '../../turn-reading.ts'
import { signatureOf } from '../../signature.ts'
import { validate } from './validate.ts'

const FINISH = { stop: 'end_turn', 'tool-calls': 'tool_use', length: 'max_tokens' } as const
const MODEL = 'fault-model'

const callId = (number: number, position: number): string => `toolu_${number}_${position}`

const frame = (event: string, rest: object): Frame => ({
  event,
  data: JSON.stringify({ type: event, ...rest }),
})

/** One content block as start, deltas and stop. */
interface StreamedBlock {
  readonly index: number
  readonly start: object
  readonly deltas: readonly object[]
  /** A stream that breaks off inside this block does not close it. */
  readonly open: boolean
}

function blockFrames(block: StreamedBlock, stray: object): Frame[] {
  const { index, start, deltas, open } = block
  const opened = [frame('content_block_start', { index, content_block: start })]
  for (const delta of deltas) opened.push(frame('content_block_delta', { index, delta, ...stray }))
  return open ? opened : [...opened, frame('content_block_stop', { index })]
}

function callBlock({ turn, number }: NumberedTurn, call: FaultToolCall, at: number): StreamedBlock {
  const position = turn.toolCalls!.indexOf(call)
  const names = turn.repeatedNames ? { name: call.name } : {}
  return {
    index: call.index ?? at,
    start: {
      type: 'tool_use',
      id: wireId(call, callId(number, position)),
      name: call.name,
      input: {},
    },
    deltas: call.arguments.map((piece) => ({
      type: 'input_json_delta',
      partial_json: piece,
      ...names,
    })),
    open: turn.ending === 'eof' && !parsesAsJson(argumentText(call)),
  }
}

function streamedBlocks(numbered: NumberedTurn): StreamedBlock[] {
  const { turn } = numbered
  const blocks: StreamedBlock[] = []
  if (turn.reasoning !== undefined)
    blocks.push({
      index: 0,
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        { type: 'thinking_delta', thinking: turn.reasoning },
        { type: 'signature_delta', signature: signatureOf(turn.reasoning) },
      ],
      open: false,
    })
  if (turn.text)
    blocks.push({
      index: blocks.length,
      start: { type: 'text', text: '' },
      deltas: turn.text.map((text) => ({ type: 'text_delta', text })),
      open: false,
    })
  for (const call of turn.toolCalls ?? []) blocks.push(callBlock(numbered, call, blocks.length))
  return blocks
}

function messageStart(number: number, turn: FaultTurn): Frame {
  const message = {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: MODEL,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: usageOf(turn).inputTokens, output_tokens: 1 },
  }
  return frame('message_start', { message })
}

function frames(numbered: NumberedTurn): TurnFrames {
  const { turn, number } = numbered
  const start = messageStart(number, turn)
  const stray = turn.blankContinuationIds ? { id: '' } : {}
  const blocks = streamedBlocks(numbered).flatMap((block) => blockFrames(block, stray))
  return {
    // This dialect names a call only once; what gateways do repeat is the start of the message.
    body: [start, ...(turn.repeatedNames ? [start] : []), frame('ping', {}), ...blocks],
    finish: [
      frame('message_delta', {
        delta: { stop_reason: FINISH[finishOf(turn)], stop_sequence: null },
        usage: { output_tokens: usageOf(turn).outputTokens },
      }),
    ],
    end: [frame('message_stop', {})],
  }
}

/** A whole answer holds an object; argument text that is none can only arrive as the text itself. */
function inputOf(call: FaultToolCall): unknown {
  const text = argumentText(call)
  if (text === '') return {}
  return parsesAsJson(text) ? (JSON.parse(text) as unknown) : text
}

function wholeBlocks({ turn, number }: NumberedTurn): object[] {
  const blocks: object[] = []
  if (turn.reasoning !== undefined) {
    const thinking = turn.reasoning
    blocks.push({ type: 'thinking', thinking, signature: signatureOf(thinking) })
  }
  if (turn.text) blocks.push({ type: 'text', text: turn.text.join('') })
  for (const [position, call] of (turn.toolCalls ?? []).entries())
    blocks.push({
      type: 'tool_use',
      id: wireId(call, callId(number, position)),
      name: call.name,
      input: inputOf(call),
    })
  return blocks
}

function whole(numbered: NumberedTurn): WholeTurn {
  const { turn, number } = numbered
  const { inputTokens, outputTokens } = usageOf(turn)
  const text = JSON.stringify({
    id: turn.blankContinuationIds ? '' : `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: MODEL,
    content: wholeBlocks(numbered),
    stop_reason: FINISH[finishOf(turn)],
    stop_sequence: null,
    usage: { input_tokens: inputTokens, output_tokens: outputTokens },
  })
  return { text, cut: text.lastIndexOf(',"stop_reason"') }
}

const ERROR_TYPES: { readonly [status: number]: string } = {
  400: 'invalid_request_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

function errorBody(status: number, message: string): string {
  return JSON.stringify({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'api_error', message },
  })
}

export const anthropic: Dialect = {
  basePath: '/v1',
  answerMode({ path, body }) {
    if (path !== '/v1/messages') return undefined
    return fieldsOf(body)?.stream === true ? 'stream' : 'whole'
  },
  streamFormat: serverSentEvents,
  frames,
  whole,
  endless: {
    frame: {
      event: 'content_block_delta',
      data: '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"',
    },
    whole: '{"type":"message","role":"assistant","content":[{"type":"text","text":"',
  },
  errorFrame: (message) => ({ event: 'error', data: errorBody(529, message) }),
  errorBody,
  validate,
}
