/** The number that a person typed. */
export type ReadNumber =
  | { readonly value: number | undefined; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string }

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

export function readNumber(text: string): ReadNumber {
  const typed = text.trim()
  if (typed === '') return { value: undefined }
  if (!NUMBER.test(typed)) return { problem: `"${typed}" is no number.` }
  const problem = lossOf(typed)
  return problem === undefined ? { value: Number(typed) } : { problem }
}

/** Why these digits would become other ones. Undefined: they would not. */
export function lossOf(digits: string): string | undefined {
  const value = Number(digits)
  if (!Number.isFinite(value)) return `${digits} is too large.`
  if (plain(digits) === plain(String(value))) return undefined
  return `${digits} cannot be kept exactly; it would become ${value}.`
}

/** One text for all that mean the same number: `+1.50`, `1.5` and `15e-1` are alike. */
function plain(digits: string): string {
  const [mantissa = '', exponent = '0'] = digits.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace(/^[+-]/, '').split('.')
  const significant = `${whole}${fraction}`.replace(/^0+/, '')
  const kept = significant.replace(/0+$/, '')
  if (kept === '') return '0'
  const power = Number(exponent) - fraction.length + significant.length - kept.length
  return `${mantissa.startsWith('-') ? '-' : ''}${kept}e${power}`
}
