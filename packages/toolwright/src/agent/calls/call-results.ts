/**
 * The messages that a settled call appends to the context: data at its output path, a result, or an error.
 */
import type { Json } from '../../messages/json.ts'
import type { ToolResponse } from '../../messages/message.ts'
import { textOfContent } from '../../messages/reading.ts'
import { isObject } from '../../schema/json-object.ts'
import { convertResult } from '../../tools/result-converter.ts'
import type { AgentMessage, Call, CallError, DataMessage } from '../agent-message.ts'
import { outputPlaces, pathText } from '../context/data-path.ts'
import { nestedAt } from '../context/data-store.ts'
import { ERROR_KIND, RESULT_KIND } from '../context/render-context.ts'
import { parametersOf } from '../registry/tool-spec.ts'

export interface SettledCall {
  readonly call: Call
  readonly response: ToolResponse
  /** What the tool returned; missing when a durable run is replayed. */
  readonly value?: unknown
}

export interface ResultOptions {
  /** When the call was settled, as ISO 8601. */
  readonly date: string
  /** Whether a result without an output path is appended or dropped. */
  readonly withoutPath: 'append' | 'forget'
  /** Whether the activity returned a message. */
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
      messages: [{ ...dataFields(call, options), kind: ERROR_KIND, data: error as Json }],
      error,
    }
  }
  const { value } = settled
  if (options.isMessage) return { messages: [value as AgentMessage] }
  const media =
    typeof response.content === 'string'
      ? []
      : response.content.filter((part) => part.type !== 'text')
  const mediaMessages: readonly AgentMessage[] =
    media.length > 0 ? [{ role: 'user', content: media }] : []
  return { messages: [...dataMessages(settled, options), ...mediaMessages] }
}

function dataMessages(settled: SettledCall, options: ResultOptions): readonly DataMessage[] {
  const { call } = settled
  const result = resultOf(settled)
  if (call._outputPath !== undefined)
    return outputPlaces(call._outputPath).map((place) => ({
      ...dataFields({ ...call, _outputPath: pathText(place) }, options),
      kind: place.kind,
      data: nestedAt(place.keys, result),
      ...(call._outputMethod && { _outputMethod: call._outputMethod }),
    }))
  if (options.withoutPath === 'forget') return []
  const data = { tool: call._tool, result }
  return [
    { ...dataFields(call, options), kind: RESULT_KIND, description: describeCall(call), data },
  ]
}

const dataFields = (
  call: Call,
  { date }: ResultOptions,
): Pick<DataMessage, 'type' | '_call' | '_date' | '_instance'> => ({
  type: 'data',
  _call: call,
  _date: date,
  // A call that failed may name an instance of any kind.
  ...(isName(call._instance) && { _instance: call._instance }),
})

const isName = (x: unknown): x is string => typeof x === 'string' && x !== ''

/** Describes a result by the parameters of its call, so that two calls of one tool can be told apart. */
function describeCall(call: Call): string {
  return `Result of ${call._tool} ${JSON.stringify(parametersOf(call))}`
}

/** The result as JSON. For a replayed call it is read from the text that the model would have seen. */
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
