/** `toolwright generate` as a process: what it loads, `--watch`, and two of them at once. */
import { writeFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { Project, QUICK_TSCONFIG, until, type RunningCommand } from './project.ts'

/** Processes take long to start where much else is going on. */

let project: Project
afterEach(() => project.dispose())

const projectOf = (files: { readonly [name: string]: string }): Project =>
  new Project({ 'tsconfig.json': QUICK_TSCONFIG, ...files })

const tool = (name: string, city = 'string'): string => `
/**
 * Look up something about a city.
 * @tool
 * @param city The city
 */
export function ${name}(city: ${city}): string {
  return ''
}
`

/** Loaded before the command: notes every module that is asked for. */
const NOTE_MODULES = `
import { register } from 'node:module'
const hook = \`
import { appendFileSync } from 'node:fs'
export async function resolve(specifier, context, next) {
  appendFileSync('modules.txt', specifier + '\\\\n')
  return await next(specifier, context)
}\`
register('data:text/javascript,' + encodeURIComponent(hook))
`

describe('a run', () => {
  it('loads the compiler for what changed, and neither it nor the library for what did not', async () => {
    project = projectOf({
      'note.mjs': NOTE_MODULES,
      'src/a.ts': tool('a'),
      'src/b.ts': tool('b'),
    })
    const loaded = async (...words: string[]): Promise<string[]> => {
      project.write({ 'modules.txt': '' })
      const command = project.start(
        ['generate', 'src', ...words],
        ['--import', project.path('note.mjs')],
      )
      expect(await command.finished).toMatchObject({ code: 0, stderr: '' })
      return project.read('modules.txt').split('\n')
    }
    expect(await loaded()).toContain('typescript')
    for (const modules of [await loaded(), await loaded('--check')]) {
      expect(modules).toContain('tinyglobby')
      expect(modules.filter((name) => /^(typescript|toolwright)\b/.test(name))).toEqual([])
    }
    project.write({ 'src/a.ts': tool('renamed') })
    expect(await loaded()).toContain('typescript')
  })

  it('does not mind others of its kind', async () => {
    const names = ['a', 'b', 'c', 'd']
    project = projectOf(Object.fromEntries(names.map((name) => [`src/${name}.ts`, tool(name)])))
    const runs = [1, 2].map(() => project.start(['generate', 'src']).finished)
    for (const { code, stderr } of await Promise.all(runs)) expect([code, stderr]).toEqual([0, ''])
    expect(await project.run('generate', 'src', '--check')).toMatchObject({
      stdout: '4 up to date\n',
    })
  })
})

describe('--watch', () => {
  const watching = async (): Promise<RunningCommand> => {
    const command = project.start(['generate', 'src/**/*.ts', '--watch'])
    await until(() => command.stdout.includes('Watching'))
    return command
  }
  const has = (name: string, text = ''): boolean =>
    project.has(name) && project.read(name).includes(text)

  it('follows changed, new, moved and deleted files, and imported ones, until it is told to end', async () => {
    project = projectOf({
      'src/a.ts': `import type { City } from '../types/city.ts'\n${tool('a', 'City')}`,
      'types/city.ts': 'export interface City { name: string }',
    })
    const command = await watching()
    expect(command.stdout).toContain('wrote   src/a.tools.ts\n1 written\n')

    for (const field of ['country', 'district']) {
      const before = project.read('src/a.tools.ts')
      project.write({ 'types/city.ts': `export interface City { name: string; ${field}: string }` })
      await until(() => project.read('src/a.tools.ts') !== before)
    }

    project.write({ 'src/b.ts': tool('b') })
    await until(() => has('src/b.tools.ts'))

    project.write({ 'src/new/deep/c.ts': tool('c') })
    await until(() => has('src/new/deep/c.tools.ts'))
    project.write({ 'src/new/deep/c.ts': tool('renamedInANewFolder') })
    await until(() => has('src/new/deep/c.tools.ts', 'renamedInANewFolder'))

    project.remove('src/b.ts')
    await until(() => !project.has('src/b.tools.ts'))

    project.remove('src/new')
    project.write({ 'src/new/d.ts': tool('d') })
    await until(() => has('src/new/d.tools.ts'))
    project.write({ 'src/new/d.ts': tool('renamedInAFolderMadeAgain') })
    await until(() => has('src/new/d.tools.ts', 'renamedInAFolderMadeAgain'))

    const { code, stdout, stderr } = await command.end('SIGINT')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('removed src/b.tools.ts (b.ts is gone)\n')
    expect(stdout.match(/wrote {3}src\/b\.tools\.ts/g)).toHaveLength(1)
  })

  it('says once what is wrong, lives through it, and says that it is mended', async () => {
    project = projectOf({ 'src/a.ts': tool('a'), 'src/b.ts': tool('b') })
    const command = await watching()
    const written = project.read('src/a.tools.ts')
    project.write({ 'src/a.ts': 'export function a( {{{' })
    await until(() => command.stderr.includes('src/a.ts:1:'))
    project.remove('src/b.ts')
    await until(() => !project.has('src/b.tools.ts'))
    expect(project.read('src/a.tools.ts')).toBe(written)
    project.write({ 'src/a.ts': tool('mended') })
    await until(() => project.read('src/a.tools.ts') !== written)
    await until(() => command.stderr.includes('No problems any more.'))
    const { code, stderr } = await command.end('SIGTERM')
    expect(code).toBe(0)
    expect(stderr.match(/fix: /g)!.length).toBe(stderr.split('src/a.ts:').length - 1)
  })

  it('lives through a moment without any file', async () => {
    project = projectOf({ 'src/a.ts': tool('a') })
    const command = await watching()
    project.remove('src/a.ts')
    await until(() => !project.has('src/a.tools.ts'))
    writeFileSync(project.path('src/a.ts'), tool('a'))
    await until(() => project.has('src/a.tools.ts'))
    expect(await command.end('SIGINT')).toMatchObject({ code: 0, stderr: '' })
  })

  it('does not begin with a glob that finds nothing', async () => {
    project = projectOf({ 'src/a.ts': tool('a') })
    const { code, stderr } = await project.start(['generate', 'scr', '--watch']).finished
    expect([code, stderr]).toEqual([2, expect.stringContaining('No TypeScript file matches "scr"')])
  })
})
