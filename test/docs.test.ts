/** The documentation says what the code does: codes of errors and notices, and code fences that compile and run. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { CATALOGUE } from '../packages/toolwright/src/errors/catalogue.ts'
import { NOTICES } from '../packages/toolwright/src/errors/notices.ts'
import { brokenLinks, markdownPages } from '../scripts/docs/broken-links.ts'
import { fencesOf, problemsOf } from '../scripts/docs/code-fences.ts'
import {
  emittedNotices,
  publishedSources,
  textsIn,
  type Source,
} from '../scripts/docs/emitted-codes.ts'
import { errorsPage } from '../scripts/docs/errors-page.ts'
import { modelsPage } from '../scripts/docs/models-page.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

describe('docs/errors.md', () => {
  const page = readFileSync(`${root}/docs/errors.md`, 'utf8')

  it('is what npm run docs:errors writes', () => {
    expect(page).toBe(errorsPage())
  })

  it('lists every code of both catalogues once', () => {
    const listed = [...page.matchAll(/^- `([^`]+)`/gm)].map((match) => match[1])
    const codes = [...Object.keys(CATALOGUE), ...Object.keys(NOTICES)]
    expect(listed.sort()).toEqual(codes.sort())
  })
})

describe('docs/models.md', () => {
  it('is what npm run docs:models writes', async () => {
    expect(readFileSync(`${root}/docs/models.md`, 'utf8')).toBe(await modelsPage())
  })
})

describe('the catalogues and the sources', () => {
  const sources = publishedSources(root)
  const emitted = emittedNotices(sources)

  it('no notice has a code that is not in its catalogue', () => {
    expect(emitted.filter(({ code }) => code === undefined || !(code in NOTICES))).toEqual([])
  })

  it('no notice of the catalogue is never emitted', () => {
    const codes = new Set(emitted.map(({ code }) => code))
    const unused = Object.keys(NOTICES).filter((code) => !codes.has(code))
    expect(unused).toEqual([])
  })

  it('no error of the catalogue is never thrown', () => {
    // Contract suites name the errors that they expect of others.
    const isElsewhere = ({ file }: Source): boolean =>
      file.endsWith('/errors/catalogue.ts') || file.includes('-contract')
    const texts = textsIn(sources.filter((source) => !isElsewhere(source)))
    expect(Object.keys(CATALOGUE).filter((code) => !texts.has(code))).toEqual([])
  })
})

describe('the search for notices', () => {
  const found = (text: string) => emittedNotices([{ file: 'a.ts', text }])

  it('finds them in every form, with their place', () => {
    const text = [
      "emit(notice('a', 'Words.', { from: 1 }))",
      "return { ...origin, type: 'notice', code: 'b', message }",
      "watched.event({ code: 'c', message })",
      "this.#notice('warn', { code: 'd', message })",
      "context.notice?.('e' as never, message)",
      "const code: NoticeCode = broken ? 'f' : 'g'",
      "emit({ type: 'notice', code: 'h', message })",
      "notice({ type: 'notice', code: 'i', message })",
      "emitNotice(batch, 'j', { message: 'Words.' })",
    ].join('\n')
    expect(found(text).map(({ code, place }) => `${code} ${place}`)).toEqual([
      ...['a a.ts:1', 'b a.ts:2', 'c a.ts:3', 'd a.ts:4', 'e a.ts:5', 'f a.ts:6', 'g a.ts:6'],
      ...['h a.ts:7', 'i a.ts:8', 'j a.ts:9'],
    ])
  })

  it('passes over what only hands one on, and over errors', () => {
    const text = [
      "this.#notice('warn', { code, message })",
      'emit({ type: kind, ...notice })',
      'watched.event(event)',
      'emitNotice(batch, code, `${words}.`)',
      "throw new ConfigurationError('invalid-option', 'No notice.')",
      "// notice('in-a-comment', 'Words.')",
    ].join('\n')
    expect(found(text)).toEqual([])
  })

  it('tells of a code that is put together at run time', () => {
    const text = "emit({ type: 'notice', code: `tools-${kind}`, message })"
    expect(found(text)).toEqual([{ code: undefined, place: 'a.ts:1' }])
  })
})

describe('links', () => {
  it('of every page lead to files, folders and headings that are there', () => {
    const pages = markdownPages(root)
    expect(pages).toContain('docs/spring-ai.md')
    expect(brokenLinks(root, pages)).toEqual([])
  })
})

describe('docs/contributing', () => {
  it('links every page that is there', () => {
    const folder = join(root, 'docs/contributing')
    const text = readFileSync(join(folder, 'README.md'), 'utf8')
    const pages = readdirSync(folder).filter((name) => name !== 'README.md')
    expect(pages.filter((name) => !text.includes(`](${name})`))).toEqual([])
  })
})

describe('the check of links', () => {
  const folder = mkdtempSync(join(tmpdir(), 'broken-links-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('names what leads nowhere, and leaves code and the web alone', () => {
    const page = [
      '# A page, with signs',
      '[self](#a-page-with-signs) [other](b.md#bee) [web](https://x.test/#y)',
      '[gone](c.md) [no heading](b.md#wasp) [nor here](#wasp)',
      '```md',
      '[code](d.md)',
      '```',
    ]
    writeFileSync(join(folder, 'a.md'), page.join('\n'))
    writeFileSync(join(folder, 'b.md'), '## Bee\n')
    expect(brokenLinks(folder, ['a.md'])).toEqual(['a.md: c.md', 'a.md: b.md#wasp', 'a.md: #wasp'])
  })
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

  it('names the place of a type error', async () => {
    const [problem, ...others] = await problemsOf(root, fencesOf(page, 'page.md'))
    expect(problem).toMatch(/^page\.md:8: Type 'number' is not assignable/)
    expect(others).toEqual([])
  })

  it('wants lines quoted as they stand in the file', async () => {
    const quote = (words: string): string =>
      ['```ts', '// from scripts/verify.ts', words, '```'].join('\n')
    const text = readFileSync(`${root}/scripts/verify.ts`, 'utf8').split('\n')
    const problems = (words: string) => problemsOf(root, fencesOf(quote(words), 'page.md'))
    expect(await problems(text.slice(5, 9).join('\n'))).toEqual([])
    expect(await problems('const other = 1')).toEqual([
      'page.md:2: these lines do not stand in scripts/verify.ts',
    ])
  })

  it('runs what is marked, and says where it failed', async () => {
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
    const problems = await problemsOf(root, fences)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^page\.md:7: does not run[\s\S]*on purpose/)
  })
})
