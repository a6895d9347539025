import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProviderError } from '../../errors/errors.ts'
import { type SseEvent, SseParser, type SseParserOptions } from './sse.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function parse(
  chunks: readonly (string | Uint8Array)[],
  limits?: Partial<SseParserOptions>,
): SseEvent[] {
  const parser = new SseParser({ provider: 'test', ...limits })
  const events: SseEvent[] = []
  for (const chunk of chunks)
    events.push(...parser.push(typeof chunk === 'string' ? bytes(chunk) : chunk))
  events.push(...parser.end())
  return events
}

describe('SseParser', () => {
  it.each<[string, string, SseEvent[]]>([
    ['LF', 'data: a\n\ndata: b\n\n', [{ data: 'a' }, { data: 'b' }]],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', [{ data: 'a' }, { data: 'b' }]],
    ['CR', 'data: a\r\rdata: b\r\r', [{ data: 'a' }, { data: 'b' }]],
    [
      'mixed line ends',
      'data: a\r\n\ndata: b\n\r\ndata: c\r\r\n',
      [{ data: 'a' }, { data: 'b' }, { data: 'c' }],
    ],
    ['no space after the colon', 'data:a\n\n', [{ data: 'a' }]],
    ['only one space is framing', 'data:  a\n\n', [{ data: ' a' }]],
    ['a byte order mark', '\ufeffdata: a\n\n', [{ data: 'a' }]],
    ['a second mark is text', 'data: \ufeffa\n\n', [{ data: '\ufeffa' }]],
    ['comments', ': hi\n\ndata: a\n:\n: more\n\n', [{ data: 'a' }]],
    ['several data lines', 'data: a\ndata:\ndata: b\n\n', [{ data: 'a\n\nb' }]],
    ['a field without a colon', 'data\n\n', [{ data: '' }]],
    [
      'an event name',
      'event: error\ndata: a\n\ndata: b\n\n',
      [{ event: 'error', data: 'a' }, { data: 'b' }],
    ],
    ['an event without data', 'event: ping\n\ndata: a\n\n', [{ data: 'a' }]],
    [
      'id, retry and unknown fields',
      'id: 1\nretry: 5\nfoo: x\ndatum: y\ndata: a\n\n',
      [{ data: 'a' }],
    ],
    ['an end without a blank line', 'data: a\n\ndata: b', [{ data: 'a' }, { data: 'b' }]],
    ['an end inside a line end', 'data: a\r', [{ data: 'a' }]],
    ['an end inside an event name', 'data: a\n\nevent: x', [{ data: 'a' }]],
    ['nothing', '', []],
  ])('reads %s', (_what, text, events) => {
    expect(parse([text])).toEqual(events)
  })

  it('reads the same events wherever the bytes are cut', () => {
    const text =
      '\ufeff: hi\r\ndata: {"a":"äß€😀"}\r\n\r\nevent: x\rdata:\ufeffb\r\rdata: c\ndata: d\n\nid: 7\ndata: 😀'
    const whole = bytes(text)
    const expected = parse([whole])
    expect(expected).toHaveLength(4)
    for (let cut = 0; cut <= whole.length; cut++) {
      expect(parse([whole.subarray(0, cut), whole.subarray(cut)])).toEqual(expected)
    }
    expect(parse([...whole].map((byte) => new Uint8Array([byte])))).toEqual(expected)
  })

  it('gives back any events, with any line ends and any cuts', () => {
    const data = fc
      .string({ unit: 'binary', maxLength: 20 })
      .map((text) => text.replace(/[\r\n]/g, ' '))
    const event = fc.record({
      lines: fc.array(data, { minLength: 1, maxLength: 3 }),
      end: fc.constantFrom('\n', '\r\n', '\r'),
    })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 6 }), fc.array(fc.nat(200)), (events, cuts) => {
        const text = events
          .map(({ lines, end }) => [...lines.map((line) => `data: ${line}`), '', ''].join(end))
          .join('')
        const whole = bytes(text)
        const places = [
          0,
          ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b),
          whole.length,
        ]
        const chunks = places.slice(1).map((place, i) => whole.subarray(places[i], place))
        expect(parse(chunks)).toEqual(events.map(({ lines }) => ({ data: lines.join('\n') })))
      }),
    )
  })

  it('replaces bytes that are no UTF-8', () => {
    const broken = new Uint8Array([...bytes('data: a'), 0xff, 0xc3, ...bytes('b\n\n')])
    expect(parse([broken])).toEqual([{ data: 'a\ufffd\ufffdb' }])
    for (let cut = 0; cut <= broken.length; cut++) {
      expect(parse([broken.subarray(0, cut), broken.subarray(cut)])).toEqual([
        { data: 'a\ufffd\ufffdb' },
      ])
    }
    expect(parse([new Uint8Array([...bytes('data: a'), 0xe2, 0x82])])).toEqual([
      { data: 'a\ufffd' },
    ])
  })

  it('hands over an event as soon as it is complete', () => {
    const parser = new SseParser({ provider: 'test' })
    expect(parser.push(bytes('data: a\n'))).toEqual([])
    expect(parser.push(bytes('\ndata: b'))).toEqual([{ data: 'a' }])
    expect(parser.push(bytes('\r'))).toEqual([])
    expect(parser.push(bytes('\r'))).toEqual([{ data: 'b' }])
    expect(parser.push(bytes('\n'))).toEqual([])
  })

  it.each([
    ['one line without an end', 'data: '.padEnd(101, 'x')],
    ['a comment without an end', ': '.padEnd(101, 'x')],
    ['many lines of one event', 'data: 0123456789\n'.repeat(11)],
  ])('stops at %s', (_what, text) => {
    const stop = (): unknown => parse([text.slice(0, 50), text.slice(50)], { maxEventLength: 100 })
    expect(stop).toThrow(ProviderError)
    expect(stop).toThrow(expect.objectContaining({ code: 'provider-too-large', provider: 'test' }))
  })

  it('stops at a body without an end', () => {
    const stop = (): unknown => parse(Array<string>(11).fill('data: a\n\n'), { maxBodyBytes: 90 })
    expect(stop).toThrow(expect.objectContaining({ code: 'provider-too-large' }))
    expect(parse(Array<string>(10).fill('data: a\n\n'), { maxBodyBytes: 90 })).toHaveLength(10)
  })
})
