/**
 * What the status and the headers of a refusal say, as facts of a `ProviderError`. One place for everybody who asks a
 * provider over HTTP, so that the same refusal is the same error whoever asked.
 */
import type { ProviderErrorCode } from './catalogue.ts'

/** An answer outside 2xx. */
export interface HttpRefusal {
  readonly status: number
  /** The value of a header, by its name in small letters. */
  header(name: string): string | undefined
}

export interface RefusalFacts {
  readonly code: ProviderErrorCode
  /** Trying the same again may help. */
  readonly retryable: boolean
  /** How long the provider asks us to wait, in ms. Absent when it does not say, or says nothing sensible. */
  readonly retryAfterMs?: number
  /** What the provider calls the request in its own logs: its support asks for it. */
  readonly requestId?: string
}

/**
 * @param now the time of the answer, in ms, from which a date in `Retry-After` counts; `NaN` if it is not known
 *
 * @example
 * const { code, ...facts } = refusalFacts({ status, header: (name) => headers.get(name) ?? undefined }, clock.now())
 * throw new ProviderError(code, `It answered ${status}.`, { provider, status, ...facts })
 */
export function refusalFacts(refusal: HttpRefusal, now: number): RefusalFacts {
  const { status } = refusal
  const retryAfterMs = waitOf(refusal, now)
  const requestId = requestIdOf(refusal)
  return {
    code: codeOf(status),
    retryable: isPassing(status),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(requestId !== undefined && { requestId }),
  }
}

const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500

function codeOf(status: number): ProviderErrorCode {
  if (status === 401 || status === 403) return 'provider-auth'
  if (status === 404) return 'provider-not-found'
  if (status === 429) return 'provider-rate-limit'
  return isPassing(status) ? 'provider-unavailable' : 'provider-rejected'
}

function waitOf(refusal: HttpRefusal, now: number): number | undefined {
  const precise = numberIn(refusal.header('retry-after-ms'))
  if (precise !== undefined) return precise
  const said = refusal.header('retry-after')
  const seconds = numberIn(said)
  if (seconds !== undefined) return seconds * 1000
  // A date always has letters; Date.parse alone would take "-5" for a year.
  const wait = said !== undefined && /[a-z]/i.test(said) ? Date.parse(said) - now : Number.NaN
  return wait >= 0 ? wait : undefined
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}

const ID_HEADERS = ['x-request-id', 'request-id', 'x-goog-request-id', 'x-amzn-requestid', 'cf-ray']

/** The id of any answer, a refusal or not. */
export function requestIdOf(answer: Pick<HttpRefusal, 'header'>): string | undefined {
  for (const name of ID_HEADERS) {
    const id = answer.header(name)?.trim()
    // Anybody may have written it; what is no plain word is no id.
    if (id !== undefined && /^[\w.:/+=-]{1,200}$/.test(id)) return id
  }
  return undefined
}
