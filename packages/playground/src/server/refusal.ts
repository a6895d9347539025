/** Why a request is not done, as the page gets it. Thrown by whoever finds out; `answer-error` makes the answer of it. */
import type { FieldIssue, Refused } from '../protocol/routes.ts'

export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  readonly code: string
  readonly issues: readonly FieldIssue[] | undefined

  /** The message says what happened and what to do. */
  constructor(
    status: number,
    code: string,
    { message, issues }: { readonly message: string; readonly issues?: readonly FieldIssue[] },
  ) {
    super(message)
    this.status = status
    this.code = code
    this.issues = issues
  }

  get body(): Refused {
    const { code, message, issues } = this
    return { error: { code, message, ...(issues && { issues }) } }
  }
}

export const notFound = (message: string): Refusal => new Refusal(404, 'not-found', { message })
