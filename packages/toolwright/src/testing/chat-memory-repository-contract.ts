/** The suite every chat memory repository must pass: nothing lost, nothing mixed up, nothing changed. */
import assert from 'node:assert/strict'
import type { ChatMemoryRepository } from '../memory/chat-memory.ts'
import type { ConversationKey } from '../messages/conversation-key.ts'
import type { Message } from '../messages/message.ts'
import type { ContractCase } from './contract-case.ts'
import { DEFAULT_PATIENCE_MS, inPatience } from './settling.ts'

export interface ChatMemoryRepositoryContractSetup {
  /** A fresh, empty repository. */
  create(): ChatMemoryRepository | Promise<ChatMemoryRepository>
  /** Another one over the same data, as after a restart. Adds the case about it. */
  reopen?(repository: ChatMemoryRepository): ChatMemoryRepository | Promise<ChatMemoryRepository>
  /** How long one case may take before it counts as hanging. Default 5,000. */
  readonly patienceMs?: number
}

const said = (content: string): Message => ({ role: 'user', content })
const [ONE, TWO, THREE] = [said('one'), said('two'), said('three')]

/** One of each kind of message and part, with everything that may hang on it. */
const EVERYTHING: readonly Message[] = [
  { role: 'system', content: 'Be short.', providerOptions: { anthropic: { cache: true } } },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is this? 😀 "quoted" \\ \u0000 line\nbreak' },
      { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
      { type: 'file', mediaType: 'text/plain', url: 'https://example.com/a.txt', name: 'a.txt' },
    ],
    label: { trust: 'untrusted', private: true, source: 'browser' },
  },
  {
    role: 'assistant',
    runId: 'run_1',
    content: [
      {
        type: 'reasoning',
        text: 'Let me see.',
        providerData: { signature: 'c2ln', parts: [1, null] },
      },
      { type: 'text', text: 'I will look.' },
      {
        type: 'tool-call',
        id: 'call_1',
        name: 'look',
        arguments: '{ "n": 1.0 }',
        providerData: 'x',
      },
      { type: 'tool-call', id: 'call_2', name: 'look', arguments: '{"n":' },
      { type: 'provider', kind: 'web_search', data: { results: [{ title: 'A' }] } },
    ],
  },
  {
    role: 'tool',
    responses: [
      { id: 'call_1', name: 'look', content: 'A cat.', label: { trust: 'untrusted' } },
      { id: 'call_2', name: 'look', content: [{ type: 'text', text: 'No.' }], isError: true },
    ],
  },
  { role: 'assistant', content: '' },
]

/** Keys that a careless encoding takes for each other. */
const NEIGHBOURS: readonly ConversationKey[] = [
  'a',
  'A',
  'a:b',
  'a/b',
  '["a","b"]',
  '__proto__',
  { tenant: 'a', conversation: 'b' },
  { tenant: 'b', conversation: 'a' },
  { tenant: 'a', conversation: 'b:c' },
  { tenant: 'a:b', conversation: 'c' },
  { tenant: 'a', conversation: '' },
  { tenant: '', conversation: 'a' },
]

interface RepositoryCase {
  readonly name: string
  check(repository: ChatMemoryRepository): Promise<void>
}

/**
 * @example
 * const suite = chatMemoryRepositoryContract({ create: inMemoryRepository })
 */
export function chatMemoryRepositoryContract(
  setup: ChatMemoryRepositoryContractSetup,
): readonly ContractCase[] {
  const { reopen, patienceMs = DEFAULT_PATIENCE_MS } = setup
  const restart: readonly RepositoryCase[] = reopen ? [restartCase(reopen)] : []
  return [...CASES, ...restart].map(({ name, check }) => ({
    name,
    async run() {
      const work = Promise.resolve(setup.create()).then(check)
      await inPatience({ work, what: name, patienceMs })
    },
  }))
}

const CASES: readonly RepositoryCase[] = [
  {
    name: 'a conversation nobody wrote to is empty',
    async check(repository) {
      assert.deepEqual(await repository.find('unknown'), [])
      assert.deepEqual(await repository.find('unknown', { last: 5 }), [])
      assert.deepEqual(await repository.conversations(), [])
      await repository.delete('unknown')
    },
  },
  {
    name: 'messages are found in the order they were appended',
    async check(repository) {
      await repository.append('a', [ONE, TWO])
      await repository.append('a', [])
      await repository.append('a', [THREE])
      assert.deepEqual(await repository.find('a'), [ONE, TWO, THREE])
    },
  },
  {
    name: 'every kind of message comes back as it was, tool messages too',
    async check(repository) {
      await repository.append('a', EVERYTHING)
      assert.deepEqual(await repository.find('a'), EVERYTHING, 'append changed a message.')
      await repository.replace('b', EVERYTHING)
      assert.deepEqual(await repository.find('b'), EVERYTHING, 'replace changed a message.')
    },
  },
  {
    name: 'last gives the newest messages, oldest first',
    async check(repository) {
      await repository.append('a', [ONE, TWO, THREE])
      assert.deepEqual(await repository.find('a', { last: 2 }), [TWO, THREE])
      assert.deepEqual(await repository.find('a', { last: 3 }), [ONE, TWO, THREE])
      assert.deepEqual(await repository.find('a', { last: 100 }), [ONE, TWO, THREE])
      assert.deepEqual(await repository.find('a', { last: 0 }), [])
    },
  },
  {
    name: 'replace leaves only the new messages',
    async check(repository) {
      await repository.append('a', [ONE, TWO])
      await repository.append('b', [ONE])
      await repository.replace('a', [THREE])
      assert.deepEqual(await repository.find('a'), [THREE])
      assert.deepEqual(await repository.find('b'), [ONE], 'Another conversation was replaced.')
      await repository.append('a', [ONE])
      assert.deepEqual(await repository.find('a'), [THREE, ONE])
    },
  },
  {
    name: 'delete removes one conversation',
    async check(repository) {
      await repository.append('a', [ONE])
      await repository.append({ tenant: 'a', conversation: 'a' }, [TWO])
      await repository.delete('a')
      assert.deepEqual(await repository.find('a'), [])
      const kept = { tenant: 'a', conversation: 'a' }
      assert.deepEqual(await repository.find(kept), [TWO], 'Another conversation was deleted.')
      assert.deepEqual(await repository.conversations(), [kept])
      await repository.append('a', [THREE])
      assert.deepEqual(await repository.find('a'), [THREE], 'Deleted messages are back.')
    },
  },
  {
    name: 'conversations lists every key once, as it was given',
    async check(repository) {
      for (const key of NEIGHBOURS) await repository.append(key, [ONE])
      for (const key of NEIGHBOURS) await repository.append(key, [TWO])
      const texts = (keys: readonly ConversationKey[]): readonly string[] =>
        keys
          .map((key) =>
            JSON.stringify(typeof key === 'string' ? key : [key.tenant, key.conversation]),
          )
          .toSorted()
      assert.deepEqual(texts(await repository.conversations()), texts(NEIGHBOURS))
    },
  },
  {
    name: 'no two keys share a conversation, whatever they look like',
    async check(repository) {
      for (const [index, key] of NEIGHBOURS.entries())
        await repository.append(key, [said(`of ${index}`)])
      for (const [index, key] of NEIGHBOURS.entries()) {
        const shown = JSON.stringify(key)
        assert.deepEqual(await repository.find(key), [said(`of ${index}`)], `${shown} is shared.`)
      }
    },
  },
  {
    name: 'appending at the same time loses nothing and tears nothing apart',
    async check(repository) {
      const batches = Array.from({ length: 20 }, (_, index) => [
        said(`${index} first`),
        said(`${index} second`),
      ])
      await Promise.all(batches.map((batch) => repository.append('a', batch)))
      const found = await repository.find('a')
      assert.equal(found.length, 40, `${found.length} of 40 messages are there.`)
      for (const [first, second] of batches) {
        const at = found.findIndex((message) => same(message, first!))
        assert.ok(at >= 0, 'A message was lost.')
        assert.deepEqual(found[at + 1], second, 'Two appends were mixed.')
      }
    },
  },
  {
    name: 'what was given and what was found stays as it is',
    async check(repository) {
      const given = [ONE]
      await repository.append('a', given)
      const found = await repository.find('a')
      given.push(TWO)
      await repository.append('a', [THREE])
      assert.deepEqual(found, [ONE], 'An earlier result changed.')
      assert.deepEqual(
        await repository.find('a'),
        [ONE, THREE],
        'A list kept by the caller counts.',
      )
    },
  },
]

const restartCase = (
  reopen: NonNullable<ChatMemoryRepositoryContractSetup['reopen']>,
): RepositoryCase => ({
  name: 'everything is still there after a restart',
  async check(repository) {
    await repository.append('a', EVERYTHING)
    await repository.append({ tenant: 'a', conversation: 'b' }, [ONE])
    const reopened = await reopen(repository)
    assert.deepEqual(await reopened.find('a'), EVERYTHING)
    assert.equal((await reopened.conversations()).length, 2)
    await reopened.append({ tenant: 'a', conversation: 'b' }, [TWO])
    assert.deepEqual(await reopened.find({ tenant: 'a', conversation: 'b' }), [ONE, TWO])
  },
})

const same = (a: Message, b: Message): boolean => JSON.stringify(a) === JSON.stringify(b)
