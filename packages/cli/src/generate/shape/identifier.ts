/** Names that are valid in code. */

/** Whether a name is a valid identifier; reserved words are not checked. */
export const isIdentifier = (name: string): boolean =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)

/** Words that cannot name a variable. */
export const RESERVED: ReadonlySet<string> = new Set(
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield'.split(' '), // prettier-ignore
)

/** Turns words into one name: `say-it` → `sayIt`. */
export function identifierOf(words: string): string {
  const [first = '', ...others] = words.split(/[^\p{ID_Continue}$]+/u)
  const name = first + others.map(upperFirst).join('')
  return isIdentifier(name) ? name : `_${name}`
}

export const upperFirst = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
export const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)
