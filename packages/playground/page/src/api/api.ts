/** Asks the server. Every request carries the token from the page's address. */
import { refusalOf, toApiError } from './api-error.ts'

export interface AskOptions {
  readonly signal?: AbortSignal
}

export const api = {
  get: <T>(path: string, options?: AskOptions) => ask<T>(path, { method: 'GET', ...options }),
  post: <T>(path: string, body?: unknown, options?: AskOptions) =>
    ask<T>(path, { method: 'POST', body: JSON.stringify(body ?? {}), ...options }),
  /** For files, which are sent as they are. */
  postText: <T>(path: string, text: string, options?: AskOptions) =>
    ask<T>(path, { method: 'POST', body: text, ...options }),
  delete: (path: string, options?: AskOptions) =>
    ask<undefined>(path, { method: 'DELETE', ...options }),
}

/** Rejects with an `ApiError` unless the answer is good. */
export async function fetchFromServer(path: string, init: RequestInit): Promise<Response> {
  const headers = {
    'x-toolwright-token': new URLSearchParams(location.search).get('token') ?? '',
    ...(init.body ? { 'content-type': 'application/json' } : {}),
    ...init.headers,
  }
  const response = await fetch(path, { ...init, headers, cache: 'no-store' }).catch(
    (thrown: unknown) => {
      throw toApiError(thrown)
    },
  )
  if (!response.ok) throw await refusalOf(response)
  return response
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetchFromServer(path, init)
  const text = await response.text().catch((thrown: unknown) => {
    throw toApiError(thrown)
  })
  return (text === '' ? undefined : JSON.parse(text)) as T
}
