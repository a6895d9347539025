import { describe, expect, it } from 'vitest'
import { always, anyOf, lru, never, ttl } from './eviction.ts'

describe('eviction', () => {
  it('lru lets the session go that was used longest ago', () => {
    const strategy = lru(2)
    for (const session of ['a', 'b', 'a']) strategy.touch(session, 0)
    expect(strategy.evict(0)).toEqual([])
    strategy.touch('c', 0)
    expect(strategy.evict(0)).toEqual(['b'])
    expect(strategy.evict(0)).toEqual([])
  })

  it('ttl lets sessions go that were idle for that long, never the one in use', () => {
    const strategy = ttl(100)
    strategy.touch('a', 0)
    strategy.touch('b', 50)
    strategy.touch('c', 100)
    expect(strategy.evict(100)).toEqual(['a'])
    strategy.touch('b', 149)
    expect(strategy.evict(199)).toEqual([])
    expect(strategy.evict(200)).toEqual(['c'])
  })

  it('never keeps, always lets go', () => {
    const [keeping, forgetting] = [never(), always()]
    for (const strategy of [keeping, forgetting]) strategy.touch('a', 0)
    expect(keeping.evict(1e12)).toEqual([])
    expect(forgetting.evict(0)).toEqual(['a'])
    expect(forgetting.evict(0)).toEqual([])
  })

  it('anyOf lets go what one of them does, and the others forget it', () => {
    const strategy = anyOf(lru(2), ttl(100))
    strategy.touch('a', 0)
    strategy.touch('b', 60)
    strategy.touch('c', 70)
    expect(strategy.evict(100)).toEqual(['a'])
    expect(strategy.evict(170)).toEqual(['b', 'c'])
    strategy.touch('d', 200)
    strategy.touch('e', 200)
    expect(strategy.evict(200)).toEqual([])
  })

  it('lru and ttl forget what was evicted by hand', () => {
    const strategy = anyOf(lru(1), ttl(10))
    strategy.touch('a', 0)
    strategy.forget!('a')
    strategy.touch('b', 100)
    expect(strategy.evict(100)).toEqual([])
  })

  it.each([0, -1, Number.NaN, Infinity])('refuses %s', (value) => {
    expect(() => lru(value)).toThrow('at least 1')
    expect(() => ttl(value)).toThrow('at least 1')
  })

  it('refuses anyOf nothing', () => {
    expect(() => anyOf()).toThrow('at least one')
  })
})
