/**
 * Texts of any Unicode in a column that people can read: PostgreSQL takes no NUL, and neither database takes half of a
 * surrogate pair, so these become `\u` and four digits. So does the backslash, to be told apart.
 */
export const toStoredText = (text: string): string =>
  text.replace(
    /[\0\\]|\p{Surrogate}/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

export const fromStoredText = (stored: string): string =>
  stored.replace(/\\u([0-9a-f]{4})/g, (_, digits: string) =>
    String.fromCharCode(parseInt(digits, 16)),
  )
