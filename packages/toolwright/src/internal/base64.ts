/** Bytes as base64, with what every runtime has. */
export function base64(bytes: Uint8Array): string {
  let binary = ''
  // In pieces: a text that grows letter by letter takes thirty times its size.
  for (let start = 0; start < bytes.length; start += PIECE)
    binary += String.fromCharCode(...bytes.subarray(start, start + PIECE))
  return btoa(binary)
}

const PIECE = 8192
