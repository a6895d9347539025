import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message } from '../messages/message.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { inMemoryRepository } from './in-memory-repository.ts'
import { tokenWindowMemory } from './token-window-memory.ts'

const user = (content: string): Message => ({ role: 'user', content })
const assistant = (content: string): Message => ({ role: 'assistant', content })
/** One token for each character; each message has four more. */
const tokenizer = (text: string): number => text.length

async function kept(messages: readonly Message[], maxTokens: number): Promise<readonly Message[]> {
  const memory = tokenWindowMemory({ maxTokens, tokenizer })
  await memory.add('c', messages)
  return memory.get('c')
}

describe('a window of tokens', () => {
  const one = [user('12345'), assistant('1')]
  const two = [user('123'), assistant('12')]

  it('keeps the newest whole turns that fit', async () => {
    expect(await kept([...one, ...two], 27)).toEqual([...one, ...two])
    expect(await kept([...one, ...two], 26)).toEqual(two)
    expect(await kept([...one, ...two], 13)).toEqual(two)
  })

  it('keeps the newest turn whole even if it does not fit', async () => {
    expect(await kept([...one, ...two], 1)).toEqual(two)
  })

  it('keeps system messages, which count', async () => {
    const system: Message = { role: 'system', content: '123456' }
    expect(await kept([system, ...one, ...two], 37)).toEqual([system, ...one, ...two])
    expect(await kept([system, ...one, ...two], 36)).toEqual([system, ...two])
    expect(await kept([system, ...one, ...two], 1)).toEqual([system, ...two])
  })

  it('counts everything that a message is made of', async () => {
    const exchange: readonly Message[] = [
      user('x'),
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: '12' },
          { type: 'text', text: '123' },
          { type: 'tool-call', id: 'id', name: 'name', arguments: '{"a":1}' },
          { type: 'provider', kind: 'search', data: { a: 1 } },
        ],
      },
      {
        role: 'tool',
        responses: [
          { id: 'id', name: 'name', content: '1234' },
          { id: 'id', name: 'name', content: [{ type: 'text', text: '12' }] },
        ],
      },
    ]
    const image: Message = {
      role: 'user',
      content: [{ type: 'image', mediaType: 'image/png', data: 'x'.repeat(5_000) }],
    }
    // 5 · 4 + 2 + 3 + 4 + 2 + 4 + 7 + 7 · 4 + 2 · (4 + 2) + 4 + 2
    const tokens = 5 + (4 + 2 + 3 + (4 + 2 + 4 + 7) + 7) + (4 + (4 + 2 + 4) + (4 + 2 + 2))
    expect(await kept([user(''), ...exchange], tokens + 4)).toHaveLength(4)
    expect(await kept([user(''), ...exchange], tokens + 3)).toHaveLength(3)
    expect(await kept([user(''), image], 4 + 1_004)).toHaveLength(2)
    expect(await kept([user(''), image], 4 + 1_003)).toHaveLength(1)
  })

  it('is what it would be if everything were read, and as large as it can be', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('user', 'assistant', 'system'), fc.nat(30)), {
          maxLength: 150,
        }),
        fc.integer({ min: 1, max: 1_000 }),
        async (drawn, maxTokens) => {
          const messages = drawn.map(
            ([role, length], index) =>
              ({ role, content: `${index} `.padEnd(length, 'x') }) as Message,
          )
          const repository = inMemoryRepository()
          await repository.append('c', messages)
          const found = await tokenWindowMemory({ maxTokens, tokenizer, repository }).get('c')
          const { tail: _tail, ...plain } = repository
          const all = tokenWindowMemory({ maxTokens, tokenizer, repository: plain })
          expect(found).toEqual(await all.get('c'))
          const sum = (list: readonly Message[]): number =>
            list.reduce(
              (tokens, each) => tokens + 4 + String((each as { content: string }).content).length,
              0,
            )
          const said = messages.filter(({ role }) => role !== 'system')
          const rest = found.filter(({ role }) => role !== 'system')
          const isOneTurn = rest.filter(({ role }) => role === 'user').length <= 1
          if (rest.length < said.length && !isOneTurn)
            expect(sum(found)).toBeLessThanOrEqual(maxTokens)
          const before = said.slice(0, said.length - rest.length)
          const turn = before.slice(before.findLastIndex(({ role }) => role === 'user'))
          if (turn[0]?.role === 'user') expect(sum(found) + sum(turn)).toBeGreaterThan(maxTokens)
        },
      ),
      { numRuns: 1_000 },
    ))

  it('reads little more than it gives', async () => {
    const inner = inMemoryRepository()
    let read = 0
    const repository = {
      ...inner,
      async tail(...args: Parameters<typeof inner.tail>) {
        const tail = await inner.tail(...args)
        read += tail.messages.length
        return tail
      },
    }
    for (let index = 0; index < 10_000; index++)
      await inner.append('c', [user('12345678901'), assistant('1')])
    const found = await tokenWindowMemory({ maxTokens: 2_000, tokenizer, repository }).get('c')
    expect(found).toHaveLength(200)
    expect(read).toBeLessThan(1_000)
  })

  it('checks its options', async () => {
    for (const maxTokens of [0, -1, 1.5, NaN, undefined, '5'])
      expect(() => tokenWindowMemory({ maxTokens } as never)).toThrow(/at least 1/)
    expect(() => tokenWindowMemory(undefined as never)).toThrow(/at least 1/)
    expect(() => tokenWindowMemory({ maxTokens: 1, tokenizer: 'cl100k' } as never)).toThrow(
      /function/,
    )
    for (const wrong of [NaN, -1, Infinity, '3', Promise.resolve(3)]) {
      const memory = tokenWindowMemory({ maxTokens: 9, tokenizer: () => wrong as number })
      await memory.add('c', [user('x')])
      await expect(memory.get('c')).rejects.toMatchObject({ code: 'invalid-option' })
    }
  })
})

describe('the estimate', () => {
  it.each([
    ['', 0],
    ['The weather is fine.', 5],
    ['internationalization', 4],
    ['1234567', 3],
    ['你好，世界', 5],
    ['Привет', 3],
    ['😀', 2],
    ['a\n\nb', 3],
    ['{"a":[1,2]}', 11],
    ['\ud800', 1],
  ])('of %j is %d', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens)
  })
})
