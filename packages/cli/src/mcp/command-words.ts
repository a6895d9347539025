/**
 * Command lines as a person writes them, to words and back. Quotes and backslashes mean what they mean in a shell;
 * nothing else does: no shell is run, so variables, `~`, `*`, `|` and `>` are plain text.
 */
import { CommandError } from '../command/command-error.ts'

/** One piece of a word: in single quotes, in double quotes, an escaped character, or plain text. */
const PIECE = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/y
const SPACE = /\s+/y
/** On Windows a backslash outside of quotes separates folders. */
const WINDOWS_PIECE = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|(?!)([\s\S])|([^\s'"]+)/y

/** Words that need no quotes. */
const PLAIN = /^[\w@%+=:,./${}-]+$/
const PLAIN_ON_WINDOWS = /^[\w@%+=:,./${}\\-]+$/

/** Throws `CommandError` if a quote is never closed. */
export function splitCommandLine(text: string, platform = process.platform): readonly string[] {
  const piece = platform === 'win32' ? WINDOWS_PIECE : PIECE
  const words: string[] = []
  let at = 0
  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) at = pattern.lastIndex
    return match
  }
  let word: string | undefined
  while (at < text.length) {
    if (read(SPACE)) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    const match = read(piece)
    if (!match) throw unclosed(text.slice(at))
    word = (word ?? '') + textOf(match)
  }
  return word === undefined ? words : [...words, word]
}

function textOf([, single, double, escaped, plain]: RegExpExecArray): string {
  // In double quotes a backslash only escapes what would mean something there.
  return single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? ''
}

function unclosed(rest: string): CommandError {
  const what = rest.startsWith('\\')
    ? 'ends with a backslash'
    : `has a ${rest[0]} that is not closed`
  return new CommandError(`The command ${what}. Close it, or write \\ before it.`)
}

/** The words as one line that `splitCommandLine` reads back; what is started can be seen from it exactly. */
export function showCommandLine(words: readonly string[], platform = process.platform): string {
  const plain = platform === 'win32' ? PLAIN_ON_WINDOWS : PLAIN
  return words.map((word) => (plain.test(word) ? word : quoted(word))).join(' ')
}

const quoted = (word: string): string =>
  word.includes("'") ? `"${word.replace(/["\\$`]/g, '\\$&')}"` : `'${word}'`
