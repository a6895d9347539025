/** What a server says at an address. Only for addresses that the user named, or of Ollama on this machine. */

/** Returns undefined if nothing answers there in time, or if the answer is no JSON. */
export async function fetchedJson(url: string, patienceMs: number): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) })
    return response.ok ? await response.json() : undefined
  } catch {
    return undefined
  }
}

/** The texts that the items of a list have in one field; undefined if it is no list. */
export function namesIn(list: unknown, field: string): readonly string[] | undefined {
  if (!Array.isArray(list)) return undefined
  return list
    .map((item) => (Object(item) as { readonly [field: string]: unknown })[field])
    .filter((name): name is string => typeof name === 'string' && name !== '')
}
