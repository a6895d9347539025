import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { earlierName, namesByAge, readEarlierFile } from './earlier-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-earlier-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const ONE = { role: 'user', content: 'one' }
const TWO = { role: 'assistant', content: [{ type: 'text', text: 'two' }] }
const line = (...messages: object[]): string => JSON.stringify({ conversation: 'a', messages })

describe('the files of earlier versions', () => {
  it('have the names that those versions gave them', () => {
    expect(earlierName('work')).toBe('work.jsonl')
    expect(earlierName('Trip')).toBe('trip.05c36c49bdd43103.jsonl')
    for (const id of ['../../etc/passwd', 'a/b', 'C:\\x', '.', 'Ünï 🙂', 'x'.repeat(500), '', 'W'])
      expect(earlierName(id)).toMatch(/^[a-z0-9-]{0,40}\.[0-9a-f]{16}\.jsonl$/)
  })

  it('hold the messages of all their lines', async () => {
    const file = join(folder, 'a.jsonl')
    writeFileSync(file, `${line(ONE)}\n\n${line(TWO, ONE)}\n`)
    expect(await readEarlierFile(file)).toEqual({
      conversation: 'a',
      messages: [ONE, TWO, ONE],
      damaged: [],
    })
  })

  it.each([
    line(ONE).slice(0, 20),
    '{"conversation":"a","messages":[null]}',
    '{"conversation":"a","messages":[{"role":"wizard","content":"x"}]}',
    '{"conversation":"a","messages":[{"role":"user"}]}',
    '{"conversation":"a","messages":[{"role":"system","content":[]}]}',
    '{"conversation":"a","messages":[{"role":"assistant","content":[5]}]}',
    '{"conversation":"a","messages":[{"role":"tool","responses":[null]}]}',
    '{"messages":[]}',
    'null',
    '[]',
  ])('keep %s apart, which is damaged', async (damage) => {
    const file = join(folder, 'a.jsonl')
    writeFileSync(file, `${damage}\n${line(ONE)}\n`)
    const read = await readEarlierFile(file)
    expect(read).toEqual({ conversation: 'a', messages: [ONE], damaged: [damage] })
  })

  it('come by age, and a folder that is not there has none', async () => {
    for (const [index, name] of ['b', 'c', 'a'].entries()) {
      writeFileSync(join(folder, name), '')
      utimesSync(join(folder, name), 1000 + index, 1000 + index)
    }
    expect(await namesByAge(folder)).toEqual(['b', 'c', 'a'])
    expect(await namesByAge(join(folder, 'nowhere'))).toEqual([])
  })
})
