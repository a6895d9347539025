/** Explains why a turn that did not fail has no answer, and what to do. */
import type { RunResult } from 'toolwright'

export function whyNoAnswer({ status, pending = [] }: RunResult): string {
  if (status === 'limit') return 'There is no answer: a limit ended the turn. Ask for less at once.'
  if (status === 'done') return 'The model said nothing. Ask again, or ask another model.'
  const waiting = pending.map(({ toolName, kind }) => `${toolName} (${kind})`).join(', ')
  return `There is no answer: the turn waits for ${waiting}. Decide on a terminal, or approve with --yes.`
}
