import { AssertionError } from 'node:assert'
import { describe, expect, it } from 'vitest'
import type { ChatMemoryRepository } from '../memory/chat-memory.ts'
import type { ConversationKey } from '../messages/conversation-key.ts'
import { inMemoryRepository } from '../memory/in-memory-repository.ts'
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
