/** A turn in the language of Ollama's `/api/chat`: one JSON object per line, or one alone. Calls come whole. */
import type { Dialect, Frame, NumberedTurn, TurnFrames, WholeTurn } from '../../dialect.ts'
import { jsonLines } from '../../json-lines.ts'
import { fieldsOf, parsesAsJson } from '../../request-checks.ts'
import type { FaultToolCall, FaultTurn } from '../../scenario.ts'
import { argumentText, finishOf, usageOf } from '../../turn-reading.ts'
import { validate } from './validate.ts'

const FINISH = { stop: 'stop', 'tool-calls': 'stop', length: 'length' } as const
const MODEL = 'fault-model'

/** The time of each line is another one, as on the real wire. */
const timeOf = (number: number, line: number): string =>
  `2026-01-01T00:${String(number % 60).padStart(2, '0')}:${String(line % 60).padStart(2, '0')}.000000Z`

/** Most servers give no ids; a turn that names one gets it. */
function wireCall(turn: FaultTurn, call: FaultToolCall): object {
  const id = turn.blankContinuationIds ? '' : (call.id ?? undefined)
  const index = call.index ?? turn.toolCalls!.indexOf(call)
  return { id, function: { index, name: call.name, arguments: inputOf(call) } }
}

/** The wire holds an object; argument text that is none can only arrive as the text itself. */
function inputOf(call: FaultToolCall): unknown {
  const text = argumentText(call)
  if (text === '') return {}
  return parsesAsJson(text) ? (JSON.parse(text) as unknown) : text
}

/** The last line, with how it ended and what it took. */
function ending(turn: FaultTurn): object {
  const { inputTokens, outputTokens } = usageOf(turn)
  return {
    done: true,
    done_reason: FINISH[finishOf(turn)],
    total_duration: 3_000_000,
    load_duration: 1_000_000,
    prompt_eval_count: inputTokens,
    prompt_eval_duration: 1_000_000,
    eval_count: outputTokens,
    eval_duration: 1_000_000,
  }
}

function pieces(turn: FaultTurn): object[] {
  const messages: object[] = []
  if (turn.reasoning !== undefined) messages.push({ content: '', thinking: turn.reasoning })
  for (const content of turn.text ?? []) messages.push({ content })
  for (const call of turn.toolCalls ?? []) {
    const message = { content: '', tool_calls: [wireCall(turn, call)] }
    // This dialect sends a call in one line; what gateways do repeat is the line.
    messages.push(message, ...(turn.repeatedNames ? [message] : []))
  }
  return messages
}

function frames({ turn, number }: NumberedTurn): TurnFrames {
  const line = (rest: object, at: number): Frame => ({
    data: JSON.stringify({ model: MODEL, created_at: timeOf(number, at), ...rest }),
  })
  const body = pieces(turn).map((message, at) =>
    line({ message: { role: 'assistant', ...message }, done: false }, at),
  )
  const last = { message: { role: 'assistant', content: '' }, ...ending(turn) }
  return { body, finish: [line(last, body.length)], end: [] }
}

function whole({ turn, number }: NumberedTurn): WholeTurn {
  const calls = (turn.toolCalls ?? []).map((call) => wireCall(turn, call))
  const message = {
    role: 'assistant',
    content: turn.text ? turn.text.join('') : '',
    ...(turn.reasoning === undefined ? {} : { thinking: turn.reasoning }),
    ...(calls.length ? { tool_calls: calls } : {}),
  }
  const text = JSON.stringify({
    model: MODEL,
    created_at: timeOf(number, 0),
    message,
    ...ending(turn),
  })
  return { text, cut: text.lastIndexOf(',"done"') }
}

const errorBody = (_status: number, message: string): string => JSON.stringify({ error: message })

const endlessMessage = `{"model":"${MODEL}","message":{"role":"assistant","content":"`

export const ollama: Dialect = {
  basePath: '',
  answerMode({ path, body }) {
    if (path !== '/api/chat') return undefined
    // Streamed unless the request says otherwise.
    return fieldsOf(body)?.stream === false ? 'whole' : 'stream'
  },
  streamFormat: jsonLines,
  frames,
  whole,
  endless: { frame: { data: endlessMessage }, whole: endlessMessage },
  errorFrame: (message) => ({ data: errorBody(500, message) }),
  errorBody,
  validate,
}
