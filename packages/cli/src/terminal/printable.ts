/**
 * What others wrote, a model, a tool, a file, made safe to show on a terminal: it can neither move the
 * cursor nor colour, hide or rename anything, and it does not scroll everything else away. Only for
 * terminals: what goes into a pipe or a file is never changed.
 */

/** Colours and cursor movements, which carry no text. */
const CONTROL_SEQUENCE = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]/g
/** What is left of controls, and what turns the direction of text around. Line breaks stay. */
const CONTROL = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** The text without control sequences; other control characters are shown as a sign, tabs as spaces. */
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
  // The block of control pictures has one for each of the first 32, and for delete.
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}

export interface Excerpt {
  /** The beginning, printable. */
  readonly shown: string
  /** How many characters are not shown. */
  readonly hidden: number
}

/** The beginning of a text that may be long, printable. */
export function excerpt(text: string, most: { characters: number; lines: number }): Excerpt {
  const lastLine = indexOfLine(text, most.lines)
  const end = wholeCharacters(text, Math.min(most.characters, lastLine, text.length))
  return { shown: printable(text.slice(0, end)), hidden: text.length - end }
}

/** Where the line after so many lines begins; the end of a text that has no more lines. */
function indexOfLine(text: string, lines: number): number {
  let at = 0
  for (let line = 0; line < lines; line++) {
    const next = text.indexOf('\n', at)
    if (next === -1) return text.length
    at = next + 1
  }
  return at
}

/** Not between the halves of a surrogate pair. */
const wholeCharacters = (text: string, end: number): number =>
  end > 0 && end < text.length && text.codePointAt(end - 1)! > 0xffff ? end - 1 : end
