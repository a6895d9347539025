/** The number that a person typed. */
export type ReadNumber =
  | { readonly value: number | undefined; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string }

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

export function readNumber(text: string): ReadNumber {
  const typed = text.trim()
  if (typed === '') return { value: undefined }
  if (!NUMBER.test(typed)) return { problem: `"${typed}" is no number.` }
  const value = Number(typed)
  return Number.isFinite(value) ? { value } : { problem: `${typed} is too large.` }
}
