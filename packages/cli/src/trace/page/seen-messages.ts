/** Each message stands in the page once; where a later round sends it again, it is referred to. */
import type { JsonObject } from 'toolwright'
import { html, type Html } from './html.ts'
import { messageView } from './message-view.ts'

export class SeenMessages {
  readonly #ids = new Map<string, string>()

  /** The messages of one exchange, in their order. */
  views(messages: readonly JsonObject[]): readonly Html[] {
    const views: Html[] = []
    let again: string[] = []
    const tellAgain = (): void => {
      if (again.length > 0) views.push(earlier(again))
      again = []
    }
    for (const message of messages) {
      const text = JSON.stringify(message)
      const known = this.#ids.get(text)
      if (known !== undefined) {
        again.push(known)
        continue
      }
      tellAgain()
      const id = `m${this.#ids.size + 1}`
      this.#ids.set(text, id)
      views.push(messageView(message, id))
    }
    tellAgain()
    return views
  }
}

const earlier = (ids: readonly string[]): Html =>
  html`<details class="earlier" data-messages="${ids.join(' ')}">
    <summary>${ids.length} ${ids.length === 1 ? 'message' : 'messages'} as before</summary>
  </details>`
