/** A turn in the language of Chat Completions: chunks of deltas, or one `chat.completion`. */
import type { Dialect, Frame, NumberedTurn, TurnFrames, WholeTurn } from '../../dialect.ts'
import { fieldsOf } from '../../request-checks.ts'
import type { FaultToolCall, FaultTurn } from '../../scenario.ts'
import { serverSentEvents } from '../../server-sent-events.ts'
import { argumentText, finishOf, usageOf, wireId } from '../../turn-reading.ts'
import { validate } from './validate.ts'

const FINISH = { stop: 'stop', 'tool-calls': 'tool_calls', length: 'length' } as const
const MODEL = 'fault-model'

const callId = (number: number, position: number): string => `call_${number}_${position}`

function envelope(number: number, rest: object): object {
  return { id: `chatcmpl-${number}`, object: 'chat.completion.chunk', model: MODEL, ...rest }
}

function chunk(number: number, delta: object, finish: string | null = null): Frame {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  return { data: JSON.stringify(envelope(number, { choices })) }
}

function usage(turn: FaultTurn): object {
  const { inputTokens, outputTokens } = usageOf(turn)
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  }
}

/** The deltas of one call: id and name first, then the argument pieces. */
function callDeltas({ turn, number }: NumberedTurn, call: FaultToolCall): object[] {
  const position = turn.toolCalls!.indexOf(call)
  const index = call.index ?? position
  const first = {
    index,
    id: wireId(call, callId(number, position)),
    type: 'function',
    function: { name: call.name, arguments: '' },
  }
  const pieces = call.arguments.map((piece) => ({
    index,
    ...(turn.blankContinuationIds ? { id: '' } : {}),
    function: { ...(turn.repeatedNames ? { name: call.name } : {}), arguments: piece },
  }))
  return [first, ...pieces]
}

function frames(numbered: NumberedTurn): TurnFrames {
  const { turn, number } = numbered
  const deltas: object[] = [{ role: 'assistant', content: '' }]
  if (turn.reasoning) deltas.push({ reasoning_content: turn.reasoning })
  for (const content of turn.text ?? []) deltas.push({ content })
  for (const call of turn.toolCalls ?? [])
    for (const delta of callDeltas(numbered, call)) deltas.push({ tool_calls: [delta] })
  return {
    body: deltas.map((delta) => chunk(number, delta)),
    finish: [
      chunk(number, {}, FINISH[finishOf(turn)]),
      { data: JSON.stringify(envelope(number, { choices: [], usage: usage(turn) })) },
    ],
    end: [{ data: '[DONE]' }],
  }
}

function whole({ turn, number }: NumberedTurn): WholeTurn {
  const calls = (turn.toolCalls ?? []).map((call, position) => ({
    id: wireId(call, callId(number, position)),
    ...(call.index === undefined ? {} : { index: call.index }),
    type: 'function',
    function: { name: call.name, arguments: argumentText(call) },
  }))
  const message = {
    role: 'assistant',
    content: turn.text ? turn.text.join('') : null,
    ...(turn.reasoning ? { reasoning_content: turn.reasoning } : {}),
    ...(calls.length ? { tool_calls: calls } : {}),
  }
  const text = JSON.stringify({
    id: turn.blankContinuationIds ? '' : `chatcmpl-${number}`,
    object: 'chat.completion',
    model: MODEL,
    choices: [{ index: 0, message, finish_reason: FINISH[finishOf(turn)] }],
    usage: usage(turn),
  })
  return { text, cut: text.lastIndexOf(',"finish_reason"') }
}

function errorBody(status: number, message: string): string {
  const type =
    status === 429 ? 'rate_limit_error' : status < 500 ? 'invalid_request_error' : 'server_error'
  return JSON.stringify({ error: { message, type, param: null, code: null } })
}

const endlessMessage = '{"choices":[{"index":0,"delta":{"content":"'

export const openAiCompatible: Dialect = {
  basePath: '/v1',
  answerMode({ path, body }) {
    if (path !== '/v1/chat/completions') return undefined
    return fieldsOf(body)?.stream === true ? 'stream' : 'whole'
  },
  streamFormat: serverSentEvents,
  frames,
  whole,
  endless: {
    frame: { data: endlessMessage },
    whole: endlessMessage.replace('delta', 'message'),
  },
  errorFrame: (message) => ({ data: errorBody(500, message) }),
  errorBody,
  validate,
}
