/** test/spring-checklist.md is complete, and the checks that say so see what is missing. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestModule } from 'vitest/node'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { CHECKLIST, missingRows, missingTests } from './missing-tests.ts'
import { BLOCKS, missingFiles, missingTwins, readSeeds } from './missing-twins.ts'
import { seedBlocks } from './seed-blocks.ts'
import { CHECKLIST_FILE, springChecklist } from './spring-checklist.ts'
import { SpringReporter } from './spring-reporter.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const text = readFileSync(join(root, CHECKLIST_FILE), 'utf8')
const checklist = springChecklist(text)

describe('the checklist', () => {
  it('proves every row of the checklist by tests that are there', () => {
    expect(missingRows(checklist.rows)).toEqual([])
    expect(checklist.rows.filter((row) => row.ours === '')).toEqual([])
    const files = checklist.rows.flatMap((row) => row.tests.map((test) => test.file))
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
    expect(files.filter((file) => !file.endsWith('.test.ts'))).toEqual([])
  })

  it('has a twin for every Java block of the Spring AI pages', () => {
    expect(missingTwins(checklist.twins, readSeeds(root))).toEqual([])
    expect(missingTwins(checklist.twins, undefined)).toEqual([])
    expect(missingFiles(checklist.twins, (file) => existsSync(join(root, file)))).toEqual([])
  })

  it('shows every example of examples/spring', () => {
    const examples = readdirSync(join(root, 'examples/spring')).filter((name) =>
      /^[^.]+\.ts$/.test(name),
    )
    expect(examples.filter((name) => !text.includes(`(../examples/spring/${name})`))).toEqual([])
  })

  it('explains every difference that a row names', () => {
    const page = readFileSync(join(root, 'docs/spring-ai.md'), 'utf8')
    const explained = [...page.matchAll(/^- \*\*(D\d+)\.\*\*/gm)].map((match) => match[1]!)
    const named = checklist.rows.flatMap((row) => row.ours.match(/\bD\d+\b/g) ?? [])
    expect(named.filter((name) => !explained.includes(name))).toEqual([])
    expect(explained).toEqual(explained.map((_name, index) => `D${index + 1}`))
  })
})

describe('reading the checklist', () => {
  it('takes rows with one test, several, none', () => {
    const { rows } = springChecklist(
      [
        '| # | Spring AI | here | proven by |',
        '| --- | --- | --- | --- |',
        '| 1 | `tools(a \\| b)` | as there | `a.test.ts` › `tools > takes a \\| b` |',
        '| 2 | two | as there | `a.test.ts` › `` says `x` ``<br>`b.test.ts` › `b > c` |',
        '| 3 | three | | open |',
      ].join('\n'),
    )
    expect(rows.map(({ number, tests }) => [number, tests])).toEqual([
      [1, [{ file: 'a.test.ts', name: 'tools > takes a | b' }]],
      [
        2,
        [
          { file: 'a.test.ts', name: 'says `x`' },
          { file: 'b.test.ts', name: 'b > c' },
        ],
      ],
      [3, []],
    ])
    expect(rows[0]).toMatchObject({ capability: '`tools(a | b)`', ours: 'as there' })
  })

  it('takes twins with their files, open ones, and those of a later door', () => {
    const { twins } = springChecklist(
      [
        '| 000-1, 004-1 | `class A {` | A | [a](../examples/spring/a.ts), [b](../examples/spring/b.ts) |',
        '| 004-2 | `class B {` | B | open |',
        '| 004-3 | `class C {` | C | later: `toolwright/c` |',
      ].join('\n'),
    )
    const files = ['examples/spring/a.ts', 'examples/spring/b.ts']
    expect(twins).toEqual([
      { blocks: ['000-1', '004-1'], title: 'class A {', files, later: false },
      { blocks: ['004-2'], title: 'class B {', files: [], later: false },
      { blocks: ['004-3'], title: 'class C {', files: [], later: true },
    ])
    expect(missingFiles(twins, () => true)).toEqual(['004-2: open: no twin'])
    expect(missingFiles(twins, () => false)).toHaveLength(3)
  })
})

describe('the check of the checklist', () => {
  const test = { file: 'a.test.ts', name: 'tools > takes an object' }
  const row = (number: number, tests = [test]) => ({ number, capability: '', ours: '', tests })
  const complete = CHECKLIST.map((number) => row(number))
  const ran = (name: string, state: string) => new Map([['a.test.ts', new Map([[name, state]])]])

  it('counts the rows that belong here', () => {
    expect(CHECKLIST).toHaveLength(162)
    expect(missingRows(complete)).toEqual([])
  })

  it('misses a row that is not there, there twice, foreign or open', () => {
    expect(missingRows(complete.slice(1))).toEqual(['row 1 is not in the table'])
    expect(missingRows([...complete, row(5)])[0]).toMatch(/^row 5 is there twice/)
    expect(missingRows([...complete, row(140)])[0]).toMatch(/^row 140 .* does not belong/)
    expect(missingRows([row(1, []), ...complete.slice(1)])[0]).toMatch(/^row 1 is open/)
  })

  it('misses a test that did not run, was skipped, failed, or has another name', () => {
    expect(missingTests([row(1)], ran(test.name, 'passed'))).toEqual([])
    expect(missingTests([row(1)], new Map())).toEqual(['row 1: a.test.ts did not run'])
    expect(missingTests([row(1)], ran(test.name, 'skipped'))[0]).toMatch(/: skipped$/)
    expect(missingTests([row(1)], ran(test.name, 'failed'))[0]).toMatch(/: failed$/)
    expect(missingTests([row(1)], ran('tools > takes objects', 'passed'))).toEqual([
      'row 1: a.test.ts has no test "tools > takes an object". Did you mean "tools > takes objects"?',
    ])
  })
})

describe('the check of the twins', () => {
  const seeds = new Map([['000', [{ number: 1, title: 'class A {' }]]])
  const twin = { blocks: ['000-1'], title: 'class A {', files: ['a.ts'], later: false }

  it('misses a block without a row, a row of no block, another first line', () => {
    expect(missingTwins([twin], seeds)).toEqual([])
    expect(missingTwins([], seeds)).toEqual(['block 000-1 has no twin: class A {'])
    expect(missingTwins([twin, { ...twin, blocks: ['000-2'] }], seeds)[0]).toMatch(
      /^block 000-2 is/,
    )
    expect(missingTwins([twin, twin], seeds)[0]).toMatch(/^block 000-1 is in the table twice/)
    expect(missingTwins([{ ...twin, title: 'class B {' }], seeds)[0]).toMatch(
      /begins with "class A {"/,
    )
  })

  it('goes by number where the pages are not there', () => {
    const count = BLOCKS['000']! + BLOCKS['004']!
    expect(missingTwins([], undefined)).toHaveLength(count)
  })

  it('reads as many blocks as the pages have', ({ skip }) => {
    const read = readSeeds(root)
    if (!read) return skip('needs the pages in ../shared/seeds or TOOLWRIGHT_DATA')
    const counts = [...read].map(([name, blocks]) => [name, blocks.length])
    expect(Object.fromEntries(counts)).toEqual(BLOCKS)
  })
})

describe('the Java blocks of a page', () => {
  it('are its java fences', () => {
    const text = 'Text.\n```java\nimport a.B;\n\nclass A {\n}\n```\n```\nnot Java\n```\n'
    expect(seedBlocks(text)).toEqual([{ number: 1, title: 'class A {' }])
  })

  it('are found where the fences were lost', () => {
    const text = [
      'Let us begin.',
      'ChatModel chatModel = ...',
      'String response = ChatClient.create(chatModel)',
      '.prompt("Now; what?")',
      '.call(); // first; then',
      'System.out.println(response);Prose goes on here.',
      'class A {',
      'void a() {',
      '}',
      '}Method method = find("a");',
      'method.call();More prose, and a class of its own.',
      '</dependency>public interface B {',
      '} 終わり',
    ].join('\n')
    expect(seedBlocks(text).map((block) => block.title)).toEqual([
      'String response = ChatClient.create(chatModel)',
      'class A {',
      'Method method = find("…");',
      'public interface B {',
    ])
  })
})

describe('the reporter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spring-reporter-'))
  mkdirSync(join(folder, 'test'))
  writeFileSync(join(folder, CHECKLIST_FILE), '| 1 | one | as there | `a.test.ts` › `a > b` |\n')
  afterEach(() => {
    vi.restoreAllMocks()
    process.exitCode = undefined
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** What it says of a run with one file and one test. */
  function report(file: string, test: { name: string; state: string }, only?: RegExp): string {
    const said: string[] = []
    vi.spyOn(console, 'error').mockImplementation((text: string) => void said.push(text))
    const ended = { fullName: test.name, result: () => ({ state: test.state }) }
    const module = { relativeModuleId: file, children: { allTests: () => [ended] } }
    const reporter = new SpringReporter()
    reporter.onInit({ config: { root: folder, testNamePattern: only } })
    reporter.onTestRunEnd([module] as unknown as TestModule[])
    return said.join('')
  }

  it('fails a run in which a named test is gone or was skipped', () => {
    expect(report('a.test.ts', { name: 'a > c', state: 'passed' })).toContain('has no test "a > b"')
    expect(process.exitCode).toBe(1)
    expect(report('a.test.ts', { name: 'a > b', state: 'skipped' })).toContain('skipped')
  })

  it('says nothing where it passed, its file was not run, or a filter left it out', () => {
    expect(report('a.test.ts', { name: 'a > b', state: 'passed' })).toBe('')
    expect(report('other.test.ts', { name: 'x', state: 'passed' })).toBe('')
    expect(report('a.test.ts', { name: 'a > b', state: 'skipped' }, /x/)).toBe('')
    expect(process.exitCode).toBeUndefined()
  })
})
