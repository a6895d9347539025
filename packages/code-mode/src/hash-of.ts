/** A short name for texts: it tells one call of a program, one program or one set of tools from another, and guards nothing. */

/** 53 bits of two products, as text. There is one for each call, and a cryptographic hash took longer than checking the call. */
export function hashOf(...texts: readonly string[]): string {
  let one = 0xdeadbeef
  let other = 0x41c6ce57
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      one = Math.imul(one ^ unit, 0x9e3779b1)
      other = Math.imul(other ^ unit, 0x5f356495)
    }
    // Where one text ends and the next begins: no unit has this value.
    one = Math.imul(one ^ 0x10000, 0x9e3779b1)
    other = Math.imul(other ^ 0x10000, 0x5f356495)
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35)
  other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35)
  return inDigits(2 ** 32 * (other & 0x1fffff) + (one >>> 0))
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'

/** As `toString(36)` writes it, which takes ten times as long as all the rest here. */
function inDigits(whole: number): string {
  let text = ''
  let rest = whole
  do {
    const higher = Math.floor(rest / DIGITS.length)
    text = DIGITS[rest - higher * DIGITS.length]! + text
    rest = higher
  } while (rest > 0)
  return text
}
