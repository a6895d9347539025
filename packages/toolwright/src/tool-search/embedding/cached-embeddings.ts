/** An embedding model that embeds each text once: vectors are cached by the hash of model and text. */
import { checkOptions } from '../../internal/check-options.ts'
import { sha256 } from '../../internal/sha256.ts'
import type { EmbeddingModel } from '../../model/embedding-model.ts'
import type { VectorCache } from './vector-cache.ts'

export interface CachedEmbeddingsOptions {
  /** Also cache the vectors of queries. Default false, because queries seldom repeat. */
  readonly queries?: boolean
}

/**
 * @example
 * const model = cachedEmbeddings(ollamaEmbeddings('nomic-embed-text'), await fileVectorCache('.vectors'))
 */
export function cachedEmbeddings(
  model: EmbeddingModel,
  cache: VectorCache,
  options: CachedEmbeddingsOptions = {},
): EmbeddingModel {
  checkOptions('cachedEmbeddings()', options, ['queries'])
  return {
    provider: model.provider,
    model: model.model,
    async embed(texts, run) {
      if (run?.as === 'query' && !options.queries) return model.embed(texts, run)
      const kind = run?.as ?? 'document'
      const keys = await Promise.all(
        texts.map((text) => sha256(JSON.stringify([model.provider, model.model, kind, text]))),
      )
      const cached = await cache.get(keys).catch(() => keys.map(() => undefined))
      const missing = texts.flatMap((_text, index) => (cached[index] ? [] : [index]))
      if (missing.length === 0) return cached as readonly Float32Array[]
      const embedded = await model.embed(
        missing.map((index) => texts[index]!),
        run,
      )
      const entries = missing.map((index, at) => [keys[index]!, toVector(embedded[at]!)] as const)
      // A cache that fails to store only costs time.
      await cache.set(entries).catch(() => {})
      const fresh = new Map(entries)
      return keys.map((key, index) => cached[index] ?? fresh.get(key)!)
    },
  }
}

const toVector = (vector: readonly number[] | Float32Array): Float32Array =>
  vector instanceof Float32Array ? vector : Float32Array.from(vector)
