/** `toolwright generate` on files: what is found, written, left alone, removed, remembered and said. */
import { mkdirSync, readdirSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { Project, QUICK_TSCONFIG } from './project.ts'

const CACHE = 'node_modules/.cache/toolwright/generate.json'

let open: Project[] = []
function project(files: { readonly [name: string]: string }): Project {
  const made = new Project({ 'tsconfig.json': QUICK_TSCONFIG, ...files })
  open.push(made)
  return made
}

afterEach(async () => {
  for (const each of open) await each.dispose()
  open = []
})

const functionTool = (name: string, parameters = 'city: string'): string => `
/**
 * Look up something about a city.
 * @tool
 * @param city The city
 */
export function ${name}(${parameters}): string {
  return ''
}
`
const CITY = 'interface City { name: string }\n'
const BUNDLED = { strict: true, module: 'preserve', moduleResolution: 'bundler', types: [] }
const twoTools = { 'src/a.ts': functionTool('a'), 'src/deep/b.ts': functionTool('b') }

describe('what is found', () => {
  it.each([
    ['a quoted glob', ['src/**/*.ts']],
    ['a folder', ['src']],
    ['a folder with a slash', ['./src/']],
    ['the whole project', ['.']],
    ['names the shell has expanded', ['src/a.ts', 'src/deep/b.ts']],
    ['a name twice', ['src', 'src/a.ts']],
  ])('takes %s', async (_what, words) => {
    const { run, has } = bound(project(twoTools))
    expect(await run('generate', ...words)).toMatchObject({ code: 0, stderr: '' })
    expect([has('src/a.tools.ts'), has('src/deep/b.tools.ts')]).toEqual([true, true])
  })

  it('takes an absolute folder', async () => {
    const it = project(twoTools)
    expect((await it.run('generate', it.path('src'))).stdout).toContain('2 written')
  })

  it('takes names with signs that mean something in a glob', async () => {
    const files = ['src/[id]/(group)/a.ts', 'src/[id]/b.ts', 'src/i/b.ts']
    const it = project(Object.fromEntries(files.map((name) => [name, functionTool('a')])))
    expect((await it.run('generate', 'src/[id]/(group)/a.ts')).stdout).toContain('1 written')
    expect((await it.run('generate', 'src/[id]/b.ts')).stdout).toContain('1 written')
    expect((await it.run('generate', 'src/[id]')).stdout).toBe('2 unchanged\n')
    expect((await it.run('generate', 'src/[id]/(group)')).stdout).toBe('1 unchanged\n')
  })

  it('takes a file once, however many links lead to it', async () => {
    const it = project(twoTools)
    symlinkSync(it.path('src'), it.path('src/deep/again'))
    symlinkSync(it.path('nowhere.ts'), it.path('src/broken.ts'))
    expect((await it.run('generate', 'src')).stdout).toContain('\n2 written\n')
  })

  it('leaves out packages, builds, declarations, tests and generated files', async () => {
    const files = ['node_modules/p/a.ts', 'dist/a.ts', 'a.d.ts', 'a.test.ts', 'a.spec.ts']
    const it = project({
      ...Object.fromEntries(files.map((name) => [`src/${name}`, functionTool('a')])),
      'src/b.ts': functionTool('b'),
    })
    await it.run('generate', 'src')
    expect((await it.run('generate', 'src')).stdout).toBe('1 unchanged\n')
    expect((await it.run('generate', 'src/b.ts', 'src/a.test.ts')).code).toBe(0)
  })

  it('leaves out what a word with ! means', async () => {
    const it = project(twoTools)
    expect((await it.run('generate', 'src', '!src/deep/**')).stdout).toContain('1 written')
  })

  it.each([
    ['a glob', ['src/*.mts'], 'No TypeScript file matches "src/*.mts" in'],
    ['one of two globs', ['src', 'scr/**'], '"scr/**"'],
    ['a name', ['src/c.ts'], '"src/c.ts"'],
    ['an empty word', [''], '""'],
    ['an empty folder', ['empty'], 'no TypeScript file in empty'],
    ['files that are left out', ['src/a.test.ts'], 'nothing to generate from in src/a.test.ts'],
  ])('says what it looked for when %s finds nothing', async (_what, words, said) => {
    const it = project({ ...twoTools, 'src/a.test.ts': '' })
    mkdirSync(it.path('empty'))
    const { code, stderr } = await it.run('generate', ...words)
    expect(code).toBe(2)
    expect(stderr).toContain(said)
    expect(stderr).toContain('toolwright generate src')
  })
})

describe('what is written', () => {
  it('says one line per file and sums up', async () => {
    const { run } = bound(project({ ...twoTools, 'src/none.ts': 'export const one = 1' }))
    expect((await run('generate', 'src')).stdout).toBe(
      'wrote   src/a.tools.ts\nwrote   src/deep/b.tools.ts\n2 written\n',
    )
    expect((await run('generate', 'src')).stdout).toBe('2 unchanged\n')
  })

  it('says how to make a tool when there is none', async () => {
    const { stdout, code } = await project({ 'src/x.ts': 'export const x = 1' }).run(
      'generate',
      'src',
    )
    expect([code, stdout]).toEqual([0, expect.stringMatching(/No tools found.*@tool/)])
  })

  it('does not touch a file that is as it should be', async () => {
    const it = project(twoTools)
    await it.run('generate', 'src')
    const long = new Date('2020-01-01')
    utimesSync(it.path('src/a.tools.ts'), long, long)
    it.remove(CACHE)
    await it.run('generate', 'src')
    expect(statSync(it.path('src/a.tools.ts')).mtime).toEqual(long)
  })

  it('brings a hand-edited file back', async () => {
    const it = project(twoTools)
    await it.run('generate', 'src')
    const written = it.read('src/a.tools.ts')
    it.write({ 'src/a.tools.ts': `${written}// by hand\n` })
    expect((await it.run('generate', 'src', '--check')).stdout).toContain(
      'out of date src/a.tools.ts',
    )
    expect((await it.run('generate', 'src')).stdout).toContain('1 written, 1 unchanged')
    expect(it.read('src/a.tools.ts')).toBe(written)
  })

  it('never overwrites or removes a file that somebody else wrote', async () => {
    const own = '// mine\nexport const a = 1\n'
    const it = project({
      ...twoTools,
      'src/a.tools.ts': own,
      'src/c.ts': '',
      'src/c.tools.ts': own,
    })
    const { code, stderr, stdout } = await it.run('generate', 'src')
    expect([code, stdout]).toEqual([1, 'wrote   src/deep/b.tools.ts\n1 written, 1 problem\n'])
    expect(stderr).toContain('src/a.tools.ts:1:1 a.tools.ts was not written by toolwright generate')
    expect(stderr).toContain('  fix: Rename or delete it')
    expect([it.read('src/a.tools.ts'), it.read('src/c.tools.ts')]).toEqual([own, own])
    expect((await it.run('generate', 'src')).code).toBe(1)
  })

  it('leaves the old file of a source with problems, and writes the others', async () => {
    const it = project(twoTools)
    await it.run('generate', 'src')
    const old = it.read('src/a.tools.ts')
    it.write({
      'src/a.ts': functionTool('a', 'city: any'),
      'src/deep/b.ts': functionTool('other'),
    })
    const { code, stderr, stdout } = await it.run('generate', 'src')
    expect([code, stdout]).toEqual([1, 'wrote   src/deep/b.tools.ts\n1 written, 1 problem\n'])
    expect(stderr).toMatch(/^src\/a\.ts:\d+:\d+ .+\n {2}fix: .+\n$/)
    expect(it.read('src/a.tools.ts')).toBe(old)
    expect((await it.run('generate', 'src')).code).toBe(1)
    expect((await it.run('generate', 'src', '--check')).code).toBe(1)
  })

  it('takes any where it is allowed, and only there', async () => {
    const it = project({ 'src/a.ts': functionTool('a', 'city: any') })
    expect((await it.run('generate', 'src', '--allow-any')).code).toBe(0)
    expect((await it.run('generate', 'src', '--allow-any')).stdout).toBe('1 unchanged\n')
    expect((await it.run('generate', 'src')).code).toBe(1)
  })

  it('leaves no temporary files', async () => {
    const it = project(twoTools)
    await it.run('generate', 'src')
    const left = readdirSync(it.folder, { recursive: true, encoding: 'utf8' })
    expect(left.filter((name) => name.includes('tmp'))).toEqual([])
  })

  it('says that a source cannot be read', async () => {
    const it = project(twoTools)
    it.remove('src/a.ts')
    symlinkSync('a.ts', it.path('src/a.ts'))
    const { code, stderr } = await it.run('generate', 'src/a.ts')
    expect([code, stderr]).toEqual([2, expect.stringContaining('src/a.ts cannot be read: ELOOP')])
  })

  it('says that a folder stands where a file belongs', async () => {
    const it = project(twoTools)
    mkdirSync(it.path('src/a.tools.ts'))
    const { code, stderr } = await it.run('generate', 'src')
    expect([code, stderr]).toEqual([2, expect.stringContaining('a.tools.ts cannot be read')])
  })
})

describe('what is stale', () => {
  it('removes the file of a source that is gone', async () => {
    const it = project(twoTools)
    await it.run('generate', 'src')
    it.remove('src/a.ts')
    const { code, stdout } = await it.run('generate', 'src')
    expect([code, stdout]).toEqual([
      0,
      'removed src/a.tools.ts (a.ts is gone)\n1 removed, 1 unchanged\n',
    ])
    expect(it.has('src/a.tools.ts')).toBe(false)
  })

  it('removes the file of a source without tools, known from the cache or not', async () => {
    const it = project(twoTools)
    await it.run('generate', 'src')
    const written = it.read('src/a.tools.ts')
    it.write({ 'src/a.ts': 'export const a = 1' })
    expect((await it.run('generate', 'src')).stdout).toContain('(a.ts has no tools any more)')
    it.write({ 'src/a.tools.ts': written })
    expect((await it.run('generate', 'src')).stdout).toContain('removed src/a.tools.ts')
    expect(it.has('src/a.tools.ts')).toBe(false)
  })
})

describe('what a file leaves out', () => {
  const leaving = {
    'src/a.ts': `
export interface Place {
  city: string /** The city */
}
/**
 * Look up something.
 * @tool
 */
export function a(place: Place): string {
  return place.city
}
`,
  }
  const WARNING =
    'src/a.ts:3:16 warning: The doc comment after place.city is not used: /** The city */\n' +
    '  fix: Put it above what it describes.\n'

  it('is a warning with its place on stderr, and the file is written', async () => {
    const { run, has } = bound(project(leaving))
    expect(await run('generate', 'src')).toEqual({
      code: 0,
      stdout: 'wrote   src/a.tools.ts\n1 written, 1 warning\n',
      stderr: WARNING,
    })
    expect(has('src/a.tools.ts')).toBe(true)
  })

  it('is said again in every run, also when nothing has to be read', async () => {
    const { run } = bound(project(leaving))
    await run('generate', 'src')
    expect(await run('generate', 'src')).toMatchObject({ code: 0, stderr: WARNING })
  })

  it('is nothing to a check: the file is up to date', async () => {
    const { run } = bound(project(leaving))
    await run('generate', 'src')
    const checked = await run('generate', 'src', '--check')
    expect(checked).toEqual({ code: 0, stdout: '1 up to date\n', stderr: WARNING })
  })
})

describe('--check', () => {
  it('lists what is missing, out of date and stale, and writes nothing', async () => {
    const it = project({
      ...twoTools,
      'src/c.ts': functionTool('c'),
      'src/d.ts': functionTool('d'),
    })
    await it.run('generate', 'src')
    const old = it.read('src/a.tools.ts')
    it.write({ 'src/a.ts': functionTool('renamed') })
    it.remove('src/deep/b.tools.ts')
    it.remove('src/c.ts')
    const { code, stdout, stderr } = await it.run('generate', 'src/**/*.ts', '--check')
    expect(code).toBe(1)
    expect(stdout.split('\n').sort()).toEqual([
      '',
      '1 missing, 1 out of date, 1 stale, 1 up to date',
      'missing     src/deep/b.tools.ts',
      'out of date src/a.tools.ts',
      'stale       src/c.tools.ts (c.ts is gone)',
    ])
    expect(stderr).toBe("Bring them up to date: toolwright generate 'src/**/*.ts'\n")
    expect([it.read('src/a.tools.ts'), it.has('src/deep/b.tools.ts')]).toEqual([old, false])
    expect(it.has('src/c.tools.ts')).toBe(true)
  })

  it('is content when all is up to date', async () => {
    const { run } = bound(project(twoTools))
    await run('generate', 'src')
    expect(await run('generate', 'src', '--check')).toEqual({
      code: 0,
      stdout: '2 up to date\n',
      stderr: '',
    })
  })

  it('notices a change in an imported file', async () => {
    const it = project({
      'src/a.ts': `import type { City } from '../types/city.ts'\n${functionTool('a', 'city: City')}`,
      'types/city.ts': 'export interface City { name: string }',
    })
    expect((await it.run('generate', 'src')).stdout).toContain('1 written')
    expect((await it.run('generate', 'src', '--check')).code).toBe(0)
    it.write({ 'types/city.ts': 'export interface City { name: string; country: string }' })
    expect((await it.run('generate', 'src', '--check')).stdout).toContain('1 out of date')
  })

  it('does not go with --watch', async () => {
    const { code, stderr } = await project(twoTools).run('generate', 'src', '--check', '--watch')
    expect([code, stderr]).toEqual([2, expect.stringContaining('Give one of them')])
  })
})

describe('the cache', () => {
  it.each(['', '{', 'null', '[]', '{"version":"x"}', 'entries'])(
    'is ignored when it is broken: %j',
    async (content) => {
      const it = project(twoTools)
      await it.run('generate', 'src')
      it.write({ [CACHE]: content === 'entries' ? brokenEntries(it.read(CACHE)) : content })
      expect((await it.run('generate', 'src')).stdout).toBe('2 unchanged\n')
    },
  )

  it('is not needed', async () => {
    const it = project({ ...twoTools, 'node_modules/.cache': 'a file where a folder belongs' })
    await it.run('generate', 'src')
    expect(await it.run('generate', 'src')).toMatchObject({ code: 0, stdout: '2 unchanged\n' })
  })

  it('notices a tsconfig that comes nearer', async () => {
    const it = project(twoTools)
    await it.run('generate', 'src')
    const before = it.read(CACHE)
    it.write({ 'src/tsconfig.json': '{}' })
    await it.run('generate', 'src')
    expect(it.read(CACHE)).not.toBe(before)
  })

  it('notices a change in what the project declares for every file', async () => {
    const it = project({ 'src/a.ts': functionTool('a', 'city: City'), 'src/city.d.ts': CITY })
    await it.run('generate', 'src')
    expect((await it.run('generate', 'src')).stdout).toBe('1 unchanged\n')
    it.write({ 'src/city.d.ts': CITY.replace('name', 'town') })
    expect((await it.run('generate', 'src')).stdout).toContain('1 written')
    expect(it.read('src/a.tools.ts')).toContain('town')
  })

  it('notices a file that is taken instead of the one it was', async () => {
    const source = `import type { City } from './city'\n${functionTool('a', 'city: City')}`
    const it = project({
      'tsconfig.json': JSON.stringify({ compilerOptions: BUNDLED }),
      'src/a.ts': source,
      'src/city/index.ts': `export ${CITY}`,
    })
    await it.run('generate', 'src/a.ts')
    expect((await it.run('generate', 'src/a.ts')).stdout).toBe('1 unchanged\n')
    it.write({ 'src/city.ts': `export ${CITY.replace('name', 'town')}` })
    expect((await it.run('generate', 'src/a.ts')).stdout).toContain('1 written')
    expect(it.read('src/a.tools.ts')).toContain('town')
  })

  it('forgets sources that are gone and keeps those of other runs', async () => {
    const it = project(twoTools)
    await it.run('generate', 'src/deep')
    await it.run('generate', 'src/a.ts')
    expect(Object.keys(entriesOf(it))).toEqual(['src/deep/b.ts', 'src/a.ts'])
    it.remove('src/deep/b.ts')
    it.write({ 'src/c.ts': functionTool('c') })
    await it.run('generate', 'src')
    expect(Object.keys(entriesOf(it))).toEqual(['src/a.ts', 'src/c.ts'])
  })
})

const entriesOf = (it: Project): object =>
  (JSON.parse(it.read(CACHE)) as { entries: object }).entries

const brokenEntries = (cache: string): string =>
  cache.replace(/"dependencies":\[[^\]]*\]/, '"dependencies":7')

const bound = (it: Project) => ({
  run: (...words: string[]) => it.run(...words),
  has: (name: string) => it.has(name),
})
