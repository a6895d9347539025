/**
 * A turn in the language of Gemini: chunks of parts, or one answer. Calls come whole and have no index; the first
 * of a turn is signed. Where a scenario wants a call in pieces, its arguments are streamed by path.
 */
import type { Dialect, Frame, NumberedTurn, TurnFrames, WholeTurn } from '../../dialect.ts'
import { parsesAsJson } from '../../request-checks.ts'
import type { FaultToolCall } from '../../scenario.ts'
import { serverSentEvents } from '../../server-sent-events.ts'
import { argumentText, finishOf, usageOf, wireId } from '../../turn-reading.ts'
import { signatureOfTurn } from './signature-of-turn.ts'
import { validate } from './validate.ts'

const FINISH = { stop: 'STOP', 'tool-calls': 'STOP', length: 'MAX_TOKENS' } as const
const PATH = /^\/v1beta\/models\/[^/:?]+:(?:(generateContent)|streamGenerateContent\?alt=sse)$/

const callId = (number: number, position: number): string => `fc_${number}_${position}`

/** Calls do not continue under their id here; what gateways leave blank is the id of the answer. */
function answer({ turn, number }: NumberedTurn, candidate: object, isFirst = false): string {
  const { inputTokens, outputTokens } = usageOf(turn)
  return JSON.stringify({
    candidates: [{ index: 0, ...candidate }],
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: outputTokens,
      totalTokenCount: inputTokens + outputTokens,
    },
    modelVersion: 'fault-model',
    responseId: turn.blankContinuationIds && !isFirst ? '' : `resp_${number}`,
  })
}

const content = (parts: readonly object[]): object => ({ content: { role: 'model', parts } })

/** An object as an object. Argument text that is none can only arrive as the text itself. */
function argsOf(call: FaultToolCall): { readonly args?: unknown } {
  const text = argumentText(call)
  if (text === '') return {}
  return { args: parsesAsJson(text) ? (JSON.parse(text) as unknown) : text }
}

function callHead({ turn, number }: NumberedTurn, call: FaultToolCall): object {
  const id = wireId(call, callId(number, turn.toolCalls!.indexOf(call)))
  return { ...(id === undefined ? {} : { id }), name: call.name }
}

const signed = ({ turn }: NumberedTurn, call: FaultToolCall): object =>
  turn.toolCalls!.indexOf(call) === 0 ? { thoughtSignature: signatureOfTurn(turn) } : {}

function wholeCall(numbered: NumberedTurn, call: FaultToolCall): object {
  const functionCall = { ...callHead(numbered, call), ...argsOf(call) }
  return { functionCall, ...signed(numbered, call) }
}

/** A call as the parts of one or more chunks. */
function streamedCall(numbered: NumberedTurn, call: FaultToolCall): readonly object[] {
  const { turn } = numbered
  const isCut = turn.ending === 'eof' && !parsesAsJson(argumentText(call))
  if (!isCut && !turn.repeatedNames) return [wholeCall(numbered, call)]
  const head = { ...callHead(numbered, call), willContinue: true }
  const start = { functionCall: head, ...signed(numbered, call) }
  return isCut ? [start] : [start, ...argumentPieces(call), { functionCall: {} }]
}

function argumentPieces(call: FaultToolCall): readonly object[] {
  const values = Object.entries(JSON.parse(argumentText(call)) as { [name: string]: unknown })
  return values
    .flatMap(([name, value]) => valuePieces(`$.${name}`, value))
    .map((piece) => ({
      functionCall: { name: call.name, partialArgs: [piece], willContinue: true },
    }))
}

/** Texts come in pieces of their own. */
function valuePieces(jsonPath: string, value: unknown): readonly object[] {
  if (typeof value !== 'string') return [{ jsonPath, numberValue: value }]
  const letters = Array.from(value)
  return [
    ...letters.map((stringValue) => ({ jsonPath, stringValue, willContinue: true })),
    { jsonPath, stringValue: '' },
  ]
}

function frames(numbered: NumberedTurn): TurnFrames {
  const { turn } = numbered
  const parts: object[] = []
  if (turn.reasoning !== undefined) parts.push({ text: turn.reasoning, thought: true })
  for (const text of turn.text ?? []) parts.push({ text })
  for (const call of turn.toolCalls ?? []) parts.push(...streamedCall(numbered, call))
  const finishReason = FINISH[finishOf(turn)]
  return {
    body: parts.map((part, at) => ({ data: answer(numbered, content([part]), at === 0) })),
    finish: [{ data: answer(numbered, { ...content([{ text: '' }]), finishReason }) }],
    end: [],
  }
}

function whole(numbered: NumberedTurn): WholeTurn {
  const { turn } = numbered
  const parts: object[] = []
  if (turn.reasoning !== undefined) parts.push({ text: turn.reasoning, thought: true })
  if (turn.text) parts.push({ text: turn.text.join('') })
  for (const call of turn.toolCalls ?? []) parts.push(wholeCall(numbered, call))
  const text = answer(numbered, { ...content(parts), finishReason: FINISH[finishOf(turn)] })
  return { text, cut: text.lastIndexOf(',"finishReason"') }
}

const STATUSES: { readonly [status: number]: string } = {
  400: 'INVALID_ARGUMENT',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

function errorBody(code: number, message: string): string {
  return JSON.stringify({ error: { code, message, status: STATUSES[code] ?? 'INTERNAL' } })
}

const endlessAnswer = '{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"'
const endlessFrame: Frame = { data: endlessAnswer }

export const google: Dialect = {
  basePath: '/v1beta',
  answerMode({ path }) {
    const match = PATH.exec(path)
    if (match === null) return undefined
    return match[1] === undefined ? 'stream' : 'whole'
  },
  streamFormat: serverSentEvents,
  frames,
  whole,
  endless: { frame: endlessFrame, whole: endlessAnswer },
  errorFrame: (message) => ({ data: errorBody(503, message) }),
  errorBody,
  validate,
}
