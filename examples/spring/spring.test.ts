/**
 * Runs every twin of this folder: ending well is not enough, each must assert something, on what
 * the model received. `npm run examples` runs the same files as programs.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'

const folder = new URL('./', import.meta.url)
const twins = readdirSync(folder).filter((name) => /^[a-z-]+\.ts$/.test(name))
const LONGEST = 62

/** Runs a module and counts what it asserted. Twins share the one `assert` of the process. */
async function assertionsOf(module: string): Promise<number> {
  let count = 0
  for (const name of Object.keys(assert) as (keyof typeof assert)[]) {
    const original: unknown = assert[name]
    if (typeof original !== 'function' || !/^[a-z]/.test(name) || name === 'strict') continue
    vi.spyOn(assert as any, name).mockImplementation((...args: unknown[]) => {
      count += 1
      return (original as (...args: unknown[]) => unknown)(...args)
    })
  }
  vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await import(/* @vite-ignore */ module)
  } finally {
    vi.restoreAllMocks()
  }
  return count
}

describe('the Spring twins', () => {
  it.each(twins)('%s', async (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8')
    expect(text, 'says first which Spring construct it mirrors').toMatch(
      /^\/\*\*[^]*?Mirrors\s[^]*?\*\//,
    )
    expect(text, 'looks at what the model received').toMatch(
      /\breceived\(|\bprovider\.(sent|tools)\b/,
    )
    expect(text.split('\n').length).toBeLessThanOrEqual(LONGEST)
    expect(await assertionsOf(new URL(name, folder).href)).toBeGreaterThan(0)
  })

  it('are all in this folder', () => {
    expect(twins.length).toBeGreaterThan(0)
  })
})

describe('the check of twins', () => {
  it('counts no assertion where there is none', async () => {
    expect(await assertionsOf('data:text/javascript,export const nothing = 1')).toBe(0)
  })

  it('counts assertions, and fails with the one that fails', async () => {
    const module = (claim: string): string =>
      `data:text/javascript,import assert from 'node:assert/strict'; assert.ok(true); assert.equal(1, ${claim})`
    expect(await assertionsOf(module('1'))).toBe(2)
    await expect(assertionsOf(module('2'))).rejects.toThrow('strictly equal')
  })
})
