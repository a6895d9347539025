/** Reads fields of lines that may hold anything: what is of another kind is absent. */
import { USAGE_FIELDS, type Usage } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { TraceFailure } from '../trace-line.ts'

export type Fields = { readonly [name: string]: Json | undefined }

export const isFields = (x: unknown): x is Fields =>
  typeof x === 'object' && x !== null && !Array.isArray(x)

export const textIn = (fields: Fields, name: string): string | undefined => {
  const value = fields[name]
  return typeof value === 'string' ? value : undefined
}

export const numberIn = (fields: Fields, name: string): number | undefined => {
  const value = fields[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export const fieldsIn = (fields: Fields, name: string): JsonObject | undefined => {
  const value = fields[name]
  return isFields(value) ? (value as JsonObject) : undefined
}

export const textsIn = (fields: Fields, name: string): readonly string[] | undefined => {
  const value = fields[name]
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined
}

export const listIn = (fields: Fields, name: string): readonly JsonObject[] => {
  const value = fields[name]
  return Array.isArray(value) ? (value.filter(isFields) as JsonObject[]) : []
}

export function usageIn(fields: Fields): Usage | undefined {
  const usage = fieldsIn(fields, 'usage')
  if (!usage) return undefined
  const counts = USAGE_FIELDS.flatMap((name) => {
    const count = numberIn(usage, name)
    return count === undefined ? [] : [[name, count] as const]
  })
  return Object.fromEntries(counts)
}

export function failureIn(fields: Fields): TraceFailure | undefined {
  const error = fieldsIn(fields, 'error')
  if (!error) return undefined
  const code = textIn(error, 'code')
  const message = textIn(error, 'message')
  return {
    name: textIn(error, 'name') ?? 'Error',
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
  }
}
