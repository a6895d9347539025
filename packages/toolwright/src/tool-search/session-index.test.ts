import { describe, expect, it } from 'vitest'
import { sessionIndex, type Catalogue } from './session-index.ts'
import type { ToolReference } from './tool-index.ts'

/** A catalogue that tells what is done to it. */
function recording(): { readonly log: string[]; readonly create: () => Catalogue } {
  const log: string[] = []
  let made = 0
  const create = (tools: ReadonlyMap<string, ToolReference> = new Map()): Catalogue => {
    const id = ++made
    const own = new Map(tools)
    log.push(`new ${id}`)
    return {
      put(reference) {
        own.set(reference.name, reference)
        log.push(`${id} put ${reference.name}`)
      },
      remove(name) {
        own.delete(name)
        log.push(`${id} remove ${name}`)
      },
      fork: () => create(own),
      search: () => {
        const references = [...own.keys()].map((name) => ({ name, score: 1, summary: '' }))
        return { references, total: references.length }
      },
    }
  }
  return { log, create }
}

const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, description: name })) as [
  ToolReference,
  ToolReference,
  ToolReference,
]

describe('sessions over catalogues', () => {
  it('share one catalogue while they have the same tools, in whatever order', async () => {
    const { log, create } = recording()
    const index = sessionIndex(create)
    await index.index('one', [a, b])
    await index.index('two', [{ ...b }, { ...a }])
    await index.index('two', [a])
    expect(log).toEqual(['new 1', '1 put a', '1 put b'])
  })

  it('part when one of them changes, and come together again', async () => {
    const { log, create } = recording()
    const index = sessionIndex(create)
    await index.index('one', [a, b])
    await index.index('two', [a, b])
    await index.index('two', [c])
    expect(log.slice(3)).toEqual(['new 2', '2 put c'])
    await index.index('one', [c])
    await index.remove('one', ['a'])
    await index.remove('two', ['a'])
    expect(log.slice(5)).toEqual(['new 3', '3 remove a'])
  })

  it('change their own catalogue in place, tool by tool', async () => {
    const { log, create } = recording()
    const index = sessionIndex(create)
    await index.index('one', [a, b])
    await index.index('one', [b, { ...a, description: 'other' }, c])
    await index.remove('one', ['b'])
    expect(log.slice(3)).toEqual(['1 put a', '1 put c', '1 remove b'])
  })

  it('find a catalogue again that was left a moment ago, but not for ever', async () => {
    const { log, create } = recording()
    const index = sessionIndex(create)
    for (const session of ['one', 'two']) {
      await index.index(session, [a])
      await index.clear(session)
    }
    expect(log).toEqual(['new 1', '1 put a'])
    for (const tool of [b, c, { ...c, name: 'd' }]) {
      await index.index('x', [tool])
      await index.clear('x')
    }
    await index.index('three', [a])
    expect(log.slice(-2)).toEqual(['new 5', '5 put a'])
  })
})
