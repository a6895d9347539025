/** Embeddings over HTTP: one question with many texts, one answer with as many vectors. Knows no dialect. */
import { ModelResponseError } from '../../errors/errors.ts'
import type { EmbeddingModel } from '../../model/embedding-model.ts'
import { exchange, readJson } from './exchange.ts'
import { wellFormedJson } from './well-formed-json.ts'
import type { WireOptions, WireSettings } from './wire-settings.ts'

export interface EmbeddingsOptions extends Omit<WireOptions, 'options' | 'resolver'> {
  /** Written before each text; some models are trained to be told, e.g. `search_query: `. */
  readonly prefixes?: { readonly document?: string; readonly query?: string }
}

export interface EmbeddingsDialect {
  readonly path: string
  /** The vectors of an answer, in the order of the texts; anything else where it is no answer. */
  vectorsOf(answer: unknown): unknown
}

export function wireEmbeddings(
  settings: WireSettings,
  { path, vectorsOf }: EmbeddingsDialect,
  { prefixes = {} }: Pick<EmbeddingsOptions, 'prefixes'>,
): EmbeddingModel {
  const { provider, model } = settings
  return {
    provider,
    model,
    async embed(texts, run = {}) {
      if (texts.length === 0) return []
      const prefix = prefixes[run.as ?? 'document'] ?? ''
      const body = wellFormedJson({ model, input: texts.map((text) => prefix + text) })
      const { signal } = run
      const answer = await exchange(settings, { path, body, ...(signal && { signal }) })
      const vectors = vectorsOf(await readJson(answer, settings))
      if (isVectors(vectors) && vectors.length === texts.length) return vectors
      const message = `${provider} gave no vector for each of ${texts.length} texts.`
      throw new ModelResponseError('invalid-response', message)
    },
  }
}

const isVectors = (x: unknown): x is readonly (readonly number[])[] =>
  Array.isArray(x) && x.every((each) => Array.isArray(each) && typeof each[0] === 'number')
