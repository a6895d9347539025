/** The contract of an embedding model: texts in, vectors out. Texts that mean the same have vectors that point the same way. */
import type { ModelRun } from './chat-model.ts'

export interface EmbeddingRun extends ModelRun {
  /** What the texts are; some models want to be told. Default `document`. */
  readonly as?: 'document' | 'query'
}

export interface EmbeddingModel {
  /** Who answers, e.g. `ollama`. */
  readonly provider: string
  readonly model: string
  /** One vector per text, in order, all of one length. */
  embed(
    texts: readonly string[],
    run?: EmbeddingRun,
  ): Promise<readonly (readonly number[] | Float32Array)[]>
}
