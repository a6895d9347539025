/** The names of the models that an OpenAI-compatible server has. */

/** Returns undefined if nothing answers there, or if it is not such a server. */
export async function servedModels(
  baseUrl: string,
  patienceMs: number,
): Promise<readonly string[] | undefined> {
  try {
    const response = await fetch(`${baseUrl}/models`, { signal: AbortSignal.timeout(patienceMs) })
    if (!response.ok) return undefined
    const { data } = (await response.json()) as { readonly data?: unknown }
    return Array.isArray(data) ? data.map(idOf).filter((id) => id !== '') : undefined
  } catch {
    return undefined
  }
}

function idOf(model: unknown): string {
  const { id } = Object(model) as { readonly id?: unknown }
  return typeof id === 'string' ? id : ''
}
