import { execFile } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chatMemoryRepositoryContract } from 'toolwright/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textOf, type Message } from 'toolwright'
import { fileMemoryRepository, fileName } from './file-memory-repository.ts'

let root: string
let folders = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'toolwright-memory-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const freshFolder = (): string => join(root, `folder-${++folders}`)
const said = (content: string): Message => ({ role: 'user', content })

describe('the repository in files keeps the contract', () => {
  const folderOf = new WeakMap<object, string>()
  const create = (folder = freshFolder()) => {
    const repository = fileMemoryRepository({ folder })
    folderOf.set(repository, folder)
    return repository
  }
  const suite = chatMemoryRepositoryContract({
    create: () => create(),
    reopen: (repository) => create(folderOf.get(repository)),
    patienceMs: 20_000,
  })
  for (const { name, run } of suite) it(name, run)
})

describe('the files', () => {
  it('are named after plain ids, and never lead out of their folder', () => {
    expect(fileName('work')).toBe('work.jsonl')
    for (const id of [
      '../../etc/passwd',
      'a/b',
      'C:\\x',
      '.',
      'Ünï 🙂',
      'x'.repeat(500),
      '',
      'Work',
    ])
      expect(fileName(id)).toMatch(/^[a-z0-9-]{0,40}\.[0-9a-f]{16}\.jsonl$/)
  })

  it('are only for their owner', async () => {
    const folder = freshFolder()
    await fileMemoryRepository({ folder }).append('a', [said('secret')])
    expect(statSync(folder).mode & 0o077).toBe(0)
    expect(statSync(join(folder, 'a.jsonl')).mode & 0o077).toBe(0)
  })

  it.each([
    '{"conversation":"a","messages":[null]}',
    '{"conversation":"a","messages":[{"role":"wizard","content":"x"}]}',
    '{"conversation":"a","messages":[{"role":"user"}]}',
    '{"conversation":"a","messages":[{"role":"assistant","content":[5]}]}',
    '{"conversation":"a","messages":[{"role":"tool","responses":[null]}]}',
    '{"messages":[]}',
    '[]',
  ])('leave out %s, which somebody else wrote', async (line) => {
    const folder = freshFolder()
    const damages: number[] = []
    const onDamaged = (_file: string, lines: number): number => damages.push(lines)
    const repository = fileMemoryRepository({ folder, onDamaged })
    await repository.append('a', [said('one')])
    appendFileSync(join(folder, 'a.jsonl'), `${line}\n`)
    expect(await repository.find('a')).toEqual([said('one')])
    expect(damages).toEqual([1])
  })

  it('lose only what a crash tore apart, and say so', async () => {
    const folder = freshFolder()
    const damaged: [string, number][] = []
    const repository = fileMemoryRepository({
      folder,
      onDamaged: (file, lines) => damaged.push([file, lines]),
    })
    await repository.append('a', [said('one')])
    const file = join(folder, 'a.jsonl')
    const line = readFileSync(file, 'utf8')
    appendFileSync(file, line.slice(0, line.length / 2))
    expect(await repository.find('a')).toEqual([said('one')])
    await repository.append('a', [said('two')])
    expect(await repository.find('a')).toEqual([said('one'), said('two')])
    expect(damaged).toEqual([
      [file, 1],
      [file, 1],
    ])
  })

  it('are read by what they are: other JSON counts as damage', async () => {
    const folder = freshFolder()
    const repository = fileMemoryRepository({ folder })
    await repository.append('a', [said('one')])
    writeFileSync(join(folder, 'a.jsonl'), 'null\n"text"\n{}\n', { flag: 'a' })
    expect(await repository.find('a')).toEqual([said('one')])
    expect(await repository.conversations()).toEqual(['a'])
  })

  it('lose nothing when processes write at the same time', async () => {
    const folder = freshFolder()
    const script = `
      import { fileMemoryRepository } from ${JSON.stringify(new URL('./file-memory-repository.ts', import.meta.url).href)}
      const repository = fileMemoryRepository({ folder: process.argv[1] })
      const big = 'x'.repeat(20_000)
      for (let i = 0; i < 50; i++)
        await repository.append('a', [{ role: 'user', content: process.argv[2] + ' ' + i + big }])
    `
    const options = ['--import', 'tsx', '--input-type=module', '-e', script, folder]
    const run = promisify(execFile)
    const writers = ['p', 'q', 'r']
    await Promise.all(writers.map((name) => run(process.execPath, [...options, name])))
    const found = await fileMemoryRepository({ folder }).find('a')
    const orders = writers.map((name) =>
      found
        .map((message) => textOf(message).split('x')[0]!)
        .filter((text) => text.startsWith(name)),
    )
    for (const [index, name] of writers.entries())
      expect(orders[index]).toEqual(Array.from({ length: 50 }, (_none, i) => `${name} ${i}`))
  })
})
