import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { RepeatedRecords, type TextPath } from './repeated-records.ts'

const CONTENT: TextPath = ['choices', 0, 'delta', 'content']
const ARGUMENTS: TextPath = ['choices', 0, 'delta', 'tool_calls', 0, 'function', 'arguments']
const PATHS = { texts: [CONTENT, ARGUMENTS], fields: [['n'], ['at'], ['pad'], ['counts', 'all']] }

const chunk = (delta: unknown, rest: object = {}): string =>
  JSON.stringify({
    id: 'c1',
    choices: [{ index: 0, delta, finish_reason: null }],
    usage: null,
    ...rest,
  })
const text = (content: string): string => chunk({ content })
const piece = (text: string, index = 0): string =>
  chunk({ tool_calls: [{ index, function: { arguments: text } }] })

/** How many of the records were given to the parser, probes not counted. */
function parsedBy(records: RepeatedRecords, data: readonly string[]): number {
  const spy = vi.spyOn(JSON, 'parse')
  try {
    for (const each of data) records.parse(each)
    return spy.mock.calls.filter(([given]) => data.includes(given)).length
  } finally {
    spy.mockRestore()
  }
}

describe('RepeatedRecords', () => {
  it('parses the first record of a shape, and no further one', () => {
    const data = ['a', 'b c', 'дa', '😀', '\u2028', ''].map(text)
    expect(parsedBy(new RepeatedRecords(PATHS), data)).toBe(1)
    expect(
      parsedBy(
        new RepeatedRecords(PATHS),
        ['{"a', 'b', 'c":1}'].map((each) => piece(`${each}`)),
      ),
    ).toBe(2)
  })

  it('leaves escapes to the parser, and goes on after them', () => {
    const data = ['a', 'say "hi"', 'back\\slash', 'line\n', 'b', '\ud800', 'c'].map(text)
    expect(parsedBy(new RepeatedRecords(PATHS), data)).toBe(5)
  })

  it('knows its shape again after records without a text', () => {
    const data = [text('a'), chunk({}), '{"choices":[],"usage":{"total_tokens":1}}', text('b')]
    expect(parsedBy(new RepeatedRecords(PATHS), data)).toBe(3)
  })

  it('learns another shape, and gives up when three in a row were of no use', () => {
    const records = new RepeatedRecords(PATHS)
    expect(parsedBy(records, [text('a'), text('b'), piece('c'), piece('d')])).toBe(2)
    const changing = Array.from({ length: 9 }, (_, i) =>
      chunk({ content: 'x' }, { id: `c${i + 2}` }),
    )
    expect(parsedBy(records, changing)).toBe(9)
    expect(parsedBy(records, [text('a'), text('b'), text('c')])).toBe(3)
  })

  it.each([
    ['elsewhere', chunk({ role: 'assistant', content: 'assistant' })],
    ['a key', chunk({ content: 'content' })],
    ['what stands between two texts', chunk({ a: 'b', content: ',' })],
    ['twice before', chunk({ a: 'x', b: 'x', content: 'x', c: 'x' })],
    ['a key that comes twice', '{"choices":[{"delta":{"content":"a","content":"a"}}]}'],
    ['written with escapes', '{"choices":[{"delta":{"content":"\\u0061"}}]}'],
    ['written with blanks', '{ "choices" : [ { "delta" : { "content" : "a" } } ] }'],
  ])('is not misled by the same text: %s', (_where, data) => {
    const records = new RepeatedRecords(PATHS)
    const grown = data.replace(/"(\w+)"(\s*\}\s*\}\s*[\],])/, '"$1 and more"$2')
    for (const each of [data, data, grown, data])
      expect(records.parse(each)).toEqual(JSON.parse(each))
  })

  it('never changes a record that the parser made', () => {
    const records = new RepeatedRecords(PATHS)
    const first = records.parse(text('a'))
    records.parse(text('b'))
    expect(first).toEqual(JSON.parse(text('a')))
  })

  it('parses every record that holds more than plain values beside its text', () => {
    const data = ['a', 'b', 'c'].map((each) => chunk({ content: each, logprobs: { tokens: [] } }))
    expect(parsedBy(new RepeatedRecords(PATHS), data)).toBe(3)
  })

  it('parses every record in which more than plain values stand beside the text, under the name of a field too', () => {
    const data = ['a', 'b', 'c'].map((each) => chunk({ content: each, counts: { all: 1 } }))
    expect(parsedBy(new RepeatedRecords(PATHS), data)).toBe(3)
  })

  it('throws what the parser throws', () => {
    const records = new RepeatedRecords(PATHS)
    records.parse(text('a'))
    for (const bad of [
      '',
      '{',
      text('a').slice(0, -1),
      `${text('a')}}`,
      text('a').replace('a"}', 'a"b}'),
    ])
      expect(() => records.parse(bad)).toThrow(SyntaxError)
  })

  it('spares the parser where a counter, a time and padding change too, before and after the text', () => {
    const data = ['a', 'b', 'c', 'd'].map((each, n) =>
      JSON.stringify({
        n: n * 99,
        type: 't',
        choices: [{ delta: { content: each } }],
        at: `${n}:0`,
        pad: 'x'.repeat(n + 1),
        none: [],
      }),
    )
    expect(parsedBy(new RepeatedRecords(PATHS), data)).toBe(1)
    const records = new RepeatedRecords(PATHS)
    for (const each of data) expect(records.parse(each)).toEqual(JSON.parse(each))
  })

  it('spares the parser where a count inside an object changes, whatever stands beside it', () => {
    const data = ['a', 'b', 'c'].map((each, n) =>
      chunk({ content: each }, { counts: { all: 10 * n, of: [{ kind: 'TEXT', tokens: 5 }] } }),
    )
    expect(parsedBy(new RepeatedRecords(PATHS), data)).toBe(1)
    const records = new RepeatedRecords(PATHS)
    for (const each of data) expect(records.parse(each)).toEqual(JSON.parse(each))
  })

  it.each([
    ['a fraction', '1.5'],
    ['an exponent', '1e3'],
    ['a sign', '-1'],
    ['more digits than a double holds', '12345678901234567890'],
    ['a little more than a double holds', '12345678901234567'],
    ['a zero before it', '01'],
    ['nothing', ''],
    ['a text', '"1"'],
    ['a text with a quote', '"1\\""'],
    ['an object', '{}'],
  ])('leaves a counter that is %s to the parser', (_what, written) => {
    const record = (n: string): string => `{"choices":[{"delta":{"content":"a"}}],"n":${n},"m":2}`
    const records = new RepeatedRecords(PATHS)
    for (const n of ['1', '2']) expect(records.parse(record(n))).toEqual(JSON.parse(record(n)))
    const parse = (read: (data: string) => unknown): unknown => {
      try {
        return read(record(written))
      } catch (error) {
        return (error as Error).name
      }
    }
    expect(parse((data) => records.parse(data))).toEqual(
      parse((data) => JSON.parse(data) as unknown),
    )
  })

  it('is JSON.parse, for any records in any order', () => {
    const words = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(
        '',
        'a',
        ',',
        ':',
        'content',
        'c1',
        '"',
        '\\',
        '\\u0041',
        '\ud83d',
        '\ude00',
        '\u0000',
        '","content":"',
      ),
    )
    const extra = fc.dictionary(
      fc.oneof(words, fc.constantFrom('content', 'index', '__proto__', 'delta')),
      fc.oneof(words, fc.constant(null), fc.integer(), fc.object({ maxDepth: 1 })),
      { maxKeys: 2 },
    )
    const record = fc.oneof(
      words.map(text),
      fc.tuple(words, extra).map(([content, more]) => chunk({ content, ...more })),
      fc.tuple(words, extra).map(([content, more]) => chunk({ content }, more)),
      fc.tuple(words, fc.nat(1)).map(([each, index]) => piece(each, index)),
      fc
        .tuple(words, fc.nat(20), words)
        .map(([content, n, pad]) => chunk({ content }, { n, pad, at: n })),
      fc
        .tuple(words, fc.nat(20), extra)
        .map(([content, all, more]) => chunk({ content }, { counts: { all, ...more } })),
      fc
        .tuple(fc.nat(20), words)
        .map(([n, pad]) => `{"n":${n},${chunk({ content: pad }).slice(1)}`),
      fc.json(),
    )
    // As servers write it: compact, with blanks, and with everything escaped that can be.
    const written = fc
      .tuple(record, fc.constantFrom('plain', 'blanks', 'escaped'))
      .map(([json, how]) => {
        if (how === 'blanks') return JSON.stringify(JSON.parse(json), undefined, 1)
        if (how === 'plain') return json
        return json.replace(
          /[^\u0000-\u007f]/g,
          (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )
      })
    fc.assert(
      fc.property(fc.array(written, { maxLength: 12 }), (data) => {
        const records = new RepeatedRecords(PATHS)
        for (const each of data) {
          const value = records.parse(each)
          expect(value).toStrictEqual(JSON.parse(each))
          // The order of keys too.
          expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(each)))
        }
      }),
      { numRuns: 2000 },
    )
  })
})
