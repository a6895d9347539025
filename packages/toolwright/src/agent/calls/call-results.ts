/** What a settled call leaves in the context: data at its output path, a result, or an error. Nothing is changed, only appended. */
import type { Json } from '../../messages/json.ts'
import type { ToolResponse } from '../../messages/message.ts'
import { textOfContent } from '../../messages/reading.ts'
import { isObject } from '../../schema/json-object.ts'
import { convertResult } from '../../tools/result-converter.ts'
import type { AgentMessage, Call, CallError, DataMessage } from '../agent-message.ts'
import { outputPlaces, pathText } from '../context/data-path.ts'
import { nestedAt } from '../context/data-store.ts'
import { ERROR_KIND, RESULT_KIND } from '../context/render-context.ts'
import { isParameter } from '../registry/tool-spec.ts'

export interface SettledCall {
  readonly call: Call
  readonly response: ToolResponse
  /** What the tool returned; absent when a durable run was replayed. */
  readonly value?: unknown
}

export interface ResultOptions {
  /** When it was settled, ISO 8601. */
  readonly date: string
  /** What becomes of results without an output path. */
  readonly withoutPath: 'append' | 'forget'
  /** What came back is a message. */
  readonly isMessage: boolean
}

export interface CallResult {
  readonly messages: readonly AgentMessage[]
  readonly error?: CallError
}

export function callResult(settled: SettledCall, options: ResultOptions): CallResult {
  const { call, response } = settled
  if (response.isError) {
    const error = { call, error: textOfContent(response.content) }
    return {
      messages: [{ ...baseOf(call, options), kind: ERROR_KIND, data: error as Json }],
      error,
    }
  }
  const { value } = settled
  if (options.isMessage) return { messages: [value as AgentMessage] }
  const media =
    typeof response.content === 'string'
      ? []
      : response.content.filter((part) => part.type !== 'text')
  const shown: readonly AgentMessage[] = media.length > 0 ? [{ role: 'user', content: media }] : []
  return { messages: [...dataMessages(settled, options), ...shown] }
}

function dataMessages(settled: SettledCall, options: ResultOptions): readonly DataMessage[] {
  const { call } = settled
  const result = resultOf(settled)
  if (call._outputPath !== undefined)
    return outputPlaces(call._outputPath).map((place) => ({
      ...baseOf({ ...call, _outputPath: pathText(place) }, options),
      kind: place.kind,
      data: nestedAt(place.keys, result),
      ...(call._outputMethod && { _outputMethod: call._outputMethod }),
    }))
  if (options.withoutPath === 'forget') return []
  const data = { tool: call._tool, result }
  return [{ ...baseOf(call, options), kind: RESULT_KIND, description: inWords(call), data }]
}

const baseOf = (
  call: Call,
  { date }: ResultOptions,
): Pick<DataMessage, 'type' | '_call' | '_date' | '_instance'> => ({
  type: 'data',
  _call: call,
  _date: date,
  ...(call._instance !== undefined && { _instance: call._instance }),
})

/** Two calls of one tool are told apart by what they asked. */
function inWords(call: Call): string {
  const parameters = Object.entries(call).filter(([field]) => isParameter(field))
  return `Result of ${call._tool} ${JSON.stringify(Object.fromEntries(parameters))}`
}

/** The result as JSON. Of a replayed call there is only what the model would have read. */
function resultOf({ response, value }: SettledCall): Json {
  const { content } = response
  if (value === undefined) return content === 'Done' ? null : readJson(textOfContent(content))
  if (typeof value === 'string') return value
  const text = convertResult(value)
  return typeof text === 'string' ? readJson(text) : textOfContent(text)
}

function readJson(text: string): Json {
  try {
    const value = JSON.parse(text) as Json
    return isObject(value) || Array.isArray(value) || typeof value !== 'string' ? value : text
  } catch {
    return text
  }
}
