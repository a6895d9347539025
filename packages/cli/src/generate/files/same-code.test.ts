import { readdirSync, readFileSync } from 'node:fs'
import { format } from 'prettier'
import { describe, expect, it } from 'vitest'
import { isSameCode } from './same-code.ts'

const folder = new URL('../../../../../examples/generate/shared/', import.meta.url)
const generated = readdirSync(folder).filter((name) => name.endsWith('.tools.ts'))

describe('isSameCode', () => {
  it.each(generated)('knows %s again, whatever a formatter does to it', async (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8')
    for (const options of [
      { semi: true, singleQuote: false, tabWidth: 4, printWidth: 60 },
      { semi: false, singleQuote: true, trailingComma: 'none', useTabs: true, printWidth: 140 },
    ] as const) {
      const formatted = await format(text, { parser: 'typescript', ...options })
      expect(formatted).not.toBe(text)
      expect(isSameCode(text, formatted)).toBe(true)
    }
  })

  it.each([
    ['a name', "tool({ name: 'a' })", "tool({ name: 'b' })"],
    ['a space in a text', "description: 'a b'", "description: 'ab'"],
    ['a quote in a text', 'description: "it\'s"', 'description: "its"'],
    ['a comma in a text', "description: 'a,'", "description: 'a'"],
    ['a comma before a bracket in a text', "description: 'a,)'", "description: 'a)'"],
    ['a bar in a text', "pattern: '(|a)'", "pattern: '(a)'"],
    ['a comma in a comment', '/** (a,) */', '/** (a) */'],
    ['a semicolon in a text', "description: 'a;'", "description: 'a'"],
    ['a comment', '/** One. */', '/** Two. */'],
    ['a member of a union', "'a' | 'b'", "'a'"],
    ['an element', '[1, 2]', '[1]'],
  ])('sees a change of %s', (_what, a, b) => {
    expect(isSameCode(a, b)).toBe(false)
  })

  it('takes quotes, semicolons, last commas, first bars and line breaks for layout', () => {
    expect(isSameCode("type A = 'a' | 'b'", 'type A =\n  | "a"\n  | "b";\n')).toBe(true)
    expect(
      isSameCode("f({ a: 'it\\'s', b: [1] })", 'f({\n  a: "it\'s",\n  b: [\n    1,\n  ],\n});'),
    ).toBe(true)
  })
})
