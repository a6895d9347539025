/**
 * Wraps text that arrives in pieces between words, at the terminal's current width. A word is held back
 * until it is complete, so that nothing on the screen has to be taken back.
 */
import { printable } from './printable.ts'
import { displayWidth, wrap } from './wrap.ts'

export interface FlowingOutput {
  /** Columns; `Infinity` when lines are not broken. */
  width(): number
  write(text: string): void
}

export class FlowingText {
  readonly #output: FlowingOutput
  #column = 0
  #space = ''
  #word = ''

  constructor(output: FlowingOutput) {
    this.#output = output
  }

  /** Whether the current line is empty, with nothing held back for it. */
  get isAtLineStart(): boolean {
    return this.#column === 0 && this.#word === ''
  }

  add(text: string): void {
    for (const piece of printable(text).split(/(\n| +)/)) {
      if (piece === '\n') this.#breakLine()
      else if (piece.startsWith(' ')) this.#endWord(piece)
      else this.#word += piece
    }
  }

  /** Writes what was held back, and starts a new line unless the current one is empty. */
  endLine(): void {
    this.#endWord('')
    this.#space = ''
    if (this.#column > 0) this.#breakLine()
  }

  #breakLine(): void {
    this.#endWord('')
    this.#output.write('\n')
    this.#column = 0
    this.#space = ''
  }

  #endWord(spaceAfter: string): void {
    if (this.#word !== '') this.#writeWord()
    this.#space += spaceAfter
  }

  #writeWord(): void {
    const width = this.#output.width()
    const spaced = this.#space + this.#word
    if (this.#column > 0 && this.#column + displayWidth(spaced) > width)
      this.#writeOnNextLine(width)
    else this.#write(spaced, width)
    this.#space = ''
    this.#word = ''
  }

  #writeOnNextLine(width: number): void {
    this.#output.write('\n')
    this.#column = 0
    this.#write(this.#word, width)
  }

  /** A word wider than the terminal is split over several lines. */
  #write(text: string, width: number): void {
    const fits = this.#column + displayWidth(text) <= width
    const lines = fits ? text : wrap(text, { width })
    this.#output.write(lines)
    const last = lines.slice(lines.lastIndexOf('\n') + 1)
    this.#column = displayWidth(last) + (lines.includes('\n') ? 0 : this.#column)
  }
}
