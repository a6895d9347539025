/**
 * The contract of an embedding model: texts in, vectors out. Texts of similar meaning have vectors of
 * similar direction.
 */
import type { ModelRun } from './chat-model.ts'

export interface EmbeddingRun extends ModelRun {
  /** What kind of text this is; some models need to know. Default `document`. */
  readonly as?: 'document' | 'query'
}

export interface EmbeddingModel {
  /** The provider's name, e.g. `ollama`. */
  readonly provider: string
  readonly model: string
  /** Returns one vector per text, in order, all of the same length. */
  embed(
    texts: readonly string[],
    run?: EmbeddingRun,
  ): Promise<readonly (readonly number[] | Float32Array)[]>
}
