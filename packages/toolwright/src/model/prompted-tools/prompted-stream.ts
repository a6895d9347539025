/**
 * A stream with the calls in its text read. Text comes live up to the first call, but for what may be its beginning;
 * calls and whatever follows them are told when the answer is complete, in the order of the message. An explicit
 * iterator, so that a reader can leave while it waits.
 */
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { Generation } from '../../messages/chat-response.ts'
import type { AssistantPart } from '../../messages/message.ts'
import { CallReader, type Read } from './call-reader.ts'
import { promptedResponse, type CallReading } from './prompted-response.ts'

interface Asked {
  readonly events: AsyncIterable<ChatEvent>
  /** Absent: the text is only text. */
  readonly reading?: CallReading | undefined
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined }

export class PromptedStream implements AsyncIterableIterator<ChatEvent> {
  readonly #ask: () => Promise<Asked>
  #asked: Asked | undefined
  #events: AsyncIterator<ChatEvent> | undefined
  readonly #answer = new LiveAnswer()
  #ready: ChatEvent[] = []
  #isOver = false
  #turn: Promise<unknown> = Promise.resolve()

  /** @param ask called when the first event is asked for */
  constructor(ask: () => Promise<Asked>) {
    this.#ask = ask
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Requests wait for each other, so that events keep their order. */
  next(): Promise<IteratorResult<ChatEvent>> {
    const advance = (): Promise<IteratorResult<ChatEvent>> => this.#advance()
    const next = this.#turn.then(advance, advance)
    this.#turn = next
    return next
  }

  async return(): Promise<IteratorResult<ChatEvent>> {
    this.#isOver = true
    this.#ready = []
    await this.#events?.return?.()
    return DONE
  }

  async #advance(): Promise<IteratorResult<ChatEvent>> {
    while (this.#ready.length === 0) {
      if (this.#isOver) return DONE
      this.#asked ??= await this.#ask()
      this.#events ??= this.#asked.events[Symbol.asyncIterator]()
      const step = await this.#events.next()
      if (step.done) this.#isOver = true
      else this.#ready = this.#convert(step.value)
    }
    return { done: false, value: this.#ready.shift()! }
  }

  #convert(event: ChatEvent): ChatEvent[] {
    const { reading } = this.#asked!
    if (reading === undefined) return [event]
    if (event?.type !== 'response') return this.#answer.take(event)
    const response = promptedResponse(event.response, reading)
    const [first] = response.results
    return [...(first ? this.#answer.rest(first) : []), { type: 'response', response }]
  }
}

/** What of an answer has been told, and what is still to be told at its end. */
class LiveAnswer {
  readonly #reader = new CallReader()
  /** Characters of text, and parts that are neither text nor calls. */
  #textTold = 0
  #partsTold = 0
  #hasCall = false

  take(event: ChatEvent): ChatEvent[] {
    switch (event?.type) {
      case 'text-delta':
        return this.#hasCall ? [] : this.#tell(this.#reader.push(event.text))
      case 'part':
        if (this.#hasCall) return []
        this.#partsTold++
        return [event]
      case 'tool-call-start':
      case 'tool-call-delta':
      case 'tool-call':
        return []
      default:
        return [event]
    }
  }

  rest({ message: { content } }: Generation): readonly ChatEvent[] {
    const parts: readonly AssistantPart[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content
    return parts.flatMap((part) => this.#restOf(part))
  }

  #tell(read: readonly Read[]): ChatEvent[] {
    const call = read.findIndex((each) => typeof each !== 'string')
    this.#hasCall = call !== -1
    const texts = (this.#hasCall ? read.slice(0, call) : read) as readonly string[]
    return texts.map((text) => {
      this.#textTold += text.length
      return { type: 'text-delta', text }
    })
  }

  #restOf(part: AssistantPart): ChatEvent[] {
    if (part.type === 'text') {
      const text = part.text.slice(this.#textTold)
      this.#textTold = Math.max(0, this.#textTold - part.text.length)
      return text === '' ? [] : [{ type: 'text-delta', text }]
    }
    if (part.type === 'tool-call')
      return [
        { type: 'tool-call-start', id: part.id, name: part.name },
        { type: 'tool-call', toolCall: part },
      ]
    return this.#partsTold-- > 0 ? [] : [{ type: 'part', part }]
  }
}
