/** One POST as the hand-written loops see it, whatever it travels by. */
export interface Answer {
  json(): Promise<unknown>
  readonly chunks: AsyncIterable<Uint8Array>
}

export type Post = (body: string) => Promise<Answer>

/** Where the mock server is, with the version path. */
export const BASE_URL = process.env['BENCH_BASE_URL'] ?? ''

/** POST by the global fetch. */
export function postByFetch(url: string, headers: { readonly [name: string]: string }): Post {
  const sent = { 'content-type': 'application/json', ...headers }
  return async (body) => {
    const response = await fetch(url, { method: 'POST', headers: sent, body })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    if (response.body === null) throw new Error('The answer has no body')
    return { json: () => response.json(), chunks: response.body }
  }
}
