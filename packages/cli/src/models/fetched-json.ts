/** What a server says at an address. Only for addresses that the user named, or of Ollama on this machine. */

export interface Fetched {
  /** Undefined: nothing answered there in time. */
  readonly status?: number
  /** Undefined: it refused, or answered what is no JSON. */
  readonly json?: unknown
}

export async function fetchedJson(url: string, patienceMs: number): Promise<Fetched> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) })
    const { status, ok } = response
    if (ok) return { status, json: await response.json().catch(() => undefined) }
    await response.body?.cancel()
    return { status }
  } catch {
    return {}
  }
}

/** What a server says about its models. */
export interface Listing {
  /** Undefined: nothing answered there in time. */
  readonly status?: number | undefined
  /** Undefined: it did not answer, or with something else. */
  readonly models: readonly string[] | undefined
}

/** The texts that the items of a list have in one field; undefined if it is no list. */
export function namesIn(list: unknown, field: string): readonly string[] | undefined {
  if (!Array.isArray(list)) return undefined
  return list
    .map((item) => (Object(item) as { readonly [field: string]: unknown })[field])
    .filter((name): name is string => typeof name === 'string' && name !== '')
}
