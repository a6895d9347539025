/** What the server refused, or that it did not answer. */
import type { Refused } from '../../../src/protocol/routes.ts'
import type { FieldIssue } from '../../../src/protocol/shown-content.ts'

export class ApiError extends Error {
  /** Of HTTP; 0: nobody answered. */
  readonly status: number
  readonly code: string
  readonly issues: readonly FieldIssue[]
  /** The call whose decision was refused. */
  readonly callId: string | undefined

  constructor(status: number, { code, message, issues = [], callId }: Refused['error']) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.issues = issues
    this.callId = callId
  }
}

export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof DOMException && thrown.name === 'AbortError') {
    return new ApiError(0, { code: 'stopped', message: 'It was stopped.' })
  }
  // fetch tells a lost connection by a TypeError.
  if (thrown instanceof TypeError) {
    return new ApiError(0, {
      code: 'unreachable',
      message: 'The server of the playground does not answer. Is it still running?',
    })
  }
  return new ApiError(0, { code: 'page', message: String(thrown) })
}

/** The refusal in an answer. Whatever stands between page and server may answer in its own words. */
export async function refusalOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => undefined)) as Partial<Refused> | undefined
  return new ApiError(
    response.status,
    body?.error ?? {
      code: `http-${response.status}`,
      message: `The server answered with status ${response.status}.`,
    },
  )
}
