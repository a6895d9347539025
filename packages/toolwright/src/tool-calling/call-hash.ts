/** Names a call by what it asks: the hash of its tool's name and its arguments. */
import { canonicalJson } from '../internal/canonical-json.ts'
import { sha256 } from '../internal/sha256.ts'
import type { Json } from '../messages/json.ts'

export const callHash = async (toolName: string, input: Json): Promise<string> =>
  sha256(textOf([toolName, input]))

/** With sorted keys, because the input may come from a store that orders them in its own way. */
function textOf(value: Json): string {
  try {
    return canonicalJson(value)
  } catch {
    // Too large to be sorted. Then it comes from the model, whose recorded answer stays as it is.
    return JSON.stringify(value)
  }
}
