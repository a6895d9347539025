/** Words of others as a doc comment: on one line, cut, and unable to end the comment. */

/** How long the description of a tool may be, in characters, and that of a parameter. */
export const LONGEST_TOOL_WORDS = 300
export const LONGEST_PARAMETER_WORDS = 120

export interface DocCommentLayout {
  readonly longest: number
  readonly indent: string
}

/** Empty where there are no words; otherwise a line of its own. */
export function docComment(words: unknown, { longest, indent }: DocCommentLayout): string {
  const text = typeof words === 'string' ? oneLine(words, longest) : ''
  return text === '' ? '' : `${indent}/** ${text} */\n`
}

/** Control characters, and those that change the direction of text or hide it. */
const UNSEEN = /[\p{Cc}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

function oneLine(words: string, longest: number): string {
  const text = words.replace(/\s+/g, ' ').replace(UNSEEN, '').toWellFormed().trim()
  return cut(text, longest).replaceAll('*/', '* /')
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  // Half a character at the end would be none.
  return `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
