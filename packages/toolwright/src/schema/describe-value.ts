/**
 * Words for places and values in issues: short, well-formed, safe to send to a model. Never walks
 * into a value, so that depth does not matter.
 */
export type PathKey = string | number

const LONGEST = 80
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** Cuts on code points and marks the cut. */
export function shorten(text: string, longest: number = LONGEST): string {
  if (text.length <= longest) return text.toWellFormed()
  const isPair = text.codePointAt(longest - 2)! > 0xffff
  return `${text.slice(0, longest - (isPair ? 2 : 1)).toWellFormed()}…`
}

/** `$.a[0]["odd key"]` */
export function pathText(keys: readonly PathKey[]): string {
  let text = '$'
  for (const key of keys) {
    if (typeof key === 'number') text += `[${key}]`
    else if (IDENTIFIER.test(key) && key.length <= LONGEST) text += `.${key}`
    else text += `[${JSON.stringify(shorten(key))}]`
  }
  return text
}

/** What was there: `"soon"`, `nothing`, `array of 3`, `object with "a", "b"`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return shorten(JSON.stringify(value.slice(0, LONGEST + 2)))
  if (Array.isArray(value)) return `array of ${value.length}`
  if (typeof value === 'object' && value !== null) return describeObject(value)
  return shorten(typeof value === 'function' ? `function ${value.name}` : String(value))
}

function describeObject(value: object): string {
  const keys: string[] = []
  // Stops early: an object may have very many keys.
  for (const key in value) {
    if (Object.hasOwn(value, key) && keys.push(JSON.stringify(shorten(key, 20))) === 5) break
  }
  return keys.length === 0 ? 'empty object' : shorten(`object with ${keys.join(', ')}`)
}
