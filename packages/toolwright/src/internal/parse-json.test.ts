import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from './parse-json.ts'

const limits = { maxBytes: 262_144, maxDepth: 64 }

function problemOf(text: string, own: Partial<typeof limits> = {}): string {
  const parsed = parseJson(text, { ...limits, ...own })
  return parsed.ok ? `accepted as ${JSON.stringify(parsed.value)}` : parsed.problem
}

it('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const parsed = parseJson(text, limits)
      if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(text))
      else expect(parsed.problem).toMatch(/__proto__|prototype|kept exactly|appears twice/)
    }),
  )
})

it('refuses whatever JSON.parse refuses, in few words', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', '"', '}', ',', 'x', '\\', '\u0000', ':'),
      (json, at, extra) => {
        const where = at % (json.length + 1)
        const text = json.slice(0, where) + extra + json.slice(where + 1)
        const parsed = parseJson(text, limits)
        let isJson = text.trim() === ''
        try {
          JSON.parse(text)
          isJson = true
        } catch {
          // Not JSON, as it should be.
        }
        if (!isJson) expect(parsed.ok).toBe(false)
        if (!parsed.ok) expect(parsed.problem).toMatch(/^.{10,200}$/su)
        if (!isJson && !parsed.ok) expect(parsed.problem).toContain('not valid JSON')
      },
    ),
    { numRuns: 500 },
  )
})

it('takes no text for no arguments', () => {
  for (const text of ['', ' ', '\n\t\r '])
    expect(parseJson(text, limits)).toEqual({ ok: true, value: {} })
})

it('says what is wrong in the words of the platform, cut and well-formed', () => {
  const texts = ['{"a":1,}', "{'a':1}", '{"a": NaN}', '```json\n{}\n```', '[1}', '{"text":"half']
  for (const text of texts) {
    let reason = ''
    try {
      JSON.parse(text)
    } catch (thrown) {
      reason = (thrown as Error).message
    }
    expect(problemOf(text)).toBe(`The text is not valid JSON: ${reason}. Send complete JSON.`)
  }
  for (let length = 0; length < 40; length++) {
    expect(problemOf(`${'a'.repeat(length)}${'😀'.repeat(200)}`)).not.toMatch(/\p{Surrogate}/u)
  }
})

describe('refuses', () => {
  it('keys that reach a prototype, also when they are escaped', () => {
    const texts = [
      '{"__proto__":{}}',
      '{"a":[{"__proto__":1}]}',
      '{"\\u005f_proto__":1}',
      '{"constructor":{"prototype":{}}}',
    ]
    for (const text of texts)
      expect(problemOf(text)).toMatch(/key "(__proto__|prototype)" is not allowed/)
    for (const text of [
      '{"constructor":"Gaudí"}',
      '{"constructor":{"name":1}}',
      '{"constructor":1,"prototype":1}',
      '[{"constructor":1},{"prototype":1}]',
      '"__proto__"',
    ]) {
      expect(parseJson(text, limits).ok).toBe(true)
    }
  })

  it('a key that appears twice', () => {
    expect(problemOf('{"a":{"b":1,"c":2,"\\u0062":3}}')).toBe(
      'The key "b" appears twice in one object (at position 18). Leave it out.',
    )
    expect(problemOf('{"a\\"b" : 1, "a\\"b" : 2}')).toContain('appears twice')
    expect(parseJson('[{"a":1},{"a":":{"}]', limits).ok).toBe(true)
  })

  it('numbers that lose their value', () => {
    for (const number of [
      '1e400',
      '-1E+400',
      '9007199254740993',
      '-9007199254740993',
      '1e-400',
      '123456789012345678901',
      // These come out of JSON.stringify as they went in.
      '12345678901234567000',
      '1265497312300636.2',
    ]) {
      expect(problemOf(`{"a":${number}}`)).toContain(`The number ${number} cannot be kept exactly`)
    }
    for (const number of [
      '9007199254740992',
      '-0',
      '0.0',
      '0e5',
      '1e3',
      '0.1',
      '3.14159265358979323846',
      '10000000000000000000000',
    ]) {
      expect(parseJson(number, limits)).toEqual({ ok: true, value: Number(number) })
    }
  })

  it('what is too large, counted in bytes', () => {
    expect(parseJson('"éé"', { ...limits, maxBytes: 6 }).ok).toBe(true)
    expect(problemOf('"éé"', { maxBytes: 5 })).toContain('larger than 5 bytes')
    expect(parseJson('"😀€"', { ...limits, maxBytes: 9 }).ok).toBe(true)
    expect(problemOf('"😀€"', { maxBytes: 8 })).toContain('larger than 8 bytes')
    expect(problemOf('x'.repeat(10_000_000))).toContain('larger than')
  })

  it('what is too deep, without a deep stack', () => {
    const endless = { maxBytes: Infinity }
    expect(problemOf('['.repeat(1_000_000), endless)).toContain('not valid JSON')
    const closed = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)
    expect(problemOf(closed, endless)).toContain('deeper than 64 levels')
    expect(parseJson('['.repeat(64) + ']'.repeat(64), limits).ok).toBe(true)
    expect(parseJson('['.repeat(65) + ']'.repeat(65), limits).ok).toBe(false)
    expect(parseJson('"[[\\"[[\\\\"', { ...limits, maxDepth: 1 }).ok).toBe(true)
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(parseJson(deep, { maxBytes: Infinity, maxDepth: Infinity }).ok).toBe(true)
  })
})
