/**
 * Handles pasted text, which a terminal sends between two marks. Long text or several lines would submit
 * themselves at the first line break or fill the screen, so a short name stands for them while the line is
 * edited.
 */

const START = '\x1b[200~'
const END = '\x1b[201~'
/** The beginning of a mark whose rest has not arrived. A lone escape may be the key. */
const HALF_START = /\x1b\[(?:2(?:0(?:0)?)?)?$/
const INTERRUPT = '\x03'
const LONGEST_SHOWN = 500

export class Pastes {
  readonly #texts = new Map<string, string>()
  #pending = ''
  #pasted: string | undefined

  /** Takes keys from the terminal; returns those to edit. */
  take(data: string): string {
    // Alone it is the key: a terminal that never ends a paste must not lock the user out.
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

  /** The line with every paste in place of its name. */
  expand(line: string): string {
    let expanded = line
    for (const [name, text] of this.#texts) expanded = expanded.replaceAll(name, () => text)
    return expanded
  }

  #takeUnmarked(): string {
    // The end mark may be split anywhere, so everything is kept until it is complete.
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
