/**
 * What is pasted into a terminal comes between two marks. Text of several lines, or a long one, would send
 * itself at its first line break or fill the screen: a short name stands for it while the line is edited.
 */

const START = '\x1b[200~'
const END = '\x1b[201~'
/** The start of a mark whose rest is still to come. A lone escape may be the key. */
const HALF_START = /\x1b\[(?:2(?:0(?:0)?)?)?$/
const INTERRUPT = '\x03'
const LONGEST_SHOWN = 500

export class Pastes {
  readonly #texts = new Map<string, string>()
  #pending = ''
  #pasted: string | undefined

  /** Keys as they come from the terminal; gives those to be edited. */
  take(data: string): string {
    // By itself it is the key, and a terminal that never ends a paste must not lock the user out.
    if (data === INTERRUPT) this.#pasted = undefined
    let keys = ''
    this.#pending += data
    for (;;) {
      const mark = this.#pasted === undefined ? START : END
      const at = this.#pending.indexOf(mark)
      if (at === -1) return keys + this.#takeUnmarked()
      const before = this.#pending.slice(0, at)
      this.#pending = this.#pending.slice(at + mark.length)
      if (this.#pasted === undefined) {
        keys += before
        this.#pasted = ''
      } else {
        keys += this.#nameOf(this.#pasted + before)
        this.#pasted = undefined
      }
    }
  }

  /** The line with every paste in the place of its name. */
  expand(line: string): string {
    let whole = line
    for (const [name, text] of this.#texts) whole = whole.replaceAll(name, () => text)
    return whole
  }

  #takeUnmarked(): string {
    // The end mark may be cut anywhere; nothing is lost by keeping it all until it comes.
    if (this.#pasted !== undefined) return ''
    const half = HALF_START.exec(this.#pending)?.index ?? this.#pending.length
    const keys = this.#pending.slice(0, half)
    this.#pending = this.#pending.slice(half)
    return keys
  }

  #nameOf(pasted: string): string {
    const text = pasted.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
    const trimmed = text.replace(/\n+$/, '')
    if (!trimmed.includes('\n') && trimmed.length <= LONGEST_SHOWN)
      return trimmed.replaceAll('\t', ' ')
    const lines = trimmed.split('\n').length
    const size = lines > 1 ? `${lines} lines` : `${trimmed.length} characters`
    const name = `[paste ${this.#texts.size + 1}: ${size}]`
    this.#texts.set(name, trimmed)
    return name
  }
}
