/** What a person decided, in words. */
import type { Decision } from 'toolwright'

export function decisionWords(decision: Decision): string {
  if (decision === 'approve') return 'Will be approved'
  if (decision === 'retry') return 'Will be run again'
  if ('deny' in decision) return 'Will be denied'
  if ('edit' in decision) return 'Will be run with other arguments'
  return 'result' in decision ? 'Will get the result you gave' : 'Will get your answer'
}
