/** API reports say what a door hands out, and a stale one is told. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lineDiff } from './line-diff.ts'
import { reportsOf, staleReports, writeReports, type Reports } from './reports.ts'

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))

const DOORS = [
  { name: 'p', source: 'src/index.ts' },
  { name: '@toolwright/q', source: 'src/q/index.ts' },
]

/** A repository of two doors, `p` and `@toolwright/q`. */
function repository(files: { readonly [path: string]: string }): string {
  const root = mkdtempSync(join(tmpdir(), 'api-report-'))
  folders.push(root)
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es5'],
    strict: true,
    types: [],
    allowImportingTsExtensions: true,
    paths: { p: ['./src/index.ts'] },
  }
  const all = {
    'tsconfig.json': JSON.stringify({ compilerOptions }),
    'package.json': '{ "type": "module" }',
    'src/q/index.ts': "export { q } from '../q.ts'",
    'src/q.ts': "import type { Shown } from 'p'\nexport const q = (shown: Shown): Shown => shown",
    ...files,
  }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const SOURCES = {
  'src/index.ts': `
    export { make as made, type Shown } from './make.ts'
    export { Brand } from './brand.ts'
    export const answer = 42`,
  'src/make.ts': `
    import { hiddenOf } from './hidden.ts'
    /** Told to users elsewhere. */
    export interface Shown { readonly id: string; readonly again?: Shown }
    export function make(id: string): Shown
    export function make(id: number, more: { readonly deep: boolean }): Shown
    export function make(id: string | number): Shown { return { id: String(id) } }
    export const inferred = () => hiddenOf<string>()`,
  'src/hidden.ts': `
    export interface Hidden<T> { readonly value?: T; readonly deeper?: Deeper }
    interface Deeper { readonly end: true }
    export const hiddenOf = <T>(): Hidden<T> => ({})`,
  'src/brand.ts': `
    import { inferred } from './make.ts'
    export interface Local { readonly isOther: true }
    export class Brand<Local = 1> {
      readonly of = inferred()
      take(local: Local): void { void local }
      /** @internal */
      secret(): void {}
    }`,
}

const reportOf = (reports: Reports, name: string): string => reports.get(`docs/api/${name}.api.md`)!

/** The fences of a report, without its words. */
const fencesOf = (report: string): string[] =>
  [...report.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match) => match[1]!)

describe('the report of a door', () => {
  let reports: Reports
  beforeAll(async () => {
    reports = await reportsOf(repository(SOURCES), DOORS)
  })

  it('has every export, sorted, with its whole signature, and the types behind it', () => {
    const [exported, hidden, ...rest] = fencesOf(reportOf(reports, 'p'))
    expect(exported).toBe(`export declare class Brand<Local = 1> {
  readonly of: Hidden<string>
  take(local: Local): void
}

export interface Shown {
  readonly id: string
  readonly again?: Shown
}

export declare const answer = 42

// exported as made
export declare function make(id: string): Shown
export declare function make(
  id: number,
  more: {
    readonly deep: boolean
  },
): Shown
`)
    expect(hidden).toBe(`interface Deeper {
  readonly end: true
}

export interface Hidden<T> {
  readonly value?: T
  readonly deeper?: Deeper
}
`)
    expect(rest).toEqual([])
  })

  it('explains nothing that another door exports', () => {
    expect(fencesOf(reportOf(reports, 'q'))).toEqual([
      'export declare const q: (shown: Shown) => Shown\n',
    ])
  })

  it('does not change with comments and the files that things lie in', async () => {
    const { 'src/hidden.ts': hidden, 'src/make.ts': make, ...others } = SOURCES
    const moved = {
      ...others,
      'src/deep/hidden.ts': hidden.replace('readonly value', '\n/** Words. */\nreadonly value'),
      'src/make.ts': make.replace('./hidden.ts', './deep/hidden.ts'),
    }
    expect(await reportsOf(repository(moved), DOORS)).toEqual(reports)
  })
})

describe('the check of reports', () => {
  it('says nothing of those that were just written, and what differs of others', async () => {
    const root = repository(SOURCES)
    const reports = await reportsOf(root, DOORS)
    expect(staleReports(root, reports)[0]).toMatch(/^docs\/api\/p\.api\.md is out of date:\n[-+] /)
    writeReports(root, reports)
    expect(staleReports(root, reports)).toEqual([])

    const index = SOURCES['src/index.ts'].replace('42', '43')
    writeFileSync(join(root, 'src/index.ts'), index)
    writeFileSync(join(root, 'docs/api/gone.api.md'), '')
    const changed = await reportsOf(root, DOORS)
    const [differing, gone, ...rest] = staleReports(root, changed)
    expect(differing).toContain(
      '- export declare const answer = 42\n+ export declare const answer = 43',
    )
    expect(gone).toBe('docs/api/gone.api.md is the report of no door')
    expect(rest).toEqual([])
    writeReports(root, changed)
    expect(staleReports(root, changed)).toEqual([])
  })
})

describe('a difference of lines', () => {
  const text = (lines: string): string => [...lines].join('\n')

  it('is empty for equal texts', () => {
    expect(lineDiff(text('abc'), text('abc'))).toBe('')
  })

  it('shows what went and what came, with two lines around', () => {
    expect(lineDiff(text('abcdefgh'), text('abcdXfgh')).split('\n')).toEqual([
      ...['  c', '  d', '- e', '+ X', '  f', '  g', '  …'],
    ])
    expect(lineDiff(text('abc'), text('ac')).split('\n')).toEqual(['  a', '- b', '  c'])
    expect(lineDiff('', text('ab')).split('\n')).toEqual(['- ', '+ a', '+ b'])
  })

  it('keeps what both have between two changes', () => {
    const difference = lineDiff(text('aXbcdefgYh'), text('abcdefgZh')).split('\n')
    expect(difference).toEqual([
      ...['  a', '- X', '  b', '  c', '  …', '  f', '  g', '- Y', '+ Z', '  h'],
    ])
  })
})
