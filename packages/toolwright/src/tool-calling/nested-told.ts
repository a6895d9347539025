/** What a tool gets of a call that it made: the result as a model would read it, uncut; or why there is none. */
import { ToolwrightError } from '../errors/errors.ts'
import { bytesOf } from '../internal/json-copy.ts'
import type { RefusalCode } from '../observation/observer.ts'
import type { NestedFailureCode } from '../tools/nested-call.ts'
import { bodyOf } from '../tools/tool-body.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { Nesting, NestedTold, ToldOutcome } from './call.ts'

export const nestedTold: Nesting['told'] = (settled, outcome): NestedTold => {
  if (settled.kind === 'refused') return { code: REFUSALS[settled.code] }
  if (outcome.error !== undefined) return { code: failureCode(outcome.error) }
  const json = jsonOf(settled.tool, outcome)
  return json === undefined ? {} : { json }
}

const REFUSALS: { readonly [code in RefusalCode]: NestedFailureCode } = {
  'unknown-tool': 'unknown-tool',
  'tool-input': 'invalid-arguments',
  'run-limit': 'limit',
  denied: 'denied',
  'tool-timeout': 'timeout',
  'unknown-outcome': 'failed',
  // The call around it would have been refused.
  'answer-cut': 'failed',
  'tools-off': 'failed',
}

const FAILURES: { readonly [code: string]: NestedFailureCode } = {
  'tool-timeout': 'timeout',
  'tool-output': 'output',
}

function failureCode(error: unknown): NestedFailureCode {
  const code = ToolwrightError.is(error) ? error.code : ''
  return Object.hasOwn(FAILURES, code) ? FAILURES[code]! : 'failed'
}

function jsonOf(tool: ToolCallback, { output = '', checked }: ToldOutcome): string | undefined {
  if (typeof output !== 'string') return JSON.stringify(output)
  if (!bodyOf(tool)?.isPlain) return jsonOfText(tool, output)
  if (typeof checked === 'string' || typeof checked === 'bigint') return JSON.stringify(output)
  // Nothing in JSON is written so: there was nothing to convert.
  if (output === 'Done') return undefined
  // Bytes that are too many to show are words; everything else is JSON already.
  return bytesOf(checked) ? JSON.stringify(output) : output
}

/** What a converter of the tool's own made is a text, unless it is the JSON that the tool says it gives. */
function jsonOfText({ definition }: ToolCallback, text: string): string {
  const { outputSchema } = definition
  if (!outputSchema || outputSchema.type === 'string') return JSON.stringify(text)
  try {
    JSON.parse(text)
    return text
  } catch {
    return JSON.stringify(text)
  }
}
