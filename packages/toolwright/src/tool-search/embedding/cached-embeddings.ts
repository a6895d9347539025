/** An embedding model that is asked for each text once: vectors are kept by the hash of model and text. */
import { checkOptions } from '../../internal/check-options.ts'
import type { EmbeddingModel } from '../../model/embedding-model.ts'
import type { VectorCache } from './vector-cache.ts'

export interface CachedEmbeddingsOptions {
  /** Keep the vectors of questions too. Default false: they seldom come again. */
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
        texts.map((text) => sha256([model.provider, model.model, kind, text])),
      )
      const held = await cache.get(keys).catch(() => keys.map(() => undefined))
      const missing = texts.flatMap((_text, index) => (held[index] ? [] : [index]))
      if (missing.length === 0) return held as readonly Float32Array[]
      const made = await model.embed(
        missing.map((index) => texts[index]!),
        run,
      )
      const entries = missing.map((index, at) => [keys[index]!, toVector(made[at]!)] as const)
      // A cache that cannot keep them is slow, not wrong.
      await cache.set(entries).catch(() => {})
      const fresh = new Map(entries)
      return keys.map((key, index) => held[index] ?? fresh.get(key)!)
    },
  }
}

const toVector = (vector: readonly number[] | Float32Array): Float32Array =>
  vector instanceof Float32Array ? vector : Float32Array.from(vector)

async function sha256(parts: readonly string[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
