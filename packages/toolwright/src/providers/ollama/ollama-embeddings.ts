/** Embeddings of a local Ollama, over its own API. */
import type { EmbeddingModel } from '../../model/embedding-model.ts'
import { wireEmbeddings, type EmbeddingsOptions } from '../wire/wire-embeddings.ts'
import { wireSettings } from '../wire/wire-settings.ts'

export interface OllamaEmbeddingsOptions extends EmbeddingsOptions {
  /** Default `http://localhost:11434/api`. */
  readonly baseUrl?: string
}

/**
 * @example
 * const model = ollamaEmbeddings('nomic-embed-text', {
 *   prefixes: { document: 'search_document: ', query: 'search_query: ' },
 * })
 */
export function ollamaEmbeddings(
  model: string,
  options: OllamaEmbeddingsOptions = {},
): EmbeddingModel {
  const settings = wireSettings(
    {
      provider: 'ollama',
      factory: 'ollamaEmbeddings',
      baseUrl: 'http://localhost:11434/api',
      apiKeyOptional: true,
      authHeaders: (key) => ({ authorization: `Bearer ${key}` }),
      moreOptions: ['prefixes'],
    },
    model,
    options,
  )
  const vectorsOf = (answer: unknown): unknown =>
    (Object(answer) as { readonly embeddings?: unknown }).embeddings
  return wireEmbeddings(settings, { path: '/embed', vectorsOf }, options)
}
