/** A run asked for whole: the model answers in one piece, and so does this. */
import { ModelResponseError } from '../errors/errors.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import { textOf } from '../messages/reading.ts'
import { loadStructuredOutput } from '../on-demand.ts'
import type { InferInput } from '../schema/infer-schema.ts'
import type { SchemaSource } from '../tools/tool.ts'
import type { ChatEventOf } from '../tools/tool-events.ts'
import type { AdvisedRun, PartialRun, RunResult } from './advised-run.ts'
import type { RunIterator } from './run-reader.ts'

export class CallRun implements AsyncIterable<ChatEvent> {
  readonly #run: AdvisedRun

  constructor(run: AdvisedRun) {
    this.#run = run
  }

  /**
   * The answer's text. Rejects with `RunSuspendedError` or `RunLimitError` when there is none, and with
   * `ModelResponseError` (`refused`) when the model refused or a filter stopped it.
   */
  content(): Promise<string> {
    return this.#run.answer().then(textOfAnswer)
  }

  /**
   * The answer as JSON of this schema, checked; a Standard Schema's output. Asked first, it shapes the run:
   * the model is told the schema, natively where it can be held to it, and a final answer that does not fit
   * goes back with its issues (2 more tries). Asked when the run has begun, it only checks the text. Rejects
   * like `content()`, and with `ModelResponseError` (`invalid-answer`) when the last try does not fit.
   *
   * @example
   * const { city } = await client.prompt('Where is the Louvre?').call().entity(z.object({ city: z.string() }))
   */
  async entity<const Schema extends SchemaSource>(schema: Schema): Promise<InferInput<Schema>> {
    const loading = loadStructuredOutput().then(({ structuredOutput }) => structuredOutput(schema))
    // Given at once: whoever asks next must not start the run without it.
    this.#run.shape(loading.catch(() => undefined))
    const { entityIn } = await loading
    const result = await this.#run.answer()
    const text = textOfAnswer(result)
    // With it the answer holds the text of earlier rounds too; an entity is read from the last.
    const said = this.#run.streamToolCallResponses ? textSaidLast(result) : text
    return (await entityIn(said, result)) as InferInput<Schema>
  }

  async chatResponse(): Promise<ChatResponse> {
    return (await this.#run.result()).response
  }

  result(): Promise<RunResult> {
    return this.#run.result()
  }

  /**
   * What the run has obtained so far: messages, rounds and usage. To be read at any time, also after an abort or a
   * failure; empty before the run has started. Reading it starts nothing.
   */
  get partial(): PartialRun {
    return this.#run.partial
  }

  /**
   * Everything that happened, but for the deltas, which only a stream has. `events<typeof tools>()` types
   * the inputs and results of the tools that are offered.
   */
  events<Tools = unknown>(): RunIterator<ChatEventOf<Tools>> {
    return this.#run.read() as never
  }

  [Symbol.asyncIterator](): RunIterator<ChatEvent> {
    return this.#run.read()
  }
}

/** A model that was stopped before it said anything gave no answer. */
export function textOfAnswer({ response }: RunResult): string {
  const text = textOf(response)
  const reason = response.results[0]?.finishReason
  if (text === '' && (reason === 'length' || reason === 'error')) {
    throw new ModelResponseError(
      'no-answer',
      `The model ended with "${reason}" before it said anything.`,
    )
  }
  return text
}

/** What the last round said, or the direct results, without the text of earlier rounds. */
export function textSaidLast({ response, rounds, messages }: RunResult): string {
  const isDirect = response.results[0]?.finishReason === 'return-direct'
  if (!isDirect) return textOf(rounds.at(-1) ?? response)
  return messages.slice(-response.results.length).map(textOf).join('\n\n')
}
