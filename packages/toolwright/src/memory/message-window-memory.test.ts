import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message } from '../messages/message.ts'
import { toolCallsOf } from '../messages/reading.ts'
import type { ChatMemoryRepository } from './chat-memory.ts'
import { inMemoryRepository } from './in-memory-repository.ts'
import { messageWindowMemory } from './message-window-memory.ts'
import { currentSystem, systemGroups } from './system-groups.ts'

const kind = fc.constantFrom<Message['role']>('user', 'user', 'assistant', 'tool', 'system')

/** Any order of messages; each tool message answers the newest call that is still open, if there is one. */
const anyHistory: fc.Arbitrary<readonly Message[]> = fc
  .array(kind, { maxLength: 30 })
  .map((kinds) => {
    const open: string[] = []
    return kinds.map((role, index): Message => {
      if (role === 'assistant') {
        open.push(`c${index}`)
        const id = `c${index}`
        return { role, content: [{ type: 'tool-call', id, name: 'x', arguments: '{}' }] }
      }
      if (role === 'tool')
        return { role, responses: [{ id: open.pop() ?? `lost${index}`, name: 'x', content: 'ok' }] }
      return { role, content: `${role} ${index}` }
    })
  })

async function windowed(
  messages: readonly Message[],
  maxMessages: number,
): Promise<readonly Message[]> {
  const memory = messageWindowMemory({ maxMessages })
  await memory.add('c', messages)
  return memory.get('c')
}

/** Responses whose call was there before and is not any more. */
function orphans(all: readonly Message[], kept: readonly Message[]): readonly string[] {
  const calls = (messages: readonly Message[]): ReadonlySet<string> =>
    new Set(
      messages.flatMap((message) =>
        message.role === 'assistant' && typeof message.content !== 'string'
          ? message.content.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []))
          : [],
      ),
    )
  const before = calls(all)
  const now = calls(kept)
  return kept
    .flatMap((message) => (message.role === 'tool' ? message.responses.map((each) => each.id) : []))
    .filter((id) => before.has(id) && !now.has(id))
}

describe('any history, any window', () => {
  const property = (
    check: (messages: readonly Message[], kept: readonly Message[], size: number) => void,
  ) =>
    fc.assert(
      fc.asyncProperty(anyHistory, fc.integer({ min: 1, max: 35 }), async (messages, size) => {
        check(messages, await windowed(messages, size), size)
      }),
      { numRuns: 1500 },
    )

  it('orphans no response', () => property((all, kept) => expect(orphans(all, kept)).toEqual([])))

  it('keeps the newest system messages, first, all that stand together', () =>
    property((all, kept) => {
      const last = all.findLastIndex((message) => message.role === 'system')
      const first = all.findLastIndex(({ role }, index) => index < last && role !== 'system')
      const system = kept.filter((message) => message.role === 'system')
      expect(system).toEqual(all.slice(first + 1, last + 1))
      expect(kept.slice(0, system.length)).toEqual(system)
    }))

  it('is the end of the conversation, cut before a user’s message', () =>
    property((all, kept) => {
      const others = all.filter((message) => message.role !== 'system')
      const rest = kept.filter((message) => message.role !== 'system')
      expect(rest).toEqual(others.slice(others.length - rest.length))
      if (rest.length < others.length) expect(rest[0]!.role).toBe('user')
    }))

  it('is whole when it fits', () =>
    property((all, kept, size) => {
      const others = all.filter((message) => message.role !== 'system')
      if (others.length <= size)
        expect(kept.filter((each) => each.role !== 'system')).toEqual(others)
    }))

  it('is no longer than the window, but for one turn that is', () => {
    const turn = fc.integer({ min: 0, max: 6 })
    const turns = fc.array(turn, { minLength: 1, maxLength: 10 })
    return fc.assert(
      fc.asyncProperty(turns, fc.integer({ min: 1, max: 20 }), async (sizes, size) => {
        const messages = sizes.flatMap((answers, index): Message[] => [
          { role: 'user', content: `q${index}` },
          ...Array.from({ length: answers }, (): Message => ({ role: 'assistant', content: 'a' })),
        ])
        const kept = await windowed(messages, size)
        expect(kept.length <= Math.max(size, sizes.at(-1)! + 1)).toBe(true)
        // And no shorter than it needs to be: one turn more would not fit.
        const before = messages.slice(0, messages.length - kept.length)
        const lastTurn = before.length - before.findLastIndex((each) => each.role === 'user')
        if (before.length > 0) expect(kept.length + lastTurn).toBeGreaterThan(size)
      }),
    )
  })
})

/** Reads everything, and then looks for the window: what reading less must come to. */
function windowOfAll(messages: readonly Message[], maxMessages: number): readonly Message[] {
  const said = messages.filter((message) => message.role !== 'system')
  const current = currentSystem(systemGroups(messages))
  if (said.length <= maxMessages) return [...current, ...said]
  const starts: number[] = []
  const lastCallOf = new Map<string, number>()
  said.forEach((message, index) => {
    if (message.role === 'user') starts.push(index)
    if (message.role !== 'assistant' && message.role !== 'tool') return
    const keyOf = (id: string): string => `${message.runId ?? ''} ${id}`
    for (const { id } of toolCallsOf(message)) lastCallOf.set(keyOf(id), index)
    for (const { id } of message.role === 'tool' ? message.responses : []) {
      const calledAt = lastCallOf.get(keyOf(id)) ?? index
      while (starts.length > 0 && starts.at(-1)! > calledAt) starts.pop()
      lastCallOf.delete(keyOf(id))
    }
  })
  const earliest = said.length - maxMessages
  const start = starts.find((each) => each >= earliest) ?? starts.at(-1) ?? 0
  return [...current, ...said.slice(start)]
}

/** Runs side by side with few ids between them, calls without responses and responses without calls. */
const wildHistory: fc.Arbitrary<readonly Message[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Message>({ role: 'user', content: 'q' }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('a', 'b').map((content): Message => ({ role: 'system', content })),
    },
    {
      weight: 6,
      arbitrary: fc
        .record({
          isCall: fc.boolean(),
          runId: fc.constantFrom(undefined, 'r1', 'r2'),
          ids: fc.uniqueArray(fc.constantFrom('1', '2', '3', '4'), { minLength: 1, maxLength: 2 }),
        })
        .map(({ isCall, runId, ids }): Message => {
          const of = runId === undefined ? {} : { runId }
          if (!isCall)
            return {
              role: 'tool',
              ...of,
              responses: ids.map((id) => ({ id, name: 'x', content: '' })),
            }
          const content = ids.map((id) => ({
            type: 'tool-call' as const,
            id,
            name: 'x',
            arguments: '{}',
          }))
          return { role: 'assistant', ...of, content }
        }),
    },
  ),
  { maxLength: 60 },
)

describe('a window reads no more than it needs', () => {
  /** A repository that counts the messages it gave. */
  const counting = (): { readonly repository: ChatMemoryRepository; read(): number } => {
    const inner = inMemoryRepository()
    let count = 0
    const repository: ChatMemoryRepository = {
      ...inner,
      async find(key, options) {
        const found = await inner.find(key, options)
        count += found.length
        return found
      },
      async tail(key, options) {
        const tail = await inner.tail(key, options)
        count += tail.messages.length + tail.system.flat().length
        return tail
      },
    }
    return { repository, read: () => count }
  }

  it('and gives what it would if it read everything, for any history', () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(anyHistory, wildHistory),
        fc.integer({ min: 1, max: 20 }),
        async (messages, maxMessages) => {
          const repository = inMemoryRepository()
          await repository.append('c', messages)
          const expected = windowOfAll(messages, maxMessages)
          expect(await messageWindowMemory({ maxMessages, repository }).get('c')).toEqual(expected)
          const { tail: _tail, ...plain } = repository
          const memory = messageWindowMemory({ maxMessages, repository: plain })
          expect(await memory.get('c')).toEqual(expected)
        },
      ),
      { numRuns: 5000 },
    ))

  it('of 100,000 messages, 20', async () => {
    const { repository, read } = counting()
    await repository.append('c', [
      { role: 'system', content: 'Be short.' },
      ...Array.from({ length: 50_000 }, (_, index): readonly Message[] => [
        { role: 'user', content: `q${index}` },
        { role: 'assistant', content: `a${index}` },
      ]).flat(),
    ])
    expect(await messageWindowMemory({ repository }).get('c')).toHaveLength(21)
    expect(read()).toBe(21)
  })

  it('and a turn that is larger than the window, at most four times', async () => {
    const { repository, read } = counting()
    const calls = Array.from({ length: 300 }, (_, index): readonly Message[] => [
      {
        role: 'assistant',
        content: [{ type: 'tool-call', id: `c${index}`, name: 'x', arguments: '{}' }],
      },
      { role: 'tool', responses: [{ id: `c${index}`, name: 'x', content: '' }] },
    ]).flat()
    const turn: readonly Message[] = [{ role: 'user', content: 'q' }, ...calls]
    for (let index = 0; index < 100; index++) await repository.append('c', turn)
    expect(await messageWindowMemory({ repository }).get('c')).toEqual(turn)
    expect(read()).toBeLessThan(turn.length * 4)
  })
})

describe('system messages', () => {
  const system = (content: string): Message => ({ role: 'system', content })
  const user = (content: string): Message => ({ role: 'user', content })
  const [A, B, C] = [system('a'), system('b'), system('c')]

  it('stay, however many turns leave the window', async () => {
    const turns = Array.from({ length: 9 }, (_, index) => user(String(index)))
    expect(await windowed([A, B, ...turns], 2)).toEqual([A, B, user('7'), user('8')])
  })

  it('do not count, even when they alone are more than the window', async () => {
    expect(await windowed([A, B, C, user('x')], 1)).toEqual([A, B, C, user('x')])
  })

  it('give way to newer ones', async () => {
    expect(await windowed([A, B, user('x'), C, user('y')], 9)).toEqual([C, user('x'), user('y')])
  })

  it('stay when the newer ones say nothing new', async () => {
    expect(await windowed([A, B, user('x'), A], 9)).toEqual([A, B, user('x')])
  })
})

describe('options', () => {
  it('remembers 20 messages by default', async () => {
    const memory = messageWindowMemory()
    await memory.add(
      'c',
      Array.from({ length: 25 }, (_, n) => ({ role: 'user', content: `${n}` })),
    )
    expect(await memory.get('c')).toHaveLength(20)
  })

  it('takes whole numbers from 1', () => {
    for (const maxMessages of [0, -1, 1.5, NaN]) {
      expect(() => messageWindowMemory({ maxMessages })).toThrow(/at least 1/)
    }
    expect(() => messageWindowMemory({ size: 3 } as never)).toThrow(/no option "size"/)
  })

  it('clears one conversation', async () => {
    const memory = messageWindowMemory()
    await memory.add('a', [{ role: 'user', content: 'x' }])
    await memory.add('b', [{ role: 'user', content: 'y' }])
    await memory.clear('a')
    expect(await memory.get('a')).toEqual([])
    expect(await memory.get('b')).toHaveLength(1)
  })
})
