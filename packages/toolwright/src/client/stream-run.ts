/** A run as it happens. */
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { AdvisedRun, RunResult } from './advised-run.ts'
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
   * answer.
   */
  content(): RunIterator<string> {
    return readText(this.#run)
  }

  events(): RunIterator<ChatEvent> {
    return this.#run.read()
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
