import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Durability } from 'toolwright'
import { durabilityContract } from 'toolwright/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { FileDurability } from './shared/file-durability.ts'

const folder = mkdtempSync(join(tmpdir(), 'file-durability-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
const newFile = (): string => join(folder, `${++files}.jsonl`)

describe('an engine on a file keeps the contract', () => {
  const paths = new WeakMap<Durability, string>()
  const open = (path: string): Durability => {
    const durability = new FileDurability(path)
    paths.set(durability, path)
    return durability
  }
  const suite = durabilityContract({
    records: true,
    create: () => open(newFile()),
    reopen: (durability) => open(paths.get(durability)!),
    cutOff(durability, key, tool) {
      void durability.step(key, () => new Promise(() => {}), tool)
      return open(paths.get(durability)!)
    },
  })
  for (const { name, run } of suite) it(name, run)
})

describe('a file that was cut off', () => {
  it('at any byte of its last line has every step before it, and takes new ones', async () => {
    const whole = newFile()
    const first = new FileDurability(whole)
    await first.step('a', async () => 'wörds')
    const { length: before } = readFileSync(whole)
    await first.step('b', async () => '😀')
    first.close()
    const bytes = readFileSync(whole)
    for (let length = before; length < bytes.length; length += 1) {
      const path = newFile()
      appendFileSync(path, bytes)
      truncateSync(path, length)
      const second = new FileDurability(path)
      expect(await second.step('a', async () => 'again')).toBe('wörds')
      expect(await second.step('b', async () => 'again')).toBe('again')
      second.close()
      expect(await new FileDurability(path).step('b', async () => 'twice')).toBe('again')
    }
  })
})
