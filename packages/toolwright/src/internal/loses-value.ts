/** Whether a JSON number is too large, too small, or an integer that double precision rounds. */
export function losesValue(number: string): boolean {
  const value = Number(number)
  if (Number.isSafeInteger(value) && value !== 0) return false
  if (!Number.isFinite(value)) return !Number.isNaN(value)
  if (value === 0) return /^-?[0.]*[1-9]/.test(number)
  return !/[.eE]/.test(number) && BigInt(number) !== BigInt(value)
}
