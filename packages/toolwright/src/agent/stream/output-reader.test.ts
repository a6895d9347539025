import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../messages/json.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { OutputReader } from './output-reader.ts'

const schemaOf = (output: JsonSchema): JsonSchema => ({ type: 'object', properties: { output } })

/** Everything that was shown while the pieces arrived, and at the end. */
function shownOf(
  pieces: readonly string[],
  output: JsonSchema = {},
): readonly (Json | undefined)[] {
  const reader = new OutputReader(schemaOf(output))
  const shown = pieces.map((piece) => {
    reader.write(piece)
    return reader.take()
  })
  return [...shown, reader.take({ isLast: true })].filter((each) => each !== undefined)
}

/** The text, cut at every character. */
const byCharacter = (text: string): readonly string[] => text.split('')

const inAnswer = (output: string): string => `{"meta":{"a":[1]},"output":${output},"calls":[]}`

describe('an output that arrives piece by piece', () => {
  it('grows by texts, and by values that are complete', () => {
    const text = inAnswer('{"title":"Hi","count":12,"tags":["a",true,null]}')
    expect(shownOf(byCharacter(text))).toEqual([
      {},
      { title: 'H' },
      { title: 'Hi' },
      { title: 'Hi', count: 12 },
      { title: 'Hi', count: 12, tags: [] },
      { title: 'Hi', count: 12, tags: ['a'] },
      { title: 'Hi', count: 12, tags: ['a', true] },
      { title: 'Hi', count: 12, tags: ['a', true, null] },
    ])
  })

  it('may be a text itself, or a number, or an array', () => {
    expect(shownOf(['{"output":"He', 'llo"', '}'])).toEqual(['He', 'Hello'])
    expect(shownOf(['{"output":4', '2', '}'])).toEqual([42])
    expect(shownOf(['{"output":[[1', ',2],[', ']]}'])).toEqual([[[]], [[1, 2], []]])
  })

  it('shows nothing while it is null or not there', () => {
    expect(
      shownOf(byCharacter('{"meta":{},"calls":[{"_tool":"x","output":1}],"output":null}')),
    ).toEqual([])
  })

  it('shows no half of an escape or of a pair', () => {
    const shown = shownOf(byCharacter(inAnswer(String.raw`"a\n\u00e9\ud83d\ude00😀\"z"`)))
    for (const each of shown) expect((each as string).isWellFormed()).toBe(true)
    expect(shown.at(-1)).toBe('a\né😀😀"z')
    expect(shown.slice(0, 4)).toEqual(['a', 'a\n', 'a\né', 'a\né😀'])
  })

  it('shows a text that means something only as a whole when it is whole', () => {
    const output: JsonSchema = {
      type: 'object',
      properties: {
        mood: { anyOf: [{ $ref: '#/$defs/mood' }, { type: 'null' }] },
        at: { type: 'string', format: 'date' },
        words: { type: 'string' },
      },
    }
    const reader = new OutputReader({
      ...schemaOf(output),
      $defs: { mood: { enum: ['good', 'bad'] } },
    })
    const shown: unknown[] = []
    for (const piece of [
      '{"output":{"mood":"go',
      'od","at":"2025',
      '-01-01","words":"one t',
      'wo"}}',
    ]) {
      reader.write(piece)
      shown.push(reader.take())
    }
    expect(shown).toEqual([
      {},
      { mood: 'good' },
      { mood: 'good', at: '2025-01-01', words: 'one t' },
      { mood: 'good', at: '2025-01-01', words: 'one two' },
    ])
  })

  it('leaves out the nulls that stand for missing fields', () => {
    const output: JsonSchema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: ['string', 'null'] } },
    }
    expect(shownOf(['{"output":{"a":null,"b":null}}'], output)).toEqual([{ b: null }])
  })

  it.each([
    ['a fence', '```json\n{"output":"x"}\n```'],
    ['words', 'Here you are {as asked}, {} and: {"output":"x"} Good luck!'],
    ['thoughts', ' <think>{"output":"no"} </thin ></think>\n{"output":"x"}'],
    ['thoughts of one piece', '<think></think>{"output":"x"}'],
    ['the beginning of thoughts', '<thi {"output":"x"}'],
  ])('is found after %s', (_name, text) => {
    expect(shownOf(byCharacter(text)).at(-1)).toBe('x')
    expect(shownOf([text])).toEqual(['x'])
  })

  it.each([
    ['a bare word', '{"meta":{},"output":{"a":1,"b":x,"output":"no"}}', { a: 1 }],
    ['a key that reaches a prototype', '{"output":{"a":1,"__proto__":{"b":2}}}', { a: 1 }],
    ['a wrong escape', String.raw`{"output":{"a":1,"b":"\x"}}`, { a: 1 }],
    ['a missing comma', '{"output":[1 2]}', [1]],
  ])('stops at %s, and keeps what there was', (_name, text, last) => {
    expect(shownOf(byCharacter(text)).at(-1)).toEqual(last)
  })

  it('stops where it is deeper than any answer may be', () => {
    const reader = new OutputReader(schemaOf({}))
    reader.write(`{"output":${'['.repeat(100_000)}`)
    expect(JSON.stringify(reader.take()).length).toBeLessThan(600)
  })
})

describe('any output, cut anywhere', () => {
  const json = fc
    .json({ maxDepth: 4, stringUnit: 'grapheme' })
    .filter((text) => !text.includes('__proto__'))
  const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 20 })

  const cut = (text: string, lengths: readonly number[]): readonly string[] => {
    const pieces: string[] = []
    for (let at = 0, index = 0; at < text.length; index++) {
      const length = lengths[index % lengths.length]!
      pieces.push(text.slice(at, at + length))
      at += length
    }
    return pieces
  }

  it('ends as what it is, and was a part of it all the time', () => {
    fc.assert(
      fc.property(json, cuts, (text, lengths) => {
        const whole = JSON.parse(text) as Json
        const shown = shownOf(cut(inAnswer(text), lengths))
        expect(shown.at(-1) ?? null).toEqual(whole)
        for (const each of shown) expect(isPartOf(each!, whole)).toBe(true)
      }),
    )
  })

  /** Whether every value is that of the whole, or the beginning of its text. */
  function isPartOf(part: Json, whole: Json | undefined): boolean {
    if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part)
    if (typeof part !== 'object' || part === null) return part === whole
    if (typeof whole !== 'object' || whole === null) return false
    return Object.entries(part).every(([key, inner]) =>
      isPartOf(inner as Json, (whole as { readonly [key: string]: Json })[key]),
    )
  }
})

describe('what is shown', () => {
  it('does not change afterwards', () => {
    const shown = shownOf(byCharacter(inAnswer('{"a":["x",{"b":"yz"}]}')))
    const texts = shown.map((each) => JSON.stringify(each))
    expect(new Set(texts).size).toBeGreaterThan(5)
    const rest = shownOf(byCharacter(inAnswer('{"a":["x",{"b":"yz"}]}')))
    expect(rest.map((each) => JSON.stringify(each))).toEqual(texts)
  })

  /** Members of arrays and objects that had to be copied to show the output as it grew. */
  function copied(text: string): number {
    const seen = new Set<unknown>()
    let members = 0
    const count = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || seen.has(value)) return
      seen.add(value)
      members += Object.keys(value).length
      Object.values(value).forEach(count)
    }
    for (const piece of shownOf(text.match(/[^]{1,4}/g)!)) count(piece)
    return members
  }

  it.each([
    ['a long list', (size: number) => JSON.stringify(Array.from({ length: size }, (_, i) => i))],
    [
      'a list of objects',
      (size: number) =>
        JSON.stringify(Array.from({ length: size / 8 }, (_, i) => ({ id: i, name: 'n' }))),
    ],
    [
      'an object with many keys',
      (size: number) =>
        JSON.stringify(Object.fromEntries(Array.from({ length: size }, (_, i) => [`k${i}`, 'v']))),
    ],
  ])('of %s costs no more per character when it is longer', (_name, make) => {
    const costs = [4_000, 8_000, 16_000].map((size) => {
      const text = inAnswer(make(size))
      return copied(text) / text.length
    })
    expect(costs[2]!).toBeLessThan(costs[0]! * 2 + 1)
  })
})
