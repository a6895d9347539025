/** Lines of JSON from a stream, however its pieces fall. */
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { textLines } from './text-lines.ts'

const linesOf = async (...pieces: readonly (string | Buffer)[]): Promise<readonly string[]> => {
  const stream = new PassThrough()
  for (const piece of pieces) stream.write(piece)
  stream.end()
  const lines: string[] = []
  for await (const line of textLines(stream)) lines.push(line)
  return lines
}

it('end with \\n and with nothing else', async () => {
  const odd = 'a\u2028b\u2029c\rd'
  expect(await linesOf(`${odd}\n${odd}\n`)).toEqual([odd, odd])
  expect(await linesOf('a\r\nb')).toEqual(['a\r', 'b'])
  expect(await linesOf('a\n\nb\n\n')).toEqual(['a', '', 'b', ''])
  expect(await linesOf()).toEqual([])
})

it('may come in any pieces', async () => {
  const text = 'one\ntwo ж\n\nfour\n'
  const bytes = [...Buffer.from(text)].map((byte) => Buffer.of(byte))
  expect(await linesOf(...bytes)).toEqual(['one', 'two ж', '', 'four'])
  expect(await linesOf('on', 'e\ntw', 'o\nth', 're', 'e')).toEqual(['one', 'two', 'three'])
})
