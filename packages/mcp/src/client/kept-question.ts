/** What a suspended run's signed state keeps of a server's question, so that its answer can be sent from anywhere. */
import type { KeptRound } from './input-required.ts'
import {
  readRequest,
  type RemoteAnswer,
  type RemoteRequest,
  type RequestsByKey,
} from './remote-question.ts'

const URL_REQUIRED = -32_042

/** What is answered already, for a call that is made anew and asks the same again. */
export interface Answered {
  readonly request: RemoteRequest
  readonly answer: RemoteAnswer
}

/** What the run's signed state keeps while a person answers. */
export type Kept =
  | { readonly kind: 'round'; readonly round: KeptRound }
  | {
      readonly kind: 'held'
      readonly token: string
      readonly request: RemoteRequest
      readonly answered: readonly Answered[]
    }
  | { readonly kind: 'visit'; readonly requests: RequestsByKey }

/** The key of a question that came alone. */
export const ONLY = 'answer'

export function requestsOf(kept: Kept): RequestsByKey {
  if (kept.kind === 'held') return { [ONLY]: kept.request }
  return kept.kind === 'round' ? kept.round.requests : kept.requests
}

/** A server of the old protocol that wants a person to visit addresses before it is asked again. */
export function visitOf(thrown: unknown): RequestsByKey | undefined {
  const { code, data } = Object(thrown) as {
    readonly code?: unknown
    readonly data?: { readonly elicitations?: unknown }
  }
  const { elicitations } = Object(data) as { readonly elicitations?: unknown }
  if (code !== URL_REQUIRED || !Array.isArray(elicitations) || elicitations.length === 0)
    return undefined
  const requests = elicitations.map((one) =>
    readRequest({ ...(Object(one) as object), mode: 'url' }),
  )
  if (!requests.every((request): request is RemoteRequest => !('fault' in request)))
    return undefined
  return Object.fromEntries(requests.map((request, index) => [String(index + 1), request]))
}
