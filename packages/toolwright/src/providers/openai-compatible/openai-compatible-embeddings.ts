/** Embeddings of any server that speaks OpenAI's dialect: vLLM, llama.cpp, LM Studio, text-embeddings-inference and others. */
import type { EmbeddingModel } from '../../model/embedding-model.ts'
import { isObject } from '../../schema/json-object.ts'
import { wireEmbeddings, type EmbeddingsOptions } from '../wire/wire-embeddings.ts'
import { wireSettings } from '../wire/wire-settings.ts'

export interface OpenAiCompatibleEmbeddingsOptions extends EmbeddingsOptions {
  /** Includes the version path, e.g. `http://localhost:8000/v1`. */
  readonly baseUrl: string
  /** Who answers, for errors. Default `openai-compatible`. */
  readonly provider?: string
}

/**
 * @example
 * const model = openaiCompatibleEmbeddings('bge-m3', { baseUrl: 'http://localhost:8000/v1' })
 * const [vector] = await model.embed(['How is the weather?'])
 */
export function openaiCompatibleEmbeddings(
  model: string,
  options: OpenAiCompatibleEmbeddingsOptions,
): EmbeddingModel {
  const settings = wireSettings(
    {
      provider: options?.provider ?? 'openai-compatible',
      factory: 'openaiCompatibleEmbeddings',
      // No environment variable: a key must not go to a server it was not made for.
      apiKeyOptional: true,
      authHeaders: (key) => ({ authorization: `Bearer ${key}` }),
      moreOptions: ['provider', 'prefixes'],
    },
    model,
    options,
  )
  return wireEmbeddings(settings, { path: '/embeddings', vectorsOf }, options)
}

/** Servers may answer out of order; each vector says which text it is of. */
function vectorsOf(answer: unknown): unknown {
  const { data } = Object(answer) as { readonly data?: unknown }
  if (!Array.isArray(data)) return undefined
  const items: readonly unknown[] = data
  const vectors: unknown[] = []
  items.forEach((item, position) => {
    if (!isObject(item)) return
    const { index = position, embedding } = item
    if (typeof index === 'number') vectors[index] = embedding
  })
  return Array.from(vectors)
}
