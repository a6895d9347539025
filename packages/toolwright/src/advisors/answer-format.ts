/**
 * What an answer must be: the JSON Schema the model is shown, and the check of what it said. Models wrap
 * JSON in thoughts, fences and politeness; it is taken out where there is no doubt what was meant.
 */
import { parseJson, type ParsedJson } from '../internal/parse-json.ts'
import { describeValue } from '../schema/describe-value.ts'
import { compileInput } from '../schema/input-schema.ts'
import { invalidSchema } from '../schema/invalid-schema.ts'
import { has } from '../schema/json-object.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { CheckResult } from '../schema/schema-checker.ts'
import type { SchemaSource } from '../tools/tool.ts'

export interface AnswerFormat {
  /** Always of an object: what is none travels as `{ value }`. */
  readonly jsonSchema: JsonSchema
  /** Asked for the same text again, it does not check twice. */
  check(text: string): Promise<CheckResult>
}

/** Throws a `ConfigurationError` for what is no schema. */
export function answerFormat(schema: SchemaSource): AnswerFormat {
  if (schema === undefined)
    throw invalidSchema('entity() needs a schema: write entity(z.object({ ... })).')
  const { jsonSchema, wrapped, check } = compileInput(schema)
  let last: string | undefined
  let result: Promise<CheckResult>
  const checked = async (text: string): Promise<CheckResult> => {
    const read = jsonIn(text)
    // A bare word may be all that was asked for.
    if (!read.ok && !(wrapped && /^[^[{`]+$/.test(text))) {
      const received = describeValue(text)
      return {
        ok: false,
        issues: [{ path: '$', expected: 'JSON', received, message: read.problem }],
      }
    }
    const value = read.ok ? read.value : text.trim()
    return check(wrapped && !has(value, 'value') ? { value } : value)
  }
  return {
    jsonSchema,
    check(text) {
      if (text !== last) result = checked((last = text))
      return result
    },
  }
}

/** More than any model says in one answer. */
const MOST_BYTES = 16 * 1024 * 1024

/** The only JSON in a text: all of it, its only fenced block, or what its outermost brackets hold. */
export function jsonIn(said: string): ParsedJson {
  const text = said.replace(/^\s*<think>[^]*?<\/think>/, '').trim()
  const [, fenced = '', , more] = text.split('```', 4)
  const start = text.search(/[[{]/)
  const candidates = [
    // Nothing would be read as no arguments.
    text || '[',
    more === undefined && fenced.replace(/^\w+/, ''),
    start >= 0 && text.slice(start, Math.max(text.lastIndexOf(']'), text.lastIndexOf('}')) + 1),
  ]
  let read!: ParsedJson
  for (const candidate of candidates) {
    if (candidate) read = parseJson(candidate, { maxBytes: MOST_BYTES, maxDepth: 256 })
    if (read.ok) break
  }
  return read
}
