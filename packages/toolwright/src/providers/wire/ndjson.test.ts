import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NdjsonParser } from './ndjson.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The records of a body that is cut into chunks of these sizes. */
function records(body: Uint8Array, sizes: readonly number[] = []): string[] {
  const parser = new NdjsonParser({ provider: 'acme' })
  const found: string[] = []
  let at = 0
  for (const size of [...sizes, body.length]) {
    for (const { data } of parser.push(body.subarray(at, at + size))) found.push(data)
    at += size
  }
  for (const { data } of parser.end()) found.push(data)
  return found
}

describe('NdjsonParser', () => {
  it.each([
    ['lines', '{"a":1}\n{"b":2}\n', ['{"a":1}', '{"b":2}']],
    ['a last line without its end', '{"a":1}\n{"b":2}', ['{"a":1}', '{"b":2}']],
    ['any line ends', '1\r\n2\r3\n', ['1', '2', '3']],
    ['blank lines', '\n \n1\n\n\n', ['1']],
    ['a byte order mark', '\ufeff1\n', ['1']],
    ['nothing', '', []],
  ])('reads %s', (_what, body, expected) => {
    expect(records(bytes(body))).toEqual(expected)
  })

  it('reads the same wherever the bytes are cut', () => {
    const body = bytes('{"text":"ä😀"}\r\n{"done":true}\n\n')
    const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 12 })
    fc.assert(
      fc.property(cuts, (sizes) => {
        expect(records(body, sizes)).toEqual(['{"text":"ä😀"}', '{"done":true}'])
      }),
    )
  })

  it('hands over a record as soon as its line ends', () => {
    const parser = new NdjsonParser({ provider: 'acme' })
    expect(parser.push(bytes('{"a'))).toEqual([])
    expect(parser.push(bytes('":1}\n{'))).toEqual([{ data: '{"a":1}' }])
  })

  it.each([
    ['a line without an end', 'x'.repeat(101), { maxEventLength: 100 }],
    ['a line that is too long', `${'x'.repeat(101)}\n`, { maxEventLength: 100 }],
    ['a body without an end', '1\n'.repeat(60), { maxBodyBytes: 100 }],
  ])('stops at %s', (_what, body, limits) => {
    const parser = new NdjsonParser({ provider: 'acme', ...limits })
    expect(() => parser.push(bytes(body))).toThrow(
      expect.objectContaining({ code: 'provider-too-large' }),
    )
  })
})
