import { AssertionError } from 'node:assert'
import { describe, expect, it } from 'vitest'
import type { ChatMemoryRepository, ConversationTail } from '../memory/chat-memory.ts'
import type { ConversationKey } from '../messages/conversation-key.ts'
import { inMemoryRepository } from '../memory/in-memory-repository.ts'
import { systemGroups } from '../memory/system-groups.ts'
import type { Message } from '../messages/message.ts'
import { chatMemoryRepositoryContract } from './chat-memory-repository-contract.ts'

describe('the repository in memory keeps the contract', () => {
  const suite = chatMemoryRepositoryContract({
    create: inMemoryRepository,
    reopen: (repository) => repository,
  })
  for (const { name, run } of suite) it(name, run)
})

const EMPTY = 'a conversation nobody wrote to is empty'
const ORDER = 'messages are found in the order they were appended'
const EVERY_KIND = 'every kind of message comes back as it was, tool messages too'
const LAST = 'last gives the newest messages, oldest first'
const REPLACE = 'replace leaves only the new messages'
const DELETE = 'delete removes one conversation'
const LISTED = 'conversations lists every key once, as it was given'
const SEPARATE = 'no two keys share a conversation, whatever they look like'
const AT_ONCE = 'appending at the same time loses nothing and tears nothing apart'
const STAYS = 'what was given and what was found stays as it is'
const ANY_TEXT = 'any text comes back as it was, NUL and half characters too'
const ANY_KEY = 'any key is a key of its own, however long and in whatever letters'
const MEGABYTE = 'a message of a megabyte comes back whole'
const AS_JSON = 'data of providers comes back as JSON gives it, numbers, order of keys and depth'
const EACH_ORDER = 'appending to several conversations at the same time keeps the order of each'
const TAIL =
  'tail gives the newest messages, how many came before, and all system messages in their groups'
const RESTART = 'everything is still there after a restart'

type Change = (inner: ChatMemoryRepository) => Partial<ChatMemoryRepository>

const keyed =
  (keyOf: (key: ConversationKey) => ConversationKey): Change =>
  (inner) => ({
    find: (key, options) => inner.find(keyOf(key), options),
    append: (key, messages) => inner.append(keyOf(key), messages),
    replace: (key, messages) => inner.replace(keyOf(key), messages),
    delete: (key) => inner.delete(keyOf(key)),
  })

const storing =
  (change: (message: Message) => readonly Message[]): Change =>
  (inner) => ({ append: (key, messages) => inner.append(key, messages.flatMap(change)) })

/** Keeps messages of which every text was changed. */
const texts = (change: (text: string) => string): Change =>
  storing((message) => [
    JSON.parse(JSON.stringify(message), (_key, value: unknown) =>
      typeof value === 'string' ? change(value) : value,
    ) as Message,
  ])

/** Finds conversations under other names. */
const named = (change: (text: string) => string): Change =>
  keyed((key) =>
    typeof key === 'string'
      ? change(key)
      : { tenant: change(key.tenant), conversation: change(key.conversation) },
  )

const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}

/** What is deeper than this is cut off. */
const cutAt = (value: unknown, depth: number): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return null
  if (Array.isArray(value)) return value.map((item) => cutAt(item, depth - 1))
  const entries = Object.entries(value).map(([key, inner]) => [key, cutAt(inner, depth - 1)])
  return Object.fromEntries(entries) as unknown
}

const tailing =
  (
    change: (tail: ConversationTail, all: readonly Message[]) => Partial<ConversationTail>,
  ): Change =>
  (inner) => ({
    async tail(key, options) {
      const tail = await inner.tail!(key, options)
      return { ...tail, ...change(tail, await inner.find(key)) }
    },
  })

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const BROKEN: readonly (readonly [what: string, change: Change, rejectedBy: string])[] = [
  [
    'knows no empty conversation',
    (inner) => ({
      async find(key, options) {
        const found = await inner.find(key, options)
        return found.length > 0 ? found : (undefined as never)
      },
    }),
    EMPTY,
  ],
  ['never answers', () => ({ find: () => new Promise(() => {}) }), EMPTY],
  [
    'finds the newest first',
    (inner) => ({ find: async (key, options) => (await inner.find(key, options)).toReversed() }),
    ORDER,
  ],
  ['overwrites instead of appending', (inner) => ({ append: inner.replace }), ORDER],
  [
    'drops tool messages',
    storing((message) => (message.role === 'tool' ? [] : [message])),
    EVERY_KIND,
  ],
  [
    'keeps only text',
    storing((message) => [
      message.role === 'assistant' ? { ...message, content: String(message.content) } : message,
    ]),
    EVERY_KIND,
  ],
  ['drops labels', storing(({ label: _label, ...message }) => [message as Message]), EVERY_KIND],
  [
    'gives the oldest for last',
    (inner) => ({
      find: async (key, options) => (await inner.find(key)).slice(0, options?.last ?? Infinity),
    }),
    LAST,
  ],
  [
    'takes last 0 for all',
    (inner) => ({ find: (key, options) => inner.find(key, options?.last ? options : {}) }),
    LAST,
  ],
  ['adds on replace', (inner) => ({ replace: inner.append }), REPLACE],
  ['keeps what was deleted', () => ({ delete: async () => {} }), DELETE],
  [
    'deletes every conversation of that name',
    (inner) => ({
      async delete(key) {
        for (const other of await inner.conversations()) await inner.delete(other)
        await inner.delete(key)
      },
    }),
    DELETE,
  ],
  [
    'lists tenants as text',
    (inner) => ({
      conversations: async () =>
        (await inner.conversations()).map((key) =>
          typeof key === 'string' ? key : `${key.tenant}:${key.conversation}`,
        ),
    }),
    LISTED,
  ],
  [
    'joins tenant and conversation by a colon',
    keyed((key) => (typeof key === 'string' ? key : `${key.tenant}:${key.conversation}`)),
    SEPARATE,
  ],
  [
    'ignores the tenant',
    keyed((key) => (typeof key === 'string' ? key : key.conversation)),
    SEPARATE,
  ],
  ['ignores case', keyed((key) => (typeof key === 'string' ? key.toLowerCase() : key)), SEPARATE],
  [
    'loses one of two appends',
    (inner) => ({
      async append(key, messages) {
        const before = await inner.find(key)
        await pause()
        await inner.replace(key, [...before, ...messages])
      },
    }),
    AT_ONCE,
  ],
  [
    'appends message by message',
    (inner) => ({
      async append(key, messages) {
        for (const message of messages) {
          await inner.append(key, [message])
          await pause()
        }
      },
    }),
    AT_ONCE,
  ],
  [
    'keeps the list of the caller',
    () => {
      const lists = new Map<string, Message[]>()
      return {
        find: async (key) => lists.get(String(key)) ?? [],
        async append(key, messages) {
          const list = lists.get(String(key))
          if (list) list.push(...messages)
          else lists.set(String(key), messages as Message[])
        },
      }
    },
    STAYS,
  ],
  ['drops NUL', texts((text) => text.replaceAll('\u0000', '')), ANY_TEXT],
  ['ends texts at NUL', texts((text) => text.split('\u0000')[0]!), ANY_TEXT],
  ['unescapes once too often', texts((text) => text.replaceAll('\\u0000', '\u0000')), ANY_TEXT],
  ['replaces half characters', texts((text) => text.toWellFormed()), ANY_TEXT],
  ['trims texts', texts((text) => text.trim()), ANY_TEXT],
  ['normalises texts', texts((text) => text.normalize('NFC')), ANY_TEXT],
  ['changes line ends', texts((text) => text.replaceAll('\r\n', '\n')), ANY_TEXT],
  ['drops NUL in keys', named((text) => text.replaceAll('\u0000', '')), ANY_KEY],
  ['replaces half characters in keys', named((text) => text.toWellFormed()), ANY_KEY],
  ['normalises keys', named((text) => text.normalize('NFC')), ANY_KEY],
  ['keeps the start of a key', named((text) => text.slice(0, 2_000)), ANY_KEY],
  ['trims keys', named((text) => text.trim()), ANY_KEY],
  [
    'lists keys without half characters',
    (inner) => ({
      conversations: async () =>
        (await inner.conversations()).map((key) =>
          typeof key === 'string' ? key.toWellFormed() : key,
        ),
    }),
    ANY_KEY,
  ],
  ['cuts long texts', texts((text) => text.slice(0, 1_000_000)), MEGABYTE],
  [
    'keeps numbers as text of 15 digits',
    storing((message) => [
      JSON.parse(JSON.stringify(message), (_key, value: unknown) =>
        typeof value === 'number' ? Number(value.toPrecision(15)) : value,
      ) as Message,
    ]),
    AS_JSON,
  ],
  ['sorts keys', storing((message) => [sorted(message) as Message]), AS_JSON],
  ['keeps a few levels', storing((message) => [cutAt(message, 500) as Message]), AS_JSON],
  [
    'writes appends in another order than they came',
    (inner) => {
      let count = 0
      return {
        async append(key, messages) {
          // Every third is written in the background.
          if (++count % 3 > 0) return inner.append(key, messages)
          void pause().then(() => inner.append(key, messages))
        },
      }
    },
    EACH_ORDER,
  ],
  ['counts all messages as skipped', tailing((_tail, all) => ({ skipped: all.length })), TAIL],
  ['skips one more', tailing(({ messages }) => ({ messages: messages.slice(1) })), TAIL],
  [
    'takes system messages for one group',
    tailing(({ system }) => ({ system: system.length > 0 ? [system.flat()] : [] })),
    TAIL,
  ],
  [
    'takes each system message for a group',
    tailing(({ system }) => ({ system: system.flat().map((each) => [each]) })),
    TAIL,
  ],
  [
    'gives the system messages of the tail only',
    tailing(({ messages }) => ({ system: systemGroups(messages) })),
    TAIL,
  ],
]

describe('the contract rejects a repository that', () => {
  for (const [what, change, rejectedBy] of BROKEN)
    it(what, async () => {
      const create = (): ChatMemoryRepository => {
        const inner = inMemoryRepository()
        return { ...inner, ...change(inner) }
      }
      const suite = chatMemoryRepositoryContract({ create, patienceMs: 200 })
      const [named] = suite.filter(({ name }) => name === rejectedBy)
      await expect(named!.run()).rejects.toBeInstanceOf(AssertionError)
    })

  it('forgets everything at a restart', async () => {
    const suite = chatMemoryRepositoryContract({
      create: inMemoryRepository,
      reopen: inMemoryRepository,
    })
    const [named] = suite.filter(({ name }) => name === RESTART)
    await expect(named!.run()).rejects.toBeInstanceOf(AssertionError)
  })
})
