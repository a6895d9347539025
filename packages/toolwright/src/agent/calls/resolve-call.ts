/**
 * Replaces the references in a call by their values, and finds problems with its meta fields that no schema
 * describes.
 */
import { jsonCopy } from '../../internal/json-copy.ts'
import type { Json } from '../../messages/json.ts'
import { describeValue } from '../../schema/describe-value.ts'
import type { Call } from '../agent-message.ts'
import { checkOutputPath, parseReference } from '../context/data-path.ts'
import type { DataStore, Reader } from '../context/data-store.ts'
import { isOutputMethod, OUTPUT_METHODS } from '../context/output-methods.ts'
import { isParameter } from '../registry/tool-spec.ts'

export type ResolvedCall =
  { readonly ok: true; readonly call: Call } | { readonly ok: false; readonly problem: string }

export function resolveCall(call: Call, store: DataStore, reader: Reader): ResolvedCall {
  const problems = metaProblems(call, store)
  const lookUp = (value: Json, at: string): Json => {
    if (typeof value === 'string') return lookUpText(value, at)
    if (Array.isArray(value)) return value.map((item, index) => lookUp(item, `${at}[${index}]`))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, lookUp(inner, `${at}.${key}`)]),
    )
  }
  const lookUpText = (text: string, at: string): Json => {
    const parsed = parseReference(text)
    if (parsed.kind === 'literal') return parsed.text
    if (parsed.kind === 'forbidden') {
      problems.push(`${at}: ${parsed.problem}`)
      return text
    }
    const resolved = store.resolve(parsed.reference, { ...reader, instance: call._instance })
    if (resolved.ok) return resolved.value
    problems.push(`${at}: ${resolved.problem}`)
    return text
  }
  const entries = Object.entries(call).map(([field, value]): [string, Json | undefined] => [
    field,
    value === undefined || !isParameter(field) ? value : lookUp(value, `$.${field}`),
  ])
  const resolved = Object.fromEntries(entries) as unknown as Call
  if (problems.length === 0) problems.push(...sizeProblems(resolved, reader.argumentBytes))
  return problems.length > 0
    ? { ok: false, problem: inWords(problems) }
    : { ok: true, call: resolved }
}

const MOST_PROBLEMS = 10

function inWords(problems: readonly string[]): string {
  const more = problems.length - MOST_PROBLEMS
  const shown = problems.slice(0, MOST_PROBLEMS).join('; ')
  return more > 0 ? `${shown}; and ${more} more` : shown
}

/** A few references to large data make endless arguments, so their size is known before they are written. */
function sizeProblems(call: Call, maxBytes = Infinity): readonly string[] {
  const { value, isCut } = jsonCopy(call, maxBytes * 8)
  const isLarge = isCut || JSON.stringify(value).length > maxBytes
  return isLarge ? ['what it refers to is too large for the arguments of one call'] : []
}

function metaProblems(call: Call, { instances }: DataStore): string[] {
  const { _outputPath: path, _outputMethod: method, _instance: instance } = call
  const problems: string[] = []
  const badPath = path === undefined ? undefined : checkOutputPath(path)
  if (badPath) problems.push(`$._outputPath is ${describeValue(path)}: ${badPath}`)
  if (method !== undefined && !isOutputMethod(method))
    problems.push(
      `$._outputMethod: expected one of ${OUTPUT_METHODS.join(', ')}, received ${describeValue(method)}`,
    )
  if (instance !== undefined && !instances.includes(instance))
    problems.push(
      `$._instance: expected one of ${instances.join(', ') || 'none'}, received ${describeValue(instance)}`,
    )
  return problems
}
