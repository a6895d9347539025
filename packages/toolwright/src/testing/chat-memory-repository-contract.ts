/** The suite every chat memory repository must pass: nothing lost, nothing mixed up, nothing changed. */
import assert from 'node:assert/strict'
import type { ChatMemoryRepository } from '../memory/chat-memory.ts'
import type { ConversationKey } from '../messages/conversation-key.ts'
import type { Message } from '../messages/message.ts'
import type { Json } from '../messages/json.ts'
import { textOf } from '../messages/reading.ts'
import type { ContractCase } from './contract-case.ts'
import { inWords, ODD_TEXTS } from './odd-texts.ts'
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

/** The same odd text as a conversation, as a tenant, and as a tenant's conversation. */
const ODD_KEYS: readonly ConversationKey[] = ODD_TEXTS.flatMap((text) => [
  text,
  { tenant: text, conversation: 'a' },
  { tenant: 'a', conversation: text },
])

/** What a database may not hold as it is, or changes on the way. */
const HARD_TEXTS: readonly string[] = [
  ...ODD_TEXTS,
  '\u0000',
  'a\u0000b\u0000',
  '\\u0000',
  '\ud83d',
  'x\udc00\ud800y',
  '\ufeffbegin',
  '\u2028\u2029',
  'cr\r\nlf\n',
  '  spaces  ',
]

/** Numbers as JSON writes them, keys in the order they were given, many levels. */
function hardData(): Json {
  const numbers = [-0, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 2 ** 53, -1]
  const keys = JSON.parse('{"z":1,"a":{"__proto__":[true],"":null},"\\u0000":"\\ud800"}') as Json
  let deep: Json = [numbers, keys]
  for (let level = 0; level < 1_000; level++) deep = level % 2 ? { level: deep } : [deep]
  return deep
}

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
  return [...CASES, ...HARD_CASES, TAIL_CASE, ...restart].map(({ name, check }) => ({
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
      assert.deepEqual(textsOf(await repository.conversations()), textsOf(NEIGHBOURS))
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

const HARD_CASES: readonly RepositoryCase[] = [
  {
    name: 'any text comes back as it was, NUL and half characters too',
    async check(repository) {
      const messages = HARD_TEXTS.flatMap((text): readonly Message[] => [
        { role: 'system', content: text },
        { role: 'user', content: [{ type: 'text', text }] },
        {
          role: 'assistant',
          runId: text,
          content: [{ type: 'tool-call', id: text, name: text, arguments: text }],
        },
        { role: 'tool', runId: text, responses: [{ id: text, name: text, content: text }] },
      ])
      await repository.append('a', messages)
      await repository.replace('b', messages)
      for (const key of ['a', 'b'])
        for (const [index, message] of (await repository.find(key)).entries())
          assert.ok(
            same(message, messages[index]!),
            `${inWords(textIn(messages[index]!))} changed.`,
          )
    },
  },
  {
    name: 'any key is a key of its own, however long and in whatever letters',
    async check(repository) {
      for (const [index, key] of ODD_KEYS.entries())
        await repository.append(key, [said(`of ${index}`)])
      for (const [index, key] of ODD_KEYS.entries()) {
        const found = await repository.find(key)
        assert.deepEqual(found, [said(`of ${index}`)], `${shownKey(key)} is not found for itself.`)
      }
      const listed = await repository.conversations()
      assert.deepEqual(textsOf(listed), textsOf(ODD_KEYS), 'They are not all listed as given.')
      await repository.delete(ODD_KEYS.at(-1)!)
      assert.equal((await repository.conversations()).length, ODD_KEYS.length - 1)
    },
  },
  {
    name: 'a message of a megabyte comes back whole',
    async check(repository) {
      const large = said('0123456789abcdé😀'.repeat(65_536))
      await repository.append('a', [ONE, large, TWO])
      const found = await repository.find('a', { last: 2 })
      assert.ok(found.length === 2 && same(found[0]!, large) && same(found[1]!, TWO), 'It changed.')
    },
  },
  {
    name: 'data of providers comes back as JSON gives it, numbers, order of keys and depth',
    async check(repository) {
      const providerData = hardData()
      const message: Message = {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Well.', providerData },
          { type: 'provider', kind: 'search', data: providerData },
        ],
      }
      await repository.append('a', [message])
      const [found] = await repository.find('a')
      assert.equal(JSON.stringify(found), JSON.stringify(message))
    },
  },
  {
    name: 'appending to several conversations at the same time keeps the order of each',
    async check(repository) {
      const keys = Array.from({ length: 5 }, (_, index) => `conversation ${index}`)
      const turns = Array.from({ length: 8 }, (_, index) => [
        said(`${index} a`),
        said(`${index} b`),
      ])
      await Promise.all(
        keys.map(async (key) => {
          for (const turn of turns) await repository.append(key, turn)
        }),
      )
      for (const key of keys)
        assert.deepEqual(await repository.find(key), turns.flat(), `${key} is in another order.`)
    },
  },
]

const system = (content: string): Message => ({ role: 'system', content })
const [A, B, C] = [system('a'), system('b'), system('c')]

/** For repositories that have `tail`. */
const TAIL_CASE: RepositoryCase = {
  name: 'tail gives the newest messages, how many came before, and all system messages in their groups',
  async check(repository) {
    const { tail } = repository
    if (!tail) return
    const expectTail = async (
      key: string,
      messages: readonly Message[],
      groups: readonly (readonly Message[])[],
    ): Promise<void> => {
      for (const last of [0, 1, 2, 3, messages.length, messages.length + 1, 1_000]) {
        const found = await repository.tail!(key, { last })
        const begin = Math.max(0, messages.length - last)
        assert.deepEqual(found.messages, messages.slice(begin), `Other messages for ${last}.`)
        assert.equal(found.skipped, begin, `A wrong number of skipped messages for ${last}.`)
        assert.deepEqual(found.system, groups, `Other groups for ${last}.`)
      }
    }
    await expectTail('nothing', [], [])
    const messages = [A, B, ONE, C, TWO, THREE, A, A, B, ONE, TWO]
    await repository.append('a', messages.slice(0, 1))
    await repository.append('b', [C, ONE])
    await repository.append('a', messages.slice(1, 8))
    await repository.append('b', [C])
    await repository.append('a', messages.slice(8))
    await expectTail('a', messages, [[A, B], [C], [A, A, B]])
    await expectTail('b', [C, ONE, C], [[C], [C]])
    await repository.replace('a', [TWO, C])
    await expectTail('a', [TWO, C], [[C]])
    await repository.append('a', [B, ONE])
    await expectTail('a', [TWO, C, B, ONE], [[C, B]])
    await repository.delete('a')
    await expectTail('a', [], [])
    await repository.append('a', [A, ONE])
    await expectTail('a', [A, ONE], [[A]])
  },
}

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

const shownKey = (key: ConversationKey): string =>
  typeof key === 'string' ? inWords(key) : `${inWords(key.tenant)}, ${inWords(key.conversation)}`

const textsOf = (keys: readonly ConversationKey[]): readonly string[] =>
  keys
    .map((key) => JSON.stringify(typeof key === 'string' ? key : [key.tenant, key.conversation]))
    .toSorted()

const textIn = (message: Message): string =>
  message.role === 'tool' ? 'A response' : textOf(message)
