/** The ways an advisor breaks its contract, as errors that name it. Loaded with the first of them. */
import { AdvisorError } from '../errors/errors.ts'
import { describeValue } from '../schema/describe-value.ts'
import type { Advisor } from './advisor.ts'

/** Of what an advisor returned that is no answer. */
export function noAnswer({ name: advisorName }: Advisor, returned: unknown): AdvisorError {
  const isGenerator = Symbol.asyncIterator in (Object(returned) as object)
  return isGenerator
    ? new AdvisorError('advisor-old-form', 'is an async generator, the form of earlier versions', {
        advisorName,
      })
    : new AdvisorError('advisor-no-answer', 'returned no answer', { advisorName })
}

export const nextTwice = ({ name: advisorName }: Advisor): AdvisorError =>
  new AdvisorError('advisor-next-twice', 'asked next() twice at once', { advisorName })

export const noRequest = ({ name: advisorName }: Advisor): AdvisorError =>
  new AdvisorError('advisor-no-request', 'asked next() without a request', { advisorName })

export const emitFailed = (
  { name: advisorName }: Advisor,
  { cause }: { readonly cause: unknown },
): AdvisorError =>
  new AdvisorError('advisor-emit-failed', 'threw in its emit or onEvent', {
    advisorName,
    cause,
  })

export const noEvent = (
  { name: advisorName }: Advisor,
  { emitted }: { readonly emitted: unknown },
): AdvisorError =>
  new AdvisorError('advisor-no-event', `emitted ${describeValue(emitted)}, which is no event`, {
    advisorName,
  })
