/** The documentation says what the code does: error codes, and code fences that compile and run. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CATALOGUE } from '../packages/toolwright/src/errors/catalogue.ts'
import { documentedFences, fencesOf, problemsOf } from '../scripts/docs/code-fences.ts'
import { errorsPage } from '../scripts/docs/errors-page.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

describe('docs/errors.md', () => {
  const page = readFileSync(`${root}/docs/errors.md`, 'utf8')

  it('is what npm run docs:errors writes', () => {
    expect(page).toBe(errorsPage())
  })

  it('lists every code of the catalogue once', () => {
    const listed = [...page.matchAll(/^- `([^`]+)`/gm)].map((match) => match[1])
    expect(listed.sort()).toEqual(Object.keys(CATALOGUE).sort())
  })
})

describe('code in the READMEs and docs/', () => {
  it('compiles, and runs where it says so', () => {
    expect(problemsOf(root, documentedFences(root))).toEqual([])
  }, 120_000)
})

describe('the check of code fences', () => {
  const page = [
    '# Page',
    '```ts',
    'const sketch: = not code',
    '```',
    'Text.',
    '```ts',
    "import { z } from 'zod'",
    'export const count: string = z.number().parse(1)',
    '```',
  ].join('\n')

  it('takes the fences that start with an import, with their line', () => {
    const fences = fencesOf(page, 'page.md')
    expect(fences.map(({ file, line }) => [file, line])).toEqual([['page.md', 7]])
  })

  it('names the place of a type error', () => {
    const [problem, ...others] = problemsOf(root, fencesOf(page, 'page.md'))
    expect(problem).toMatch(/^page\.md:8: Type 'number' is not assignable/)
    expect(others).toEqual([])
  }, 120_000)

  it('wants lines quoted as they stand in the file', () => {
    const quote = (words: string): string =>
      ['```ts', '// from scripts/verify.ts', words, '```'].join('\n')
    const text = readFileSync(`${root}/scripts/verify.ts`, 'utf8').split('\n')
    expect(problemsOf(root, fencesOf(quote(text.slice(5, 9).join('\n')), 'page.md'))).toEqual([])
    expect(problemsOf(root, fencesOf(quote('const other = 1'), 'page.md'))).toEqual([
      'page.md:2: these lines do not stand in scripts/verify.ts',
    ])
  }, 120_000)

  it('runs what is marked, and says where it failed', () => {
    const fences = fencesOf(
      [
        '```ts',
        '// run',
        "import { z } from 'zod'",
        "if (z.string().parse('a') !== 'a') throw new Error('never')",
        '```',
        '```ts',
        '// run',
        "throw new Error('on purpose')",
        '```',
      ].join('\n'),
      'page.md',
    )
    const problems = problemsOf(root, fences)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^page\.md:7: does not run[\s\S]*on purpose/)
  }, 120_000)
})
