/** A message as the AI SDK has it in the page. */
import type { Json } from '../../messages/json.ts'

/** A message of the AI SDK; `parts` are those of its `UIMessage`. */
export interface UiMessage {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly parts: readonly UiPart[]
}

export interface UiPart {
  readonly type: string
  readonly [field: string]: Json
}
