/** How a call ended, in a word. */
import type { ToolResponse } from 'toolwright'
import type { ShownCall } from '../protocol/conversation.ts'

/** `denied` are calls that somebody is known to have said no to. */
export function callStatus(
  response: ToolResponse & { readonly denied?: true },
  denied?: ReadonlySet<string>,
): NonNullable<ShownCall['status']> {
  if (!response.isError) return 'done'
  return response.denied || denied?.has(response.id) ? 'denied' : 'failed'
}
