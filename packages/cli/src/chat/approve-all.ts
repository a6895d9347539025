/** `--yes`: approves what needs approval. Questions and results need somebody, if somebody is there. */
import type { Decide } from './run-turn.ts'

export const approveAll =
  (otherwise: Decide): Decide =>
  async (pending, problem) => {
    const approvals = pending.filter(({ kind }) => kind === 'approval')
    if (approvals.length === 0) return otherwise(pending, problem)
    return Object.fromEntries(approvals.map(({ callId }) => [callId, 'approve'] as const))
  }
