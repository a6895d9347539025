/** Everything that is written from the table of doors agrees with it, and the table with the tree. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { alias } from '../../vitest.config.ts'
import { DOOR_SOURCES, tsconfigPaths } from './door-sources.ts'
import { doorsPage } from './doors-page.ts'
import { manifestExports } from './manifest-exports.ts'
import { OUTSIDE_ROOMS, PACKAGES, ROOMS, SHARED_ROOMS } from './table.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const library = `${root}packages/toolwright/src`
const json = (file: string): any => JSON.parse(readFileSync(root + file, 'utf8'))
const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)

describe('what npm run doors writes', () => {
  it.each(PACKAGES)('is in the manifest of $name', (row) => {
    const manifest = json(`packages/${row.folder}/package.json`)
    expect(manifest.name).toBe(row.name)
    if (row.doors.length === 0) expect(manifest.exports).toBeUndefined()
    else expect(manifest.exports).toEqual(manifestExports(row))
  })

  it('is in tsconfig.json', () => {
    expect(json('tsconfig.json').compilerOptions.paths).toEqual(tsconfigPaths('./'))
  })

  it('is docs/doors.md', () => {
    expect(readFileSync(`${root}docs/doors.md`, 'utf8')).toBe(doorsPage())
  })
})

describe('the table', () => {
  it('lists every package there is', () => {
    expect(PACKAGES.map((row) => row.folder).sort()).toEqual(foldersIn(`${root}packages`).sort())
  })

  it.each(DOOR_SOURCES)('leads $name to a source, in tests too', ({ name, source }) => {
    expect(existsSync(root + source)).toBe(true)
    const found = alias.filter(({ find }) => find.test(name)).map(({ replacement }) => replacement)
    expect(found).toEqual([root + source])
  })

  it('has a row for every folder of the library', () => {
    const doors = PACKAGES.find((row) => row.name === 'toolwright')!.doors
    const known = [
      ...Object.keys({ ...ROOMS, ...SHARED_ROOMS }),
      ...doors.map(({ entry }) => dirname(entry)),
    ]
    const folders = foldersIn(library).filter((name) => name !== 'providers')
    const providers = foldersIn(`${library}/providers`).map((name) => `providers/${name}`)
    expect([...folders, ...providers].filter((folder) => !known.includes(folder))).toEqual([])
    expect(OUTSIDE_ROOMS.filter((room) => !existsSync(`${library}/${room}`))).toEqual([])
  })

  it('lets no room of the core reach itself again', () => {
    const reachable = (room: string, seen = new Set<string>()): Set<string> => {
      for (const next of ROOMS[room]!.imports) {
        if (seen.has(next)) continue
        seen.add(next)
        reachable(next, seen)
      }
      return seen
    }
    const circular = Object.keys(ROOMS).filter((room) => reachable(room).has(room))
    expect(circular).toEqual([])
  })

  it('names every dependency of a package, and only these', () => {
    for (const { folder, dependencies, peers } of PACKAGES) {
      const manifest = json(`packages/${folder}/package.json`)
      expect(Object.keys(manifest.dependencies ?? {}).sort()).toEqual([...dependencies].sort())
      expect(Object.keys(manifest.peerDependencies ?? {}).sort()).toEqual([...peers].sort())
    }
  })
})
