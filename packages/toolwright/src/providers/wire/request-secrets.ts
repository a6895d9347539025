/** The secrets of a request: what its failure may quote, and what no text about it may show. */
import type { TransportRequest } from '../../ports/transport.ts'
import { percentDecoded } from './percent-decoded.ts'

const SECRET_HEADER = /authorization|key|token|secret|cookie|passw|credential/i
/** A shorter word of a value may be the name of a scheme, which stands in many sentences. */
const SHORTEST_WORD = 8
const SHORTEST = 4

/** Each as a whole, and without the word before it: `Bearer x` is also a secret where only `x` stands. */
export function secretsOf({
  headers,
  url,
}: Pick<TransportRequest, 'headers' | 'url'>): readonly string[] {
  const values = Object.entries(headers).flatMap(([name, value]) =>
    SECRET_HEADER.test(name) ? [value, ...wordsOf(value)] : [],
  )
  return [...values, ...passwordOf(url)]
}

/** The values of the other headers: often a name or a version, and secret only as a whole. */
export const otherValues = (headers: { readonly [name: string]: string }): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    SECRET_HEADER.test(name) || value.length < SHORTEST ? [] : [value],
  )

const wordsOf = (value: string): readonly string[] =>
  value.split(/\s+/).filter((word) => word.length >= SHORTEST_WORD)

/** As it is written in the address, and as it is meant. */
function passwordOf(url: string): readonly string[] {
  if (!URL.canParse(url)) return []
  const { password } = new URL(url)
  return [password, percentDecoded(password)]
}
