/** The names of the models that an OpenAI-compatible server has. */
import { fetchedJson, namesIn } from './fetched-json.ts'

/** Returns undefined if nothing answers there, or if it is not such a server. */
export async function servedModels(
  baseUrl: string,
  patienceMs: number,
): Promise<readonly string[] | undefined> {
  const answer = await fetchedJson(`${baseUrl}/models`, patienceMs)
  return namesIn((Object(answer) as { readonly data?: unknown }).data, 'id')
}
