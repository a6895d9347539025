/** A run as it happens. */
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { ChatEventOf } from '../tools/tool-events.ts'
import type { AdvisedRun, PartialRun, RunResult } from './advised-run.ts'
import type { RunIterator } from './event-reader.ts'
import { TextReader } from './text-reader.ts'

export class StreamRun implements AsyncIterable<ChatEvent> {
  readonly #run: AdvisedRun

  constructor(run: AdvisedRun) {
    this.#run = run
  }

  /**
   * The answer's text, live. Text of a round that turns out to call tools ends at its first call. Rejects at
   * its end with `RunSuspendedError` or `RunLimitError` when there is no answer, and with `ModelResponseError`
   * (`refused`) when the model refused.
   */
  content(): RunIterator<string> {
    return new TextReader(this.#run)
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

  /** The events as lines of JSON, for `new Response(run.toReadableStream())`. Cancelling it aborts the run. */
  toReadableStream(): ReadableStream<Uint8Array> {
    const events = this.#run.read()
    const encoder = new TextEncoder()
    return new ReadableStream({
      async pull(controller) {
        const step = await events.next()
        if (step.done) controller.close()
        else controller.enqueue(encoder.encode(`${lineOf(step.value)}\n`))
      },
      async cancel() {
        await events.return()
      },
    })
  }
}

/** What a tool took, returned or reported may have no JSON form; the event itself always has. */
function lineOf(event: ChatEvent): string {
  try {
    return JSON.stringify(event)
  } catch {
    const {
      value: _value,
      input: _input,
      progress: _progress,
      ...rest
    } = event as ChatEvent & Record<'value' | 'input' | 'progress', unknown>
    return JSON.stringify(rest)
  }
}
