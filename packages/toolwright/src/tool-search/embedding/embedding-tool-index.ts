/**
 * Finds tools by meaning: it compares the vector of the query with the vectors of the tools. If the
 * embedding model fails, a keyword index answers instead and the result says so.
 */
import { ModelResponseError } from '../../errors/errors.ts'
import { messageOfThrown } from '../../errors/message-of-thrown.ts'
import { redact } from '../../errors/redact.ts'
import { checkOptions } from '../../internal/check-options.ts'
import type { EmbeddingModel, EmbeddingRun } from '../../model/embedding-model.ts'
import { systemClock, type Clock } from '../../ports/clock.ts'
import { nameInWords } from '../../tools/name-in-words.ts'
import { BestFirst } from '../best-first.ts'
import { KeywordCatalogue } from '../keyword/keyword-catalogue.ts'
import { sessionIndex, type Catalogue } from '../session-index.ts'
import { summaryOf } from '../summary-of.ts'
import type { ToolIndex, ToolReference, ToolSearchResult } from '../tool-index.ts'
import { VectorTable } from './vector-table.ts'

export interface EmbeddingToolIndexOptions {
  /** Turns texts into vectors. */
  readonly model: EmbeddingModel
  /** Tools with a lower cosine similarity are not found. Default 0.2. */
  readonly minScore?: number
  /** Texts per request to the embedding model. Default 64. */
  readonly batchSize?: number
  /**
   * How long the model may take, in ms, before keywords answer instead. Default 10,000 for a query, ten
   * times that for tools.
   */
  readonly timeoutMs?: number
  /** Tells and waits for time. Default: the real one; `manualClock()` for tests. */
  readonly clock?: Clock
}

type Settings = Required<EmbeddingToolIndexOptions>

/**
 * @example
 * const index = embeddingToolIndex({ model: ollamaEmbeddings('nomic-embed-text') })
 */
export function embeddingToolIndex(options: EmbeddingToolIndexOptions): ToolIndex {
  checkOptions('embeddingToolIndex()', options, [
    'model',
    'minScore',
    'batchSize',
    'timeoutMs',
    'clock',
  ])
  const settings: Settings = {
    minScore: 0.2,
    batchSize: 64,
    timeoutMs: 10_000,
    clock: systemClock,
    ...options,
  }
  return sessionIndex(() => new EmbeddingCatalogue(settings))
}

const LONGEST_TEXT = 2_000

/** The text of a tool that is embedded. */
const textOf = ({ name, description, examples = [] }: ToolReference): string =>
  [`${nameInWords(name)}: ${description}`, ...examples]
    .join('\n')
    .slice(0, LONGEST_TEXT)
    .toWellFormed()

class EmbeddingCatalogue implements Catalogue {
  readonly #settings: Settings
  readonly #references = new Map<string, ToolReference>()
  readonly #vectors = new VectorTable()
  #words: KeywordCatalogue | undefined
  #embedding: Promise<void> | undefined

  constructor(settings: Settings) {
    this.#settings = settings
  }

  put(reference: ToolReference): void {
    this.remove(reference.name)
    this.#references.set(reference.name, reference)
    this.#words?.put(reference)
  }

  remove(name: string): void {
    this.#references.delete(name)
    this.#vectors.remove(name)
    this.#words?.remove(name)
  }

  fork(): Catalogue {
    const copy = new EmbeddingCatalogue(this.#settings)
    for (const reference of this.#references.values()) copy.put(reference)
    this.#vectors.copyTo(copy.#vectors)
    return copy
  }

  /** A failure is not reported here: the next search tries again and reports it. */
  async ready(): Promise<void> {
    await this.#embedMissing().catch(() => {})
  }

  async search(query: string, maxResults: number): Promise<ToolSearchResult> {
    try {
      await this.#embedMissing()
      const [vector] = await this.#embed([query.slice(0, LONGEST_TEXT).toWellFormed()], 'query')
      return this.#nearest(vector!, maxResults)
    } catch (thrown) {
      const { model, provider } = this.#settings.model
      const why = redact(messageOfThrown(thrown))
      const notice = `Keywords were searched instead of meanings: ${provider} ${model} failed: ${why}`
      return { ...this.#keywords().search(query, maxResults), notice }
    }
  }

  #nearest(vector: ArrayLike<number>, maxResults: number): ToolSearchResult {
    const best = new BestFirst(maxResults)
    let total = 0
    this.#vectors.compare(vector, (name, score) => {
      if (score < this.#settings.minScore) return
      total++
      if (score >= best.threshold) best.offer({ name, score, summary: '' })
    })
    const references = best.tools.map((tool) => ({
      ...tool,
      summary: summaryOf(this.#references.get(tool.name)!.description),
    }))
    return { references, total }
  }

  #keywords(): KeywordCatalogue {
    if (this.#words) return this.#words
    this.#words = new KeywordCatalogue()
    for (const reference of this.#references.values()) this.#words.put(reference)
    return this.#words
  }

  /** Embeds the missing tools. Only one request runs at a time; searches that come meanwhile wait for it. */
  #embedMissing(): Promise<void> {
    return (this.#embedding ??= this.#embedAll().finally(() => (this.#embedding = undefined)))
  }

  async #embedAll(): Promise<void> {
    const { batchSize } = this.#settings
    for (;;) {
      const missing = [...this.#references.values()].filter(({ name }) => !this.#vectors.has(name))
      const batch = missing.slice(0, batchSize)
      if (batch.length === 0) return
      const vectors = await this.#embed(batch.map(textOf), 'document')
      batch.forEach((reference, index) => {
        // The tool may have been replaced while the model was working.
        if (this.#references.get(reference.name) === reference)
          this.#vectors.put(reference.name, vectors[index]!)
      })
    }
  }

  async #embed(
    texts: readonly string[],
    as: NonNullable<EmbeddingRun['as']>,
  ): Promise<readonly ArrayLike<number>[]> {
    const { model, timeoutMs, clock } = this.#settings
    const ms = as === 'query' ? timeoutMs : timeoutMs * 10
    const vectors = await inTime(clock, ms, (signal) => model.embed(texts, { as, signal }))
    if (vectors.length === texts.length) return vectors
    throw new ModelResponseError(
      'invalid-response',
      `The embedding model gave ${vectors.length} vectors for ${texts.length} texts.`,
    )
  }
}

function inTime<T>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController()
  return new Promise((resolve, reject) => {
    const cancel = clock.timer(ms, () => {
      const late = new ModelResponseError(
        'no-answer',
        `The embedding model took longer than ${ms} ms.`,
      )
      abort.abort(late)
      reject(late)
    })
    work(abort.signal).then(resolve, reject).finally(cancel)
  })
}
