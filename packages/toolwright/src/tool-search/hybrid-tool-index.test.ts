import { describe, expect, it } from 'vitest'
import { hybridToolIndex } from './hybrid-tool-index.ts'
import type { ToolIndex } from './tool-index.ts'

/** An index that always answers the same. */
const saying = (scores: Record<string, number>): ToolIndex => ({
  index: async () => {},
  remove: async () => {},
  clear: async () => {},
  search: async () => ({
    references: Object.entries(scores).map(([name, score]) => ({ name, score, summary: name })),
    total: Object.keys(scores).length,
  }),
})
const failing: ToolIndex = {
  ...saying({}),
  search: async () => {
    throw new Error('down, key sk-abcdefghijklmnopqrstuvwxyz123456')
  },
}
const request = { session: 's', query: 'q' }

describe('the hybrid index', () => {
  it('adds what each index thinks of a tool, on one scale and by weight', async () => {
    const index = hybridToolIndex([
      [saying({ a: 100, b: 60, c: 0 }), 0.75],
      [saying({ c: 0.9, b: 0.8, a: 0.4 }), 0.25],
    ])
    const { references, total } = await index.search(request)
    expect(references.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(references.map(({ score }) => score)).toEqual([
      expect.closeTo(0.75),
      expect.closeTo(0.75 * 0.6 + 0.25 * 0.8),
      expect.closeTo(0.25),
    ])
    expect(total).toBe(3)
  })

  it('goes on without an index that fails, and says so', async () => {
    const found = await hybridToolIndex([
      [failing, 1],
      [saying({ a: 1 }), 1],
    ]).search(request)
    expect(found.references.map(({ name }) => name)).toEqual(['a'])
    expect(found.notice).toContain('left out: down')
    expect(found.notice).not.toContain('sk-abc')
    await expect(hybridToolIndex([[failing, 1]]).search(request)).rejects.toThrow('down')
  })

  it('needs indexes with weights', () => {
    expect(() => hybridToolIndex([])).toThrow('pairs of an index and a weight')
    expect(() => hybridToolIndex([[failing, 0]])).toThrow('pairs of an index and a weight')
  })
})
