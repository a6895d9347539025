/** A run asked for whole: the model answers in one piece, and so does this. */
import { ModelResponseError } from '../errors/errors.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import { textOf } from '../messages/reading.ts'
import type { AdvisedRun, RunResult } from './advised-run.ts'
import type { RunIterator } from './event-reader.ts'

export class CallRun implements AsyncIterable<ChatEvent> {
  readonly #run: AdvisedRun

  constructor(run: AdvisedRun) {
    this.#run = run
  }

  /** The answer's text. Rejects with `RunSuspendedError` or `RunLimitError` when there is none. */
  async content(): Promise<string> {
    return textOfAnswer(await this.#run.answer())
  }

  async chatResponse(): Promise<ChatResponse> {
    return (await this.#run.result()).response
  }

  result(): Promise<RunResult> {
    return this.#run.result()
  }

  /** Everything that happened, but for the deltas, which only a stream has. */
  events(): RunIterator<ChatEvent> {
    return this.#run.read()
  }

  [Symbol.asyncIterator](): RunIterator<ChatEvent> {
    return this.events()
  }
}

/** A model that was stopped before it said anything gave no answer. */
export function textOfAnswer({ response }: RunResult): string {
  const text = textOf(response)
  const reason = response.results[0]?.finishReason
  if (text === '' && (reason === 'content-filter' || reason === 'length' || reason === 'error')) {
    throw new ModelResponseError(
      'no-answer',
      `The model ended with "${reason}" before it said anything.`,
    )
  }
  return text
}
