/** A model that can be held: then it says its next piece when the test lets it. */
import type { ChatModel } from 'toolwright'

export class PacedModel implements ChatModel {
  readonly provider: string
  readonly model: string
  readonly capabilities: ChatModel['capabilities']
  readonly options: ChatModel['options']
  readonly #inner: ChatModel
  #allowed = Infinity
  #wake = (): void => {}

  constructor(inner: ChatModel) {
    this.provider = inner.provider
    this.model = inner.model
    this.capabilities = inner.capabilities
    this.options = inner.options
    this.#inner = inner
  }

  hold(): void {
    this.#allowed = 0
  }

  /** One piece more. */
  say(): void {
    this.#allowed += 1
    this.#wake()
  }

  call: ChatModel['call'] = (prompt, run) => this.#inner.call(prompt, run)

  async *stream(...asked: Parameters<ChatModel['stream']>): ReturnType<ChatModel['stream']> {
    for await (const event of this.#inner.stream(...asked)) {
      while (this.#allowed === 0) await new Promise<void>((resolve) => (this.#wake = resolve))
      this.#allowed -= 1
      yield event
    }
  }
}
