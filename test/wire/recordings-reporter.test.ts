import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { recordingsTable, type ReadTest } from './recordings-reporter.ts'

const folder = mkdtempSync(join(tmpdir(), 'recordings-'))
afterEach(() => rmSync(folder, { recursive: true }))

it('counts a recording when every test about it passed, and says what nobody read', () => {
  for (const file of [
    'acme/a.json',
    'acme/a.chunks.txt',
    'acme/b.json',
    'other/a.json',
    'README.md',
  ]) {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), '{}')
  }
  const test = (name: string, hasPassed = true): ReadTest => ({
    file: '/src/providers/acme/recordings.test.ts',
    name,
    hasPassed,
  })
  const tests = [
    test('recorded > a.json is read'),
    test('recorded > acme/a.chunks.txt, cut short, is never complete'),
    test('recorded > acme/a.chunks.txt', false),
  ]
  expect(recordingsTable(folder, tests).split('\n')).toEqual([
    'Recordings read right',
    '  acme   1 of 3 (1 read by no adapter)',
    '  other  0 of 1 (1 read by no adapter)',
    '  in all: 1 of 4',
  ])
  expect(recordingsTable(undefined, tests)).toContain('no recordings here')
})
