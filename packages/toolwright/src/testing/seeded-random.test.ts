import { describe, expect, it } from 'vitest'
import { seededRandom } from './seeded-random.ts'

const numbers = (seed: number): readonly number[] => {
  const random = seededRandom(seed)
  return Array.from({ length: 1_000 }, () => random.next())
}

describe('seededRandom', () => {
  it('repeats itself for the same seed, and only then', () => {
    expect(numbers(7)).toEqual(numbers(7))
    expect(numbers(7)).not.toEqual(numbers(8))
    expect([...seededRandom(7).bytes(32)]).toEqual([...seededRandom(7).bytes(32)])
  })

  it('spreads its numbers from 0 up to, not including, 1', () => {
    const drawn = numbers(1)
    expect(drawn.every((number) => number >= 0 && number < 1)).toBe(true)
    const tenths = new Set(drawn.map((number) => Math.floor(number * 10)))
    expect(tenths.size).toBe(10)
  })

  it('gives as many bytes as asked for', () => {
    const bytes = seededRandom(1).bytes(1_000)
    expect(bytes).toHaveLength(1_000)
    expect(new Set(bytes).size).toBeGreaterThan(200)
  })
})
