/** An edited input that somebody decided with, and that cannot run: said to a person, not to a model. */
import { ResumeError } from '../errors/errors.ts'
import { describeIssue, type Issue } from '../errors/issue.ts'

export interface EditedCall {
  readonly callId: string
  readonly toolName: string
}

/** Why it cannot run: places that do not fit, or words about the whole. */
export type WrongEdit = readonly Issue[] | string

export function invalidEdit({ callId, toolName }: EditedCall, wrong: WrongEdit): ResumeError {
  const isWords = typeof wrong === 'string'
  const why = isWords ? wrong : wrong.map(describeIssue).join('; ')
  return new ResumeError(
    'decision-invalid-edit',
    `The input of call "${callId}" does not fit tool "${toolName}": ${ended(why)}`,
    { callId, ...(!isWords && { issues: wrong }) },
  )
}

/** As the policy denied it. */
export const deniedEdit = ({ callId, toolName }: EditedCall, why: string): ResumeError =>
  new ResumeError(
    'decision-invalid-edit',
    `The policy denies the input of call "${callId}" to tool "${toolName}": ${ended(why)}`,
    { callId },
  )

const ended = (why: string): string => (/[.!?]$/.test(why) ? why : `${why}.`)
