/**
 * Whether two texts are the same code but for its layout. A project's own formatter may have gone over a
 * generated file: that is neither a change of ours nor one by hand.
 */

export const isSameCode = (a: string, b: string): boolean => a === b || bareCode(a) === bareCode(b)

/** Comments, texts, and the rest; in this order, so that quotes in comments and slashes in texts stay there. */
const PIECES = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|[^'"/]+|[^]/g

/** The code without what formatters decide: spaces, quotes, semicolons, last commas, first bars. */
function bareCode(text: string): string {
  const pieces = text.match(PIECES) ?? []
  return pieces
    .map((piece) =>
      /^\/[/*]/.test(piece) ? spaced(piece) : /^['"]/.test(piece) ? unquoted(piece) : bare(piece),
    )
    .join('')
    .replace(/,(?=[)\]}>])/g, '')
    .replace(/(?<=[=<(,:[])\|/g, '')
}

const bare = (code: string): string => code.replace(/[\s;]+/g, '')
const spaced = (comment: string): string => sealed(comment.replace(/\s+/g, ' ').trim())

/** Either quotes, and whichever of them is escaped, come to the same. */
const unquoted = (literal: string): string =>
  sealed(`"${literal.slice(1, -1).replace(/\\(['"])/g, '$1')}"`)

/** Commas and bars that are not layout, because they stand in texts and comments. */
const sealed = (words: string): string => words.replaceAll(',', '\\2c').replaceAll('|', '\\7c')
