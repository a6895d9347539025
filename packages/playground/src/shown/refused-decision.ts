/** Why decisions were not taken, with the place in what a person gave. */
import { ResumeError } from 'toolwright'
import type { RefusedDecision } from '../protocol/shown-content.ts'
import type { Warn } from '../server/answer-error.ts'
import { fieldIssue } from '../server/field-issue.ts'
import { shownError } from './shown-error.ts'

export function refusedDecision(thrown: unknown, warn: Warn): RefusedDecision {
  const { callId, issues } = thrown instanceof ResumeError ? thrown : {}
  return {
    ...shownError(thrown, warn),
    ...(callId !== undefined && { callId }),
    ...(issues && { issues: issues.map(fieldIssue) }),
  }
}
