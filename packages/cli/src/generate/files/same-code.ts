/**
 * Whether two texts are the same code apart from layout. The project's formatter may have changed a
 * generated file, which counts neither as our change nor as a manual one.
 */

export const isSameCode = (a: string, b: string): boolean => a === b || bareCode(a) === bareCode(b)

/**
 * Comments, strings, and the rest, in this order, so that quotes in comments and slashes in strings are not
 * misread.
 */
const PIECES = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|[^'"/]+|[^]/g

/** The code without what formatters decide: spaces, quotes, semicolons, trailing commas, leading bars. */
function bareCode(text: string): string {
  const pieces = text.match(PIECES) ?? []
  return pieces
    .map((piece) =>
      /^\/[/*]/.test(piece)
        ? spaced(piece)
        : /^['"]/.test(piece)
          ? unquoted(piece)
          : withoutSpacing(piece),
    )
    .join('')
    .replace(/,(?=[)\]}>])/g, '')
    .replace(/(?<=[=<(,:[])\|/g, '')
}

const withoutSpacing = (code: string): string => code.replace(/[\s;]+/g, '')
const spaced = (comment: string): string => sealed(comment.replace(/\s+/g, ' ').trim())

/** The content of a string literal, whichever quotes it uses and escapes. */
const unquoted = (literal: string): string =>
  sealed(`"${literal.slice(1, -1).replace(/\\(['"])/g, '$1')}"`)

/** Hides commas and bars in strings and comments, because they are not layout. */
const sealed = (words: string): string => words.replaceAll(',', '\\2c').replaceAll('|', '\\7c')
