/** Reads the text of a run's answer from its events, as they come. */
import type { ChatEvent } from '../messages/chat-event.ts'
import type { AdvisedRun } from './advised-run.ts'
import { textOfAnswer } from './call-run.ts'
import type { EventReader, RunIterator } from './event-reader.ts'

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined }

export class TextReader implements RunIterator<string> {
  readonly #run: AdvisedRun
  readonly #reader: EventReader
  /** The round whose text is no answer: it calls tools. */
  #silenced: number | undefined
  #saidIn: number | undefined
  /** All text so far, where all of it belongs to the answer. */
  #said: string | undefined
  #over = false

  constructor(run: AdvisedRun) {
    this.#run = run
    this.#reader = run.read()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<string, undefined>> {
    for (let event = this.#reader.take(); event; event = this.#reader.take()) {
      const text = this.#textOf(event)
      if (text) return Promise.resolve({ done: false, value: text })
    }
    return this.#later()
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#over = true
    await this.#reader.return()
    return DONE
  }

  async #later(): Promise<IteratorResult<string, undefined>> {
    for (;;) {
      const step = await this.#reader.next()
      if (step.done) return this.#last()
      const value = this.#textOf(step.value)
      if (value) return { done: false, value }
    }
  }

  #textOf(event: ChatEvent): string | undefined {
    // What a run inside a tool says is the tool's business.
    if (event.parentCallId !== undefined) return undefined
    if (event.type === 'tool-call-start' || event.type === 'tool-call') {
      this.#silenced = event.round
    } else if (event.type === 'text-delta') {
      const { streamToolCallResponses } = this.#run
      if (event.round === this.#silenced && !streamToolCallResponses) return undefined
      this.#saidIn = event.round
      return streamToolCallResponses ? this.#further(event.text) : event.text
    }
    return undefined
  }

  /** A resumed run begins with what was said before it was suspended. */
  #further(text: string): string {
    const piece = this.#said === undefined ? this.#run.earlierText() + text : text
    this.#said = (this.#said ?? '') + piece
    return piece
  }

  /** Direct results, and models that give their answer only at the end, have had no deltas. */
  async #last(): Promise<IteratorResult<string, undefined>> {
    if (this.#over) return DONE
    this.#over = true
    const result = await this.#run.answer()
    const text = textOfAnswer(result)
    const direct = result.response.results[0]?.finishReason === 'return-direct'
    const unsaid = direct || this.#saidIn !== result.rounds.length
    const value = !direct && this.#said ? text.slice(this.#said.length) : text
    return value !== '' && unsaid ? { done: false, value } : DONE
  }
}
