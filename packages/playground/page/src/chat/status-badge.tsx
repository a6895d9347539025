/** That a conversation runs or waits. */
import type { ConversationStatus } from '../../../src/protocol/conversation.ts'
import { Badge } from '../parts/badge.tsx'

export function StatusBadge({ status }: { readonly status: ConversationStatus }) {
  if (status === 'idle') return null
  return <Badge tone={status === 'waiting' ? 'warn' : 'accent'}>{status}</Badge>
}
