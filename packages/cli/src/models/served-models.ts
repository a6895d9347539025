/** The names of the models that an OpenAI-compatible server has. */
import { fetchedJson, namesIn, type Listing } from './fetched-json.ts'

export async function servedModels(baseUrl: string, patienceMs: number): Promise<Listing> {
  const { status, json } = await fetchedJson(`${baseUrl}/models`, patienceMs)
  return { status, models: namesIn((Object(json) as { readonly data?: unknown }).data, 'id') }
}
