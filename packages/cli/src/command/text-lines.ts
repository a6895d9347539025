/**
 * The lines of a stream that carries a JSON object on each: only `\n` ends one. `node:readline` also splits at a lone
 * `\r`, and since Node 24 at U+2028 and U+2029, which JSON leaves as they are inside of texts.
 */
import type { Readable } from 'node:stream'

export async function* textLines(input: Readable): AsyncGenerator<string, void> {
  // Joined when its end has come, because a line may be larger than thousands of pieces.
  let begun: string[] = []
  for await (const piece of input.setEncoding('utf8') as AsyncIterable<string>) {
    const [first, ...more] = piece.split('\n')
    begun.push(first!)
    if (more.length === 0) continue
    yield begun.join('')
    begun = [more.pop()!]
    yield* more
  }
  const last = begun.join('')
  if (last !== '') yield last
}
