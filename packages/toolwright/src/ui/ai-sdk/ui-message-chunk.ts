/**
 * The chunks of the AI SDK's UI message stream (version 1) that are sent: those that `ai` 6 and 7 both know, and
 * `custom`, which is of 7. Read from `ai` 6.0.326 and 7.0.169.
 */
import type { Json, JsonObject } from '../../messages/json.ts'

interface OfCall {
  readonly toolCallId: string
}

/** Our names are not among the page's types, so every call is a dynamic one, in each of its chunks. */
interface Dynamic {
  readonly dynamic: true
}

export type UiMessageChunk =
  | { readonly type: 'start'; readonly messageId: string }
  | { readonly type: 'start-step' | 'finish-step' }
  | { readonly type: 'text-start' | 'text-end'; readonly id: string }
  | { readonly type: 'reasoning-start' | 'reasoning-end'; readonly id: string }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly id: string; readonly delta: string }
  | ({ readonly type: 'tool-input-start'; readonly toolName: string } & OfCall & Dynamic)
  | ({ readonly type: 'tool-input-delta'; readonly inputTextDelta: string } & OfCall)
  | ({
      readonly type: 'tool-input-available'
      readonly toolName: string
      readonly input: Json
    } & OfCall &
      Dynamic)
  | ({
      readonly type: 'tool-approval-request'
      readonly approvalId: string
      readonly reason?: string
      readonly approvalDescriptor?: Json
    } & OfCall)
  | ({
      readonly type: 'tool-output-available'
      readonly output: Json
      readonly preliminary?: true
    } & OfCall &
      Dynamic)
  | ({ readonly type: 'tool-output-error'; readonly errorText: string } & OfCall & Dynamic)
  | ({ readonly type: 'tool-output-denied' } & OfCall)
  | { readonly type: 'file'; readonly url: string; readonly mediaType: string }
  | {
      readonly type: 'custom'
      readonly kind: string
      readonly providerMetadata: { readonly [provider: string]: JsonObject }
    }
  | {
      readonly type: 'data-question' | 'data-notice'
      readonly data: Json
      readonly id?: string
      readonly transient?: true
    }
  | {
      readonly type: 'finish'
      readonly finishReason: UiFinishReason
      readonly messageMetadata: JsonObject
    }
  | { readonly type: 'error'; readonly errorText: string }
  | { readonly type: 'abort' }

export type UiFinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'
