/** The names of the models that are installed on an Ollama server, with their tags, newest first. */
import { fetchedJson, namesIn, type Listing } from './fetched-json.ts'

export async function installedModels(address: string, patienceMs: number): Promise<Listing> {
  const { status, json } = await fetchedJson(`${address}/api/tags`, patienceMs)
  return { status, models: namesIn((Object(json) as { readonly models?: unknown }).models, 'name') }
}
