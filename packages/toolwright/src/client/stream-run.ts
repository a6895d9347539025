/** A run as it happens. */
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { AdvisedRun, RunResult } from './advised-run.ts'
import { textOfAnswer } from './call-run.ts'
import { leavingAtOnce } from './leaving-at-once.ts'

export class StreamRun implements AsyncIterable<ChatEvent> {
  readonly #run: AdvisedRun

  constructor(run: AdvisedRun) {
    this.#run = run
  }

  /**
   * The answer's text, live. Text of a round that turns out to call tools ends at its first call. Rejects at
   * its end with `RunSuspendedError` or `RunLimitError` when there is no answer.
   */
  content(): AsyncGenerator<string, void> {
    const events = this.#run.events()
    return leavingAtOnce(this.#textOf(events), () => void events.return())
  }

  async *#textOf(events: AsyncIterable<ChatEvent>): AsyncGenerator<string, void> {
    const everything = this.#run.streamToolCallResponses
    let silencedRound: number | undefined
    let saidInRound: number | undefined
    for await (const event of events) {
      if (event.type === 'text-delta') {
        if (event.text === '' || (!everything && event.round === silencedRound)) continue
        saidInRound = event.round
        yield event.text
      } else if (event.type === 'tool-call-start' || event.type === 'tool-call') {
        silencedRound = event.round
      }
    }
    const result = await this.#run.answer()
    const text = textOfAnswer(result)
    // Direct results, and models that give their answer only at the end, have had no deltas.
    const direct = result.response.results[0]?.finishReason === 'return-direct'
    if (text !== '' && (direct || saidInRound !== result.rounds.length)) yield text
  }

  events(): AsyncGenerator<ChatEvent, void> {
    return this.#run.events()
  }

  [Symbol.asyncIterator](): AsyncGenerator<ChatEvent, void> {
    return this.events()
  }

  async chatResponse(): Promise<ChatResponse> {
    return (await this.#run.result()).response
  }

  result(): Promise<RunResult> {
    return this.#run.result()
  }

  /** The events as lines of JSON, for `new Response(run.toReadableStream())`. Cancelling it aborts the run. */
  toReadableStream(): ReadableStream<Uint8Array> {
    const events = this.#run.events()
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
