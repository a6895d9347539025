/** The page of options names every option of every public interface, and nothing else. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DEFAULT_LIMITS } from 'toolwright'
import { describe, expect, it } from 'vitest'
import { defaultsIn, optionTables, publicOptions } from '../scripts/docs/option-tables.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = readFileSync(`${root}/docs/guide/22-options.md`, 'utf8')

describe('docs/guide/22-options.md', () => {
  const options = publicOptions(root)
  const tables = optionTables(page)

  it('has a table for every public interface of options', () => {
    expect(options.size).toBeGreaterThan(30)
    expect([...tables.keys()].sort()).toEqual([...options.keys()].sort())
  })

  it.each([...options.keys()].sort())('%s: the table has just its options', (name) => {
    expect([...(tables.get(name) ?? [])].sort()).toEqual([...options.get(name)!].sort())
  })

  it('gives the default limits as they are', () => {
    const said = defaultsIn(page, 'Limits')
    const limits = Object.entries(DEFAULT_LIMITS).map(([name, limit]) => [
      name,
      typeof limit === 'number' ? limit.toLocaleString('en-US') : `\`'${limit}'\``,
    ])
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(limits))
  })
})
