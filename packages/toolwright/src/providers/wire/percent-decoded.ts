/** A part of an address as it is meant. One whose percent signs are no valid escapes is meant as it is written. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
