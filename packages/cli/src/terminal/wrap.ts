/** Wraps text to the width of a terminal. Wide characters count as two columns. */
import { graphemesOf } from './graphemes.ts'

export interface WrapOptions {
  /** Columns. `Infinity` leaves lines unchanged. */
  readonly width: number
  /** Before the first line. */
  readonly indent?: string
  /** Before the other lines. Default: the indent. */
  readonly hanging?: string
}

const NARROWEST = 8
const ASCII = /^[ -~]*$/
const ZERO_WIDTH = /^[\p{Mark}\p{Format}\p{Control}]*$/u
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\ufe0f]|\p{Emoji_Presentation}/u

/** The width of the screen in columns; `Infinity` if it is not a terminal. */
export const widthOf = (stream: NodeJS.WriteStream): number =>
  stream.isTTY ? stream.columns || 80 : Infinity

/** How many columns a line takes. */
export function displayWidth(line: string): number {
  if (ASCII.test(line)) return line.length
  let width = 0
  for (const grapheme of graphemesOf(line)) width += graphemeWidth(grapheme)
  return width
}

function graphemeWidth(grapheme: string): number {
  if (ZERO_WIDTH.test(grapheme)) return 0
  return WIDE.test(grapheme) ? 2 : 1
}

/**
 * Breaks lines between words, and inside words that are longer than a line. Line breaks of the text stay.
 * If the terminal is hardly wider than the indent, the indent is dropped.
 */
export function wrap(text: string, options: WrapOptions): string {
  const { width, indent = '', hanging = indent } = options
  const roomy = width - displayWidth(hanging) >= NARROWEST
  const [first, others] = roomy ? [indent, hanging] : ['', '']
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, Math.max(1, width - displayWidth(others))))
    .map((line, index) => ((index === 0 ? first : others) + line).trimEnd())
    .join('\n')
}

function wrapLine(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line]
  const lines: string[] = []
  let current = ''
  for (const piece of line.split(/(?<=\s)(?=\S)/)) {
    if (current !== '' && displayWidth((current + piece).trimEnd()) > width) {
      lines.push(current)
      current = ''
    }
    const [last = '', ...full] = piecesOf(piece, width).reverse()
    if (full.length > 0) lines.push(...[current, ...full.reverse()].filter(Boolean))
    current = full.length > 0 ? last : current + last
  }
  return [...lines, current]
}

/** Splits a word that is longer than a line into pieces that fit. */
function piecesOf(word: string, width: number): string[] {
  if (displayWidth(word.trimEnd()) <= width) return [word]
  const pieces = ['']
  let used = 0
  for (const grapheme of graphemesOf(word)) {
    const more = graphemeWidth(grapheme)
    if (used > 0 && used + more > width) {
      pieces.push('')
      used = 0
    }
    pieces[pieces.length - 1] += grapheme
    used += more
  }
  return pieces
}
