/**
 * `--yes`: approves every call that needs approval. Questions and missing results still go to the user, if
 * there is one.
 */
import type { Decide } from './run-turn.ts'

export const approveAll =
  (otherwise: Decide): Decide =>
  async (pending, deciding) => {
    const approvals = pending.filter(({ kind }) => kind === 'approval')
    if (approvals.length === 0) return otherwise(pending, deciding)
    return Object.fromEntries(approvals.map(({ callId }) => [callId, 'approve'] as const))
  }
