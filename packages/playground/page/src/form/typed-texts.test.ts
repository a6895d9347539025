/** What a person types into fields, and how it is read. */
import { describe, expect, it } from 'vitest'
import type { Json } from 'toolwright'
import { freeKey, withItemMoved, withKey, withKeyRenamed, withKeysFirst } from './change-at.ts'
import { issuesAt, issuesOfObject, issuesWithin, openIssues } from './issues-at.ts'
import { fromLocalTime, toLocalTime } from './local-time.ts'
import { partId, pathId, pathText } from './path.ts'
import { readJson } from './read-json.ts'
import { readNumber } from './read-number.ts'

describe('readNumber', () => {
  it.each([
    ['12', 12],
    [' -1.5 ', -1.5],
    ['1e3', 1000],
    ['.5', 0.5],
    ['+007.50', 7.5],
    ['1.0', 1],
    ['-0', -0],
    ['1e23', 1e23],
    ['0.30000000000000004', 0.30000000000000004],
    ['9007199254740992', 9007199254740992],
    ['', undefined],
  ])('reads %j', (text, value) => {
    expect(readNumber(text)).toEqual({ value })
  })

  it.each(['1,5', 'twelve', '0x10', '1 2', '-', '1e999', 'Infinity'])('refuses %j', (text) => {
    expect(readNumber(text).problem).toContain(text)
  })

  it.each(['9007199254740993', '-12345678901234567890', '0.12345678901234567890', '1e-999'])(
    'refuses %j, which would become another number',
    (text) => {
      expect(readNumber(text).problem).toContain(`${text} cannot be kept exactly`)
    },
  )
})

describe('readJson', () => {
  it('says where it stops being JSON', () => {
    expect(readJson('{"a":1}')).toEqual({ value: { a: 1 } })
    expect(readJson(' ')).toEqual({ value: undefined })
    expect(readJson('{\n  "a": x\n}').problem).toMatch(/no JSON/)
  })

  it.each([
    ['{\n "id": 9007199254740993}', 'Line 2: 9007199254740993 cannot be kept exactly'],
    ['[1e999]', 'Line 1: 1e999 is too large'],
    ['{"a": 1, "\\u0061": 2}', 'the object has the key "a" twice'],
    ['[{"b": {"a": 1}, "a": [], "b": 0}]', 'the object has the key "b" twice'],
  ])('says what of %j would be lost', (text, problem) => {
    expect(readJson(text).problem).toContain(problem)
  })

  it.each([
    '{"a": {"a": "9007199254740993"}, "b": [{"a": 1.0}, {"a": -1.5e3}]}',
    '["\\"", "{\\"a\\":1,\\"a\\":2}", "a", "a"]',
  ])('takes %j', (text) => {
    expect(readJson(text)).toEqual({ value: JSON.parse(text) as unknown })
  })
})

describe('local times', () => {
  it('come back as the same point in time', () => {
    const local = toLocalTime('2026-11-18T05:48:00Z')!
    expect(fromLocalTime(local)).toBe('2026-11-18T05:48:00Z')
    expect(toLocalTime('soon')).toBeUndefined()
    expect(fromLocalTime('')).toBeUndefined()
  })
})

describe('issues', () => {
  const issues = [
    { path: [], message: 'whole' },
    { path: ['a'], message: 'of a' },
    { path: ['a', 0, 'b'], message: 'of b' },
    { path: ['unknown'], message: 'not known' },
  ]

  it('stand at their field', () => {
    expect(issuesAt(issues, ['a'])).toEqual(['of a'])
    expect(issuesAt(issues, ['a', 0, 'b'])).toEqual(['of b'])
  })

  it('stand with their place where the inside has no fields', () => {
    expect(issuesWithin(issues, ['a'])).toEqual(['of a', '[0].b: of b'])
  })

  it('of names without a field stand at their object', () => {
    expect(issuesOfObject(issues, [], ['a'])).toEqual(['whole', 'unknown: not known'])
  })
})

describe('issues of a value that changed', () => {
  const judged = { a: [{ b: 1 }], c: 2 }
  const issues = [[], ['a'], ['a', 0, 'b'], ['c'], ['d']].map((path) => ({
    path,
    message: path.join('.'),
  }))
  const open = (now: Json | undefined) =>
    openIssues(issues, { judged, now }).map(({ message }) => message)

  it('stay where nothing changed', () => {
    expect(open({ a: [{ b: 1 }], c: 2 })).toEqual(['', 'a', 'a.0.b', 'c', 'd'])
  })

  it('go at the field, around it and inside of it', () => {
    expect(open({ a: [{ b: 5 }], c: 2 })).toEqual(['c', 'd'])
    expect(open({ a: [], c: 2 })).toEqual(['c', 'd'])
    expect(open({ ...judged, d: null })).toEqual(['a', 'a.0.b', 'c'])
    expect(open(undefined)).toEqual(['d'])
  })
})

describe('paths', () => {
  it('are words for people and ids for elements', () => {
    expect(pathText(['a', 2, 'b'])).toBe('a[2].b')
    expect(pathId('form', ['a b', 0])).toBe('form-a_32_b-0')
  })
})

describe('ids', () => {
  it('of paths and of what belongs to fields are all different', () => {
    const ids = [
      pathId('f', ['a', 'name']),
      partId(pathId('f', ['a']), 'name'),
      pathId('f', ['a-name']),
      pathId('f', ['a:name']),
      pathId('f', ['a_45_name']),
      pathId('f', ['a', '', 'name']),
    ]
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('changes', () => {
  it('leave what they do not touch, and its order', () => {
    const object = { a: 1, b: 2, c: 3 }
    expect(withKey(object, 'b', undefined)).toEqual({ a: 1, c: 3 })
    expect(Object.keys(withKeyRenamed(object, 'b', 'z'))).toEqual(['a', 'z', 'c'])
    expect(Object.keys(withKeysFirst(object, ['c', 'x', 'a']))).toEqual(['c', 'a', 'b'])
    expect(freeKey({ key1: 0, key2: 0 })).toBe('key3')
    expect(withItemMoved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
    expect(withItemMoved(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
  })
})
