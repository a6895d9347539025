/** The suite every stream store must pass: whoever comes back gets a running stream whole, and nothing of another one. */
import assert from 'node:assert/strict'
import type { KeptStream, StreamStore } from '../ui/replay/stream-store.ts'
import type { ContractCase } from './contract-case.ts'
import { inWords, ODD_TEXTS } from './odd-texts.ts'
import { DEFAULT_PATIENCE_MS, inPatience } from './settling.ts'

export interface StreamStoreContractSetup {
  /** A fresh, empty store. */
  create(): StreamStore | Promise<StreamStore>
  /** Another store over the same data, as a second process would open it. Adds the case about sharing. */
  reopen?(store: StreamStore): StreamStore | Promise<StreamStore>
  /** How long one case may take before it counts as hanging. Default 5,000. */
  readonly patienceMs?: number
}

/**
 * @example
 * for (const { name, run } of streamStoreContract({ create: inMemoryStreams })) it(name, run)
 */
export function streamStoreContract(setup: StreamStoreContractSetup): readonly ContractCase[] {
  const { create, reopen, patienceMs = DEFAULT_PATIENCE_MS } = setup
  const shared = reopen ? [sharedCase(reopen)] : []
  return [...CASES, ...shared].map(({ name, check }) => ({
    name,
    async run() {
      await inPatience({ work: check(await create()), what: name, patienceMs })
    },
  }))
}

interface StoreCase {
  readonly name: string
  check(store: StreamStore): Promise<void>
}

type Reader = AsyncIterator<string>

async function readerOf(store: StreamStore, key: string): Promise<Reader> {
  const pieces = await store.read(key)
  assert.ok(pieces, `Nothing runs under ${inWords(key)}, though a stream was begun.`)
  return pieces[Symbol.asyncIterator]()
}

/** Reads on until it has this many characters. How they come in pieces is the store's affair. */
async function taken(reader: Reader, length: number): Promise<string> {
  let text = ''
  while (text.length < length) {
    const { done, value } = await reader.next()
    assert.ok(!done, `The stream has ended after ${inWords(text)}, though it runs.`)
    text += value
  }
  return text
}

async function rest(reader: Reader): Promise<string> {
  let text = ''
  for (let step = await reader.next(); !step.done; step = await reader.next()) text += step.value
  return text
}

/** A stream that is there for readers: what begins it need not have ended when `begin` returns. */
async function begun(store: StreamStore, key: string, text: string): Promise<KeptStream> {
  const stream = store.begin(key)
  await stream.write(text)
  return stream
}

const CASES: readonly StoreCase[] = [
  {
    name: 'under a key that nobody began nothing runs',
    async check(store) {
      await begun(store, 'one', 'a')
      for (const key of ['other', '', 'constructor', '__proto__'])
        assert.equal(await store.read(key), undefined, `Something runs under ${inWords(key)}.`)
    },
  },
  {
    name: 'a reader gets each piece as it comes, to the end',
    async check(store) {
      const stream = await begun(store, 'key', 'a')
      const reader = await readerOf(store, 'key')
      assert.equal(await taken(reader, 1), 'a')
      await stream.write('b')
      assert.equal(await taken(reader, 1), 'b')
      const next = taken(reader, 1)
      await stream.write('c')
      assert.equal(await next, 'c')
      const last = rest(reader)
      await stream.end()
      assert.equal(await last, '', 'There is more than was written.')
    },
  },
  {
    name: 'whoever comes later gets it from its first piece, and all get the same',
    async check(store) {
      const stream = await begun(store, 'key', 'a')
      const early = await readerOf(store, 'key')
      assert.equal(await taken(early, 1), 'a')
      await stream.write('b')
      const late = await readerOf(store, 'key')
      assert.equal(await taken(late, 2), 'ab')
      await stream.write('c')
      const [ends, texts] = [[early, late].map(rest), ['bc', 'c']]
      await stream.end()
      assert.deepEqual(await Promise.all(ends), texts)
    },
  },
  {
    name: 'what has ended is not there to come back to, and whoever reads it gets the rest',
    async check(store) {
      const stream = await begun(store, 'key', 'a')
      const reader = await readerOf(store, 'key')
      await stream.write('b')
      await stream.end()
      assert.equal(await store.read('key'), undefined, 'A stream that has ended still runs.')
      assert.equal(await rest(reader), 'ab')
    },
  },
  {
    name: 'what is written without waiting keeps its order',
    async check(store) {
      const stream = await begun(store, 'key', 'begin ')
      const reader = await readerOf(store, 'key')
      const numbers = Array.from({ length: 200 }, (_none, index) => `${index} `)
      const writing = numbers.map((text) => stream.write(text))
      const ending = stream.end()
      assert.equal(await rest(reader), `begin ${numbers.join('')}`)
      await Promise.all([...writing, ending])
    },
  },
  {
    name: 'text comes as it was written',
    async check(store) {
      const odd = ODD_TEXTS.filter((text) => text.isWellFormed() && !text.includes('\u0000'))
      const texts = [...odd, 'data: {}\n\n', '\r\n', '\n', '😀'.repeat(20_000)]
      const stream = await begun(store, 'key', 'begin')
      const reader = await readerOf(store, 'key')
      for (const text of texts) await stream.write(text)
      await stream.end()
      const read = await rest(reader)
      assert.ok(read === `begin${texts.join('')}`, 'What was read is not what was written.')
    },
  },
  {
    name: 'each stream is read by its own key, whatever it looks like',
    async check(store) {
      const streams: KeptStream[] = []
      for (const [index, key] of ODD_TEXTS.entries())
        streams.push(await begun(store, key, `of ${index};`))
      const readers = await Promise.all(ODD_TEXTS.map((key) => readerOf(store, key)))
      await Promise.all(streams.map((stream) => stream.end()))
      for (const [index, reader] of readers.entries())
        assert.equal(await rest(reader), `of ${index};`, `Read by ${inWords(ODD_TEXTS[index]!)}.`)
    },
  },
  {
    name: 'a new stream takes the place of the one before it, which cannot touch it',
    async check(store) {
      const old = await begun(store, 'key', 'old')
      const stream = await begun(store, 'key', 'new')
      await old.write(' of old')
      const reader = await readerOf(store, 'key')
      await old.end()
      assert.ok(await store.read('key'), 'The end of the old stream has ended the new one.')
      await stream.write('er')
      await stream.end()
      assert.equal(await rest(reader), 'newer')
    },
  },
  {
    name: 'a key can be used again after the end',
    async check(store) {
      await (await begun(store, 'key', 'first')).end()
      const stream = await begun(store, 'key', 'second')
      const reader = await readerOf(store, 'key')
      await stream.end()
      assert.equal(await rest(reader), 'second')
    },
  },
  {
    name: 'a reader that leaves changes nothing for the stream and for the others',
    async check(store) {
      const stream = await begun(store, 'key', 'a')
      const [leaving, staying] = [await readerOf(store, 'key'), await readerOf(store, 'key')]
      await taken(leaving, 1)
      await leaving.return?.()
      await stream.write('b')
      assert.equal(await taken(await readerOf(store, 'key'), 2), 'ab')
      await stream.end()
      assert.equal(await rest(staying), 'ab')
    },
  },
]

const sharedCase = (
  reopen: (store: StreamStore) => StreamStore | Promise<StreamStore>,
): StoreCase => ({
  name: 'a stream that runs in one process is read in all',
  async check(store) {
    const other = await reopen(store)
    const stream = await begun(store, 'key', 'a')
    const reader = await readerOf(other, 'key')
    assert.equal(await taken(reader, 1), 'a')
    await stream.write('b')
    assert.equal(await taken(reader, 1), 'b')
    await stream.end()
    assert.equal(await rest(reader), '')
    assert.equal(await other.read('key'), undefined, 'It has ended, and runs elsewhere.')
  },
})
