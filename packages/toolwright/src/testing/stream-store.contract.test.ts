import { AssertionError } from 'node:assert'
import { describe, expect, it } from 'vitest'
import { inMemoryStreams } from '../ui/replay/in-memory-streams.ts'
import type { KeptStream, StreamStore } from '../ui/replay/stream-store.ts'
import { streamStoreContract } from './stream-store-contract.ts'

describe('the store in memory keeps the contract', () => {
  const suite = streamStoreContract({ create: inMemoryStreams, reopen: (store) => store })
  for (const { name, run } of suite) it(name, run)
})

const NOBODY = 'under a key that nobody began nothing runs'
const AS_IT_COMES = 'a reader gets each piece as it comes, to the end'
const FROM_FIRST = 'whoever comes later gets it from its first piece, and all get the same'
const ENDED = 'what has ended is not there to come back to, and whoever reads it gets the rest'
const ORDER = 'what is written without waiting keeps its order'
const AS_WRITTEN = 'text comes as it was written'
const BY_KEY = 'each stream is read by its own key, whatever it looks like'
const IN_PLACE = 'a new stream takes the place of the one before it, which cannot touch it'
const AGAIN = 'a key can be used again after the end'
const LEAVING = 'a reader that leaves changes nothing for the stream and for the others'
const SHARED = 'a stream that runs in one process is read in all'

type Pieces = AsyncIterable<string> | undefined

/** The one in memory, with something changed. */
const changed =
  (change: (inner: StreamStore) => Partial<StreamStore>): (() => StreamStore) =>
  () => {
    const inner = inMemoryStreams()
    return { ...inner, ...change(inner) }
  }
const keyed = (keyOf: (key: string) => string): (() => StreamStore) =>
  changed((inner) => ({
    begin: (key) => inner.begin(keyOf(key)),
    read: (key) => inner.read(keyOf(key)),
  }))
const writing = (write: (stream: KeptStream, text: string) => void | Promise<void>) =>
  changed((inner) => ({
    begin(key) {
      const stream = inner.begin(key)
      return { write: (text) => write(stream, text), end: () => stream.end() }
    },
  }))
const reading = (read: (pieces: AsyncIterable<string>) => AsyncIterable<string>) =>
  changed((inner) => ({
    read(key) {
      const pieces = inner.read(key) as Pieces
      return pieces && read(pieces)
    },
  }))

/** A log for each key that is never taken away. */
function logs(): StreamStore & { readonly kept: Map<string, { text: string; isOver: boolean }> } {
  const kept = new Map<string, { text: string; isOver: boolean }>()
  return {
    kept,
    begin(key) {
      const log = kept.get(key) ?? { text: '', isOver: false }
      kept.set(key, log)
      log.isOver = false
      return {
        write: (text) => void (log.text += text),
        end: () => void (log.isOver = true),
      }
    },
    read(key) {
      const log = kept.get(key)
      return log && followed(log, 0)
    },
  }
}

async function* followed(
  log: { readonly text: string; readonly isOver: boolean },
  from: number,
): AsyncGenerator<string> {
  for (let at = from; ;) {
    if (at < log.text.length) {
      yield log.text.slice(at)
      at = log.text.length
    } else if (log.isOver) return
    else await new Promise((resolve) => setImmediate(resolve))
  }
}

/** The key is the stream: whoever ends or writes one does so to whatever runs under it. */
function byNameAlone(): StreamStore {
  const kept = new Map<string, { text: string; isOver: boolean }>()
  return {
    begin(key) {
      kept.set(key, { text: '', isOver: false })
      return {
        write(text) {
          const log = kept.get(key)
          if (log) log.text += text
        },
        end() {
          const log = kept.get(key)
          if (log) log.isOver = true
          kept.delete(key)
        },
      }
    },
    read(key) {
      const log = kept.get(key)
      return log && followed(log, 0)
    },
  }
}

/** A reader that leaves ends the stream for all. */
const endedByReaders = changed((inner) => {
  const streams = new Map<string, KeptStream>()
  return {
    begin(key) {
      const stream = inner.begin(key)
      streams.set(key, stream)
      return stream
    },
    read(key) {
      const pieces = inner.read(key) as Pieces
      if (!pieces) return undefined
      const end = (): void => void streams.get(key)!.end()
      return (async function* () {
        try {
          yield* pieces
        } finally {
          end()
        }
      })()
    },
  }
})

const forgettingOnEnd = (): StreamStore => {
  const inner = logs()
  return {
    read: (key) => inner.read(key),
    begin(key) {
      const stream = inner.begin(key)
      const log = inner.kept.get(key)!
      return {
        write: (text) => stream.write(text),
        end() {
          // Before readers have had it.
          log.text = ''
          inner.kept.delete(key)
          return stream.end()
        },
      }
    },
  }
}

const BROKEN: readonly (readonly [what: string, create: () => StreamStore, rejectedBy: string])[] =
  [
    ['gives an empty stream for none', changed((inner) => ({ read: (key) => inner.read(key) ?? (async function* () {})() })), NOBODY], // prettier-ignore
    ['has one stream for all keys', keyed(() => 'one'), NOBODY],
    ['keeps streams in a plain object', () => ({ begin: (key) => inMemoryStreams().begin(key), read: (key) => ({}) [key as never] }), NOBODY], // prettier-ignore
    ['ends a reader that has read everything so far', reading(async function* (pieces) { for await (const text of pieces) return void (yield text) }), AS_IT_COMES], // prettier-ignore
    ['gives everything at the end', reading(async function* (pieces) { let all = ''; for await (const text of pieces) all += text; yield all }), AS_IT_COMES], // prettier-ignore
    ['never ends a reader', reading(async function* (pieces) { yield* pieces; await new Promise(() => {}) }), AS_IT_COMES], // prettier-ignore
    ['gives what comes from now on', changed((inner) => ({ async read(key) { const pieces = inner.read(key) as Pieces; const reader = pieces?.[Symbol.asyncIterator](); await reader?.next(); return reader && { [Symbol.asyncIterator]: () => reader } } })), FROM_FIRST], // prettier-ignore
    ['gives each piece to one reader', (() => { const inner = inMemoryStreams(); const shared = new Map<string, AsyncIterator<string>>(); return { begin: inner.begin, read(key: string) { const pieces = inner.read(key) as Pieces; if (pieces && !shared.has(key)) shared.set(key, pieces[Symbol.asyncIterator]()); const reader = shared.get(key); return reader && { [Symbol.asyncIterator]: () => reader } } } }), FROM_FIRST], // prettier-ignore
    ['keeps what has ended', logs, ENDED],
    ['forgets what readers have not had', forgettingOnEnd, ENDED],
    ['writes as it can', writing(async (stream, text) => { await new Promise((resolve) => setTimeout(resolve, text.startsWith('1') ? 5 : 0)); await stream.write(text) }), ORDER], // prettier-ignore
    ['ends before it has written', writing(async (stream, text) => { if (text !== 'begin ') await Promise.resolve(); await stream.write(text) }), ORDER], // prettier-ignore
    ['trims', writing((stream, text) => stream.write(text.trim())), AS_WRITTEN],
    ['normalises', writing((stream, text) => stream.write(text.normalize('NFC'))), AS_WRITTEN],
    ['mends ends of lines', writing((stream, text) => stream.write(text.replaceAll('\r\n', '\n'))), AS_WRITTEN], // prettier-ignore
    ['cuts long texts', writing((stream, text) => stream.write(text.slice(0, 16_384))), AS_WRITTEN],
    ['cuts characters in two', reading(async function* (pieces) { for await (const text of pieces) for (const piece of text.match(/[^]{1,3}/g)!) yield piece.toWellFormed() }), AS_WRITTEN], // prettier-ignore
    ['ignores case', keyed((key) => key.toLowerCase()), BY_KEY],
    ['normalises keys', keyed((key) => key.normalize('NFC')), BY_KEY],
    ['makes keys well-formed', keyed((key) => key.toWellFormed()), BY_KEY],
    ['ends keys at NUL', keyed((key) => key.split('\u0000')[0]!), BY_KEY],
    ['keeps the start of a key', keyed((key) => key.slice(0, 255)), BY_KEY],
    ['goes on with the old stream', logs, IN_PLACE],
    ['lets the old stream touch the new one', byNameAlone, IN_PLACE],
    ['keeps the first stream of a key', (() => { const inner = inMemoryStreams(); const used = new Set<string>(); const deaf: KeptStream = { write() {}, end() {} }; return { read: inner.read, begin: (key: string) => (used.has(key) ? deaf : (used.add(key), inner.begin(key))) } }), AGAIN], // prettier-ignore
    ['is ended by a reader that leaves', endedByReaders, LEAVING],
    ['shares nothing with other processes', () => inMemoryStreams(), SHARED],
  ]

describe('the contract rejects a store that', () => {
  for (const [what, create, rejectedBy] of BROKEN)
    it(what, async () => {
      const suite = streamStoreContract({ create, reopen: create, patienceMs: 500 })
      const [named] = suite.filter(({ name }) => name === rejectedBy)
      await expect(named!.run()).rejects.toBeInstanceOf(AssertionError)
    })
})
