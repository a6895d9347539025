/** The names of the models that are installed on an Ollama server, with their tags, newest first. */
import { fetchedJson, namesIn } from './fetched-json.ts'

/** Returns undefined if nothing answers there, or if it is no Ollama. */
export async function installedModels(
  address: string,
  patienceMs: number,
): Promise<readonly string[] | undefined> {
  const answer = await fetchedJson(`${address}/api/tags`, patienceMs)
  return namesIn((Object(answer) as { readonly models?: unknown }).models, 'name')
}
