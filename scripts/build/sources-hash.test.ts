/** A build for tests is never older than the sources: whatever it is made of changes its hash. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { sourcesHash } from './sources-hash.ts'

const FILES = {
  'packages/toolwright/package.json': '{}',
  'packages/toolwright/src/index.ts': 'export {}',
  'packages/toolwright/src/schema/check.ts': 'export {}',
  'packages/cli/bin/toolwright.js': '',
  'scripts/doors/table.js': '',
  'scripts/build/bundle-package.ts': '',
}

function tree() {
  const root = mkdtempSync(join(tmpdir(), 'sources-hash-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const write = (name: string, content: string): void => {
    mkdirSync(join(root, dirname(name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  for (const [name, content] of Object.entries(FILES)) write(name, content)
  return { root, write, path: (name: string) => join(root, name) }
}

it('is the same for the same files, wherever they are', () => {
  expect(sourcesHash(tree().root)).toBe(sourcesHash(tree().root))
})

it.each(Object.keys(FILES))('is another when %s changes', (name) => {
  const { root, write } = tree()
  const before = sourcesHash(root)
  write(name, '// changed')
  expect(sourcesHash(root)).not.toBe(before)
})

it('is another when a file comes, goes, or has another name', () => {
  const { root, write, path } = tree()
  const hashes = [sourcesHash(root)]
  write('packages/sql/src/new.ts', '')
  hashes.push(sourcesHash(root))
  renameSync(path('packages/sql/src/new.ts'), path('packages/sql/src/newer.ts'))
  hashes.push(sourcesHash(root))
  rmSync(path('packages/toolwright/src/schema/check.ts'))
  hashes.push(sourcesHash(root))
  expect(new Set(hashes).size).toBe(4)
})

it('does not care about tests', () => {
  const { root, write } = tree()
  const before = sourcesHash(root)
  write('packages/toolwright/src/schema/check.test.ts', '')
  expect(sourcesHash(root)).toBe(before)
})
