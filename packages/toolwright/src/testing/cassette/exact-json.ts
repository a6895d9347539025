/** What a program made, as JSON. Nothing that it makes may fail a recording. */
import { jsonCopy } from '../../internal/json-copy.ts'
import type { Json } from '../../messages/json.ts'

/** Whole, however large it is, of what is JSON by contract; of anything else what can be written of it. */
export function exactJson(value: unknown): Json {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null') as Json
  } catch {
    return asJson(value)
  }
}

/** What can be written of anything: bounded, with a mark where something is left out. */
export const asJson = (value: unknown): Json => (jsonCopy(value).value ?? null) as Json
