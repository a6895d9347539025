import { describe, expect, it } from 'vitest'
import { misprinted, outputsOf } from './printed-outputs.ts'

const page = [
  '# Page',
  '```text',
  '$ npx tsx examples/a.ts',
  'one',
  'two',
  '```',
  '```text',
  'no program',
  '```',
].join('\n')

describe('what a page says that an example prints', () => {
  const outputs = outputsOf(page, 'page.md')

  it('is found with its program and its line', () => {
    const output = 'one\ntwo\n'
    expect(outputs).toEqual([{ file: 'page.md', line: 3, program: 'examples/a.ts', output }])
  })

  it('is right when the program prints just that', () => {
    expect(misprinted(outputs, 'examples/a.ts', 'one\ntwo\n')).toEqual([])
    expect(misprinted(outputs, 'examples/b.ts', 'other\n')).toEqual([])
  })

  it('is told with both texts when the program prints something else', () => {
    expect(misprinted(outputs, 'examples/a.ts', 'one\n')).toEqual([
      'page.md:3 says\none\ntwo\nbut it prints\none\n',
    ])
  })
})
