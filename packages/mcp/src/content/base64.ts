/** Bytes as base64 text, and back. */

/** Piece by piece: a spread of large arrays overflows the stack. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let start = 0; start < bytes.length; start += 8192)
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + 8192)))
  return btoa(pieces.join(''))
}

export const fromBase64 = (data: string): Uint8Array =>
  Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
