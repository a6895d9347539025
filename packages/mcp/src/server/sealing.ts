/** Signs texts, and compares secrets in a time that tells nothing about them. */

/** Makes the signature of a text for one purpose: one that was made for another never counts. */
export type Sign = (purpose: string, text: string) => Promise<string>

/** The type has no name without the types of browsers. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** Without a secret it is a key of this process. */
export function signer(secret?: string): Sign {
  let key: Promise<Key> | undefined
  return async (purpose, text) => {
    key ??= keyOf(secret)
    const signed = await crypto.subtle.sign('HMAC', await key, utf8(`mcp ${purpose} 1\n${text}`))
    return base64Url(new Uint8Array(signed))
  }
}

function keyOf(secret: string | undefined): Promise<Key> {
  const bytes = secret === undefined ? crypto.getRandomValues(new Uint8Array(32)) : utf8(secret)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

/** Compared as signatures of themselves, so that the time it takes tells nothing. */
export async function isSame(sign: Sign, a: string, b: string): Promise<boolean> {
  return (await sign('compare', a)) === (await sign('compare', b))
}

const utf8 = (text: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>

/** Of any length: a spread of large arrays overflows the stack. */
function base64Url(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

export const textToBase64Url = (text: string): string => base64Url(utf8(text))

/** Throws for what is none. */
export function base64UrlToText(encoded: string): string {
  const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder('utf-8', { fatal: true }).decode(
    Uint8Array.from(binary, (character) => character.charCodeAt(0)),
  )
}
