/** Embeddings of models that an Ollama server runs, over its own API. */
import type { EmbeddingModel } from '../../model/embedding-model.ts'
import { wireEmbeddings, type EmbeddingsOptions } from '../wire/wire-embeddings.ts'
import { wireSettings } from '../wire/wire-settings.ts'
import { PROVIDER, serverAddress } from './wire-types.ts'

export interface OllamaEmbeddingsOptions extends EmbeddingsOptions {
  /** The address of the server, without a path. Default `http://127.0.0.1:11434`. */
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
      provider: PROVIDER,
      factory: 'ollamaEmbeddings',
      baseUrl: 'http://127.0.0.1:11434',
      apiKeyOptional: true,
      authHeaders: (key) => ({ authorization: `Bearer ${key}` }),
      moreOptions: ['prefixes'],
    },
    model,
    options,
  )
  const vectorsOf = (answer: unknown): unknown =>
    (Object(answer) as { readonly embeddings?: unknown }).embeddings
  const baseUrl = serverAddress(settings.baseUrl)
  return wireEmbeddings({ ...settings, baseUrl }, { path: '/api/embed', vectorsOf }, options)
}
