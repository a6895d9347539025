/** One reader of a streaming agent: turns the text of the model's answers into the output as it grows. */
import type { RunIterator } from '../../client/run-reader.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { Json } from '../../messages/json.ts'
import { textOf } from '../../messages/reading.ts'
import { isDirect, jsonOrText } from '../agent-result.ts'
import type { AgentSession } from '../session/agent-session.ts'
import type { AgentEvent } from './agent-event.ts'
import { OutputReader } from './output-reader.ts'

/** What a reader needs of the stream it reads. */
export interface AgentSource {
  /** Starts the run unless it has already started. */
  start(): Promise<{ readonly session: AgentSession; readonly events: RunIterator<ChatEvent> }>
  /** One reader fewer. */
  leave(): void
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined }

export class AgentEventReader implements RunIterator<AgentEvent> {
  readonly #source: AgentSource
  #started: ReturnType<AgentSource['start']> | undefined
  /** The reading under way. A reader who asks meanwhile gets the next item after it. */
  #last: Promise<unknown> = Promise.resolve()
  readonly #ready: AgentEvent[] = []
  #answer: { readonly round: number | undefined; readonly reader: OutputReader } | undefined
  #shown: Json | undefined
  #isOver = false

  constructor(source: AgentSource) {
    this.#source = source
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<AgentEvent, undefined>> {
    const step = this.#last.then(() => this.#next())
    this.#last = step.catch(() => {})
    return step
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    if (!this.#isOver) {
      this.#isOver = true
      this.#source.leave()
    }
    return DONE
  }

  async #next(): Promise<IteratorResult<AgentEvent, undefined>> {
    try {
      while (!this.#isOver) {
        const value = this.#ready.shift()
        if (value) return { done: false, value }
        const { session, events } = await (this.#started ??= this.#source.start())
        const step = await events.next()
        if (step.done) this.#isOver = true
        else this.#take(step.value, session)
      }
    } catch (error) {
      // Whoever left does not hear how the run ended.
      const isLeft = this.#isOver
      this.#isOver = true
      if (!isLeft) throw error
    }
    return DONE
  }

  #take(event: ChatEvent, session: AgentSession): void {
    const hasOutput = session.settings.output !== undefined
    if (event.parentCallId === undefined) {
      if (event.type === 'text-delta') {
        if (hasOutput) this.#takeText(event.text, event, session)
        return
      }
      if (event.type === 'round-end' && hasOutput) this.#takeAnswer(event, session)
      if (event.type === 'response' && hasOutput) this.#takeFinal(event, session)
    }
    this.#ready.push(event)
  }

  #takeText(text: string, event: ChatEvent, session: AgentSession): void {
    const { round } = event
    if (!this.#answer || this.#answer.round !== round)
      this.#answer = { round, reader: new OutputReader(session.compose(false).schema) }
    const { reader } = this.#answer
    reader.write(text)
    this.#show(reader.take(), event)
  }

  /** A model that gives its answer in one piece has had no deltas. */
  #takeAnswer(event: ChatEvent & { readonly type: 'round-end' }, session: AgentSession): void {
    if (this.#answer?.round !== event.round) this.#takeText(textOf(event.response), event, session)
    this.#show(this.#answer?.reader.take({ isLast: true }), event)
    this.#answer = undefined
  }

  /** The last output shown is the whole one, also where it is a tool's result or had to be read leniently. */
  #takeFinal(event: ChatEvent & { readonly type: 'response' }, { record }: AgentSession): void {
    const output = isDirect(event) ? (jsonOrText(textOf(event.response)) as Json) : record.output
    if (output === null || JSON.stringify(output) === JSON.stringify(this.#shown)) return
    this.#show(output, event)
  }

  #show(output: Json | undefined, { runId, round }: ChatEvent): void {
    if (output === undefined) return
    this.#shown = output
    this.#ready.push({ runId, round, type: 'output-delta', output: output as never })
  }
}
