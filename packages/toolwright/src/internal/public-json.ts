/** What a stranger may read of any value. */
import type { Json } from '../messages/json.ts'
import { jsonCopy } from './json-copy.ts'

/** As JSON, without suspended states: a tool may pass on that of a run of its own. */
export function publicJson(value: unknown): Json | undefined {
  const text = JSON.stringify(jsonCopy(value).value, (_key, inner: unknown) =>
    isState(inner) ? undefined : inner,
  ) as string | undefined
  return text === undefined ? undefined : (JSON.parse(text) as Json)
}

function isState(value: unknown): boolean {
  const { signature, messages, pending } = Object(value) as { readonly [key: string]: unknown }
  return typeof signature === 'string' && Array.isArray(messages) && Array.isArray(pending)
}
