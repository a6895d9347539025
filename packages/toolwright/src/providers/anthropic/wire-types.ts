/**
 * The Messages API as far as this adapter reads it. Only the fields it needs have names: everything
 * else a block or message carries is kept as it came.
 */
import type { JsonObject } from '../../messages/json.ts'
import { isJsonObject } from '../wire/wire-value.ts'

/** The name of this provider: `ChatModel.provider`, and the key of its `providerOptions`. */
export const PROVIDER = 'anthropic'

/** One entry of a message's `content`: text, thinking, tool_use, and whatever the provider adds. */
export interface WireBlock extends JsonObject {
  readonly type: string
}

/** What is said of an answer besides its content. In a stream it comes in two parts, at start and end. */
export type WireMessage = JsonObject & {
  readonly id?: string
  readonly model?: string
  readonly stop_reason?: string | null
  readonly usage?: JsonObject
}

export function isWireBlock(x: unknown): x is WireBlock {
  return isJsonObject(x) && typeof x['type'] === 'string'
}
