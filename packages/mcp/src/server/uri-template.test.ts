import { describe, expect, it } from 'vitest'
import { uriTemplate } from './uri-template.ts'

describe('matches', () => {
  it.each([
    ['notes://{id}', 'notes://7', { id: '7' }],
    ['notes://{year}/{day}.txt', 'notes://2026/3.txt', { year: '2026', day: '3' }],
    ['notes://{id}/data', 'notes://a%20b/data', { id: 'a b' }],
    ['files:///{+path}', 'files:///a/b?c#d', { path: 'a/b?c#d' }],
    ['x://{a}-{b}', 'x://1-2-3', { a: '1', b: '2-3' }],
  ])('%s %s', (template, uri, values) => {
    expect(uriTemplate(template).match(uri)).toEqual(values)
  })

  it.each([
    ['notes://{id}', 'notes://'],
    ['notes://{id}', 'notes://a/b'],
    ['notes://{id}', 'notes://a?b'],
    ['notes://{id}/data', 'notes://1/other'],
    ['notes://{id}', 'other://1'],
    ['notes://{id}', 'notes://%'],
    ['x://{a}aa', 'x://aa'],
  ])('not %s %s', (template, uri) => {
    expect(uriTemplate(template).match(uri)).toBeUndefined()
  })
})

it.each([
  'x://{',
  'x://{}',
  'x://{a b}',
  'x://}{a}',
  'x://{a}}',
  'x://{a}{b}',
  'x://{a}/{a}',
  'x://{+a}/{b}',
  'x://{a*}',
  'x://{?q}',
])('%s is refused', (template) => {
  expect(() => uriTemplate(template)).toThrow(/is broken/)
})

it('an address of a million characters costs one walk', () => {
  const { match } = uriTemplate('x://{a}/a{b}/a{c}/a{d}/z')
  for (const bomb of ['/a', 'a/', '/a1', '/']) {
    expect(match(`x://${bomb.repeat(1_000_000 / bomb.length)}`)).toBeUndefined()
  }
})
