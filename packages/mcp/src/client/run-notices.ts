/** What a connection has to say between runs: kept until a run can be told, each thing once. */
import type { NoticeCode, ToolRun } from 'toolwright'

const MOST_KEPT = 20

export class RunNotices {
  readonly #server: string
  #kept = new Map<string, { readonly code: NoticeCode; count: number }>()
  #more = 0

  constructor(server: string) {
    this.#server = server
  }

  add(code: NoticeCode, message: string): void {
    const known = this.#kept.get(message)
    if (known) known.count++
    else if (this.#kept.size < MOST_KEPT) this.#kept.set(message, { code, count: 1 })
    else this.#more++
  }

  tell(notice: ToolRun['notice']): void {
    const kept = this.#kept
    const more = this.#more
    this.#kept = new Map()
    this.#more = 0
    for (const [message, { code, count }] of kept) {
      const times = count > 1 ? ` (${count} times)` : ''
      notice(code, `Server "${this.#server}": ${message}${times}`, { server: this.#server })
    }
    if (more > 0)
      notice('mcp-ignored', `Server "${this.#server}": ${more} more such things.`, {
        server: this.#server,
      })
  }
}
