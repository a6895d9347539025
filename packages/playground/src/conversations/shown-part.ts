/** A part of an answer, as the page shows it. */
import type { AssistantPart, Json, JsonObject } from 'toolwright'
import type { ShownAssistantPart } from '../protocol/conversation.ts'
import { shownJson, shownMedia } from '../shown/shown-content.ts'

type Plain = Exclude<AssistantPart, { readonly type: 'tool-call' }>

/** Without signatures and settings of providers. */
export function shownPart(part: Plain): Exclude<ShownAssistantPart, { readonly type: 'call' }> {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type === 'reasoning') return { type: 'reasoning', text: part.text }
  if (part.type !== 'provider') return shownMedia(part)
  return { type: 'provider', kind: part.kind, data: objectOf(shownJson(part.data)) }
}

const objectOf = (data: Json): JsonObject | null =>
  typeof data !== 'object' || Array.isArray(data) ? { value: data } : (data as JsonObject | null)
