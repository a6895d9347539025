/**
 * Makes text of others (a model, a tool, a file) safe to show on a terminal: it cannot move the cursor,
 * change colours, or hide or rename anything, and it does not scroll everything else away. Only for
 * terminals: output to a pipe or file is never changed.
 */

/** Colours and cursor movements, which carry no text. */
const CONTROL_SEQUENCE = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]/g
/** The remaining control characters, and those that change the direction of text. Line breaks stay. */
const CONTROL = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** The text without control sequences. Other control characters become visible signs, tabs become spaces. */
export function printable(text: string): string {
  return text
    .replace(CONTROL_SEQUENCE, '')
    .replaceAll('\r\n', '\n')
    .replace(CONTROL, signOf)
    .toWellFormed()
}

function signOf(control: string): string {
  const code = control.charCodeAt(0)
  if (control === '\t') return '    '
  // Unicode has a picture for each of the first 32 control characters, and for delete.
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}

export interface Excerpt {
  /** The beginning of the text, made printable. */
  readonly shown: string
  /** How many characters are not shown. */
  readonly hidden: number
}

/** The beginning of a long text, made printable. */
export function excerpt(text: string, most: { characters: number; lines: number }): Excerpt {
  const lastLine = indexOfLine(text, most.lines)
  const end = wholeCharacters(text, Math.min(most.characters, lastLine, text.length))
  return { shown: printable(text.slice(0, end)), hidden: text.length - end }
}

/** The beginning of a long text, made printable, and how much is left out. */
export function cut(text: string, most: { characters: number; lines: number }): string {
  const { shown, hidden } = excerpt(text, most)
  return hidden === 0 ? shown : `${shown}… ${hidden.toLocaleString('en-US')} more characters`
}

/** Where the line after this many lines begins, or the end of the text. */
function indexOfLine(text: string, lines: number): number {
  let at = 0
  for (let line = 0; line < lines; line++) {
    const next = text.indexOf('\n', at)
    if (next === -1) return text.length
    at = next + 1
  }
  return at
}

/** Avoids a cut between the halves of a surrogate pair. */
const wholeCharacters = (text: string, end: number): number =>
  end > 0 && end < text.length && text.codePointAt(end - 1)! > 0xffff ? end - 1 : end
