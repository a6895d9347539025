/** A run as it happens. */
import { checkOptions } from '../internal/check-options.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import { loadEventLines } from '../on-demand.ts'
import type { ChatEventOf } from '../tools/tool-events.ts'
import type { AdvisedRun, PartialRun, RunResult } from './advised-run.ts'
import type { ReadableStreamOptions } from './public-event.ts'
import type { RunIterator } from './run-reader.ts'
import { readText } from './text-reader.ts'

export class StreamRun implements AsyncIterable<ChatEvent> {
  readonly #run: AdvisedRun

  constructor(run: AdvisedRun) {
    this.#run = run
  }

  /**
   * The text, live, a blank line between two rounds that said something; `streamToolCallResponses` says what of
   * it belongs to the answer. Rejects at its end with `RunSuspendedError` or `RunLimitError` when there is no
   * answer, and with `ModelResponseError` (`refused`) when the model refused.
   */
  content(): RunIterator<string> {
    return readText(this.#run)
  }

  /**
   * Everything that happens, as it happens. `events<typeof tools>()` types the inputs and results of the
   * tools that are offered.
   */
  events<Tools = unknown>(): RunIterator<ChatEventOf<Tools>> {
    return this.#run.read() as never
  }

  [Symbol.asyncIterator](): RunIterator<ChatEvent> {
    return this.#run.read()
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
   * The run as lines of JSON, for `new Response(run.toReadableStream())`: what a page may read (`PublicEvent`), and
   * no states, raw results of tools or messages of the conversation; `{ full: true }` sends everything. A run that
   * fails ends with a line of type `error`. Cancelling the stream aborts the run.
   *
   * @example
   * return new Response(client.prompt(text).stream().toReadableStream({ reasoning: true }))
   */
  toReadableStream(options: ReadableStreamOptions = {}): ReadableStream<Uint8Array> {
    checkOptions('toReadableStream()', options, ['reasoning', 'full'])
    const events = this.#run.read()
    const lineOptions = { ...options, isAbort: (thrown: unknown) => this.#run.isAbort(thrown) }
    return new ReadableStream({
      pull: async (controller) =>
        (await loadEventLines()).pullLine(events, controller, lineOptions),
      cancel: async () => void (await events.return()),
    })
  }
}
