import { AssertionError } from 'node:assert'
import { describe, expect, it } from 'vitest'
import {
  embeddingToolIndex,
  hybridToolIndex,
  keywordToolIndex,
  regexToolIndex,
  type EmbeddingModel,
  type ToolIndex,
} from 'toolwright/tool-search'
import { toolIndexContract } from './tool-index-contract.ts'

/** Meaning, as far as this suite needs it: a number for each word it talks of. */
const WORDS = ['weather', 'email', 'invoice', 'letter', 'cat', 'city']
const model: EmbeddingModel = {
  provider: 'test',
  model: 'words',
  embed: async (texts) =>
    texts.map((text) => WORDS.map((word) => (text.toLowerCase().includes(word) ? 1 : 0.001))),
}
const failing: EmbeddingModel = {
  ...model,
  embed: async () => {
    throw new Error('The service is down.')
  },
}

const KEEPING: { readonly [what: string]: () => ToolIndex } = {
  keyword: keywordToolIndex,
  regex: regexToolIndex,
  embedding: () => embeddingToolIndex({ model, minScore: 0.5 }),
  'embedding, its model failing': () => embeddingToolIndex({ model: failing }),
  hybrid: () =>
    hybridToolIndex([
      [keywordToolIndex(), 0.75],
      [embeddingToolIndex({ model, minScore: 0.5 }), 0.25],
    ]),
}

describe.each(Object.entries(KEEPING))('the %s index keeps the contract', (_what, create) => {
  for (const { name, run } of toolIndexContract({ create })) it(name, run)
})

/** The keyword index with one thing wrong. */
const broken = (change: (index: ToolIndex) => Partial<ToolIndex>): (() => ToolIndex) => {
  return () => {
    const index = keywordToolIndex()
    return { ...index, ...change(index) }
  }
}

const FOUND = 'what was indexed is found, best first'
const SUMMARY = 'a tool is shown by the first sentence of its description'
const MOST = 'at most maxResults are given, of as many as matched'
const AGAIN = 'indexing again adds, and replaces tools of the same name'
const REMOVED = 'what was removed is not found, and the rest is'
const APART = 'sessions are apart, also with the same tools'
const CALLED = 'a session is its own, whatever it is called'
const CLEARED = 'a cleared session finds nothing, until it is filled again'
const EMPTY = 'a session without tools finds nothing'
const BLANK = 'a blank query finds nothing'
const HOSTILE = 'no query hangs or breaks it'
const ORDER = 'the order does not hang on the order of indexing'

const BROKEN: readonly (readonly [what: string, create: () => ToolIndex, rejectedBy: string])[] = [
  ['finds nothing', broken(() => ({ search: async () => ({ references: [], total: 0 }) })), FOUND],
  ['never answers', broken(() => ({ search: () => new Promise(() => {}) })), FOUND],
  [
    'gives the worst first',
    broken(({ search }) => ({
      search: async (request) => {
        const found = await search(request)
        return { ...found, references: found.references.toReversed() }
      },
    })),
    MOST,
  ],
  [
    'shows whole descriptions',
    broken(({ search }) => ({
      search: async (request) => {
        const found = await search(request)
        const references = found.references.map((each) => ({
          ...each,
          summary: `${each.summary} More.`,
        }))
        return { ...found, references }
      },
    })),
    SUMMARY,
  ],
  [
    'ignores maxResults',
    broken(({ search }) => ({ search: (request) => search({ ...request, maxResults: 50 }) })),
    MOST,
  ],
  [
    'says a total smaller than what it shows',
    broken(({ search }) => ({
      search: async (request) => ({ ...(await search(request)), total: 0 }),
    })),
    FOUND,
  ],
  [
    'forgets the others when it indexes again',
    broken(({ index, clear }) => ({
      async index(session, references) {
        await clear(session)
        await index(session, references)
      },
    })),
    AGAIN,
  ],
  [
    'keeps the first description of a name',
    broken(({ index }) => {
      const seen = new Set<string>()
      return {
        index: (session, references) =>
          index(
            session,
            references.filter(({ name }) => !seen.has(session + name) && seen.add(session + name)),
          ),
      }
    }),
    AGAIN,
  ],
  ['removes nothing', broken(() => ({ remove: async () => {} })), REMOVED],
  ['removes everything', broken(({ clear }) => ({ remove: (session) => clear(session) })), REMOVED],
  [
    'has one session for all',
    broken(({ index, search, remove, clear }) => ({
      index: (_session, references) => index('one', references),
      search: (request) => search({ ...request, session: 'one' }),
      remove: (_session, names) => remove('one', names),
      clear: () => clear('one'),
    })),
    APART,
  ],
  [
    'ignores the case of sessions',
    broken(({ index, search }) => ({
      index: (session, references) => index(session.toLowerCase(), references),
      search: (request) => search({ ...request, session: request.session.toLowerCase() }),
    })),
    CALLED,
  ],
  ['clears nothing', broken(() => ({ clear: async () => {} })), CLEARED],
  [
    'rejects an unknown session',
    broken(({ search, index }) => {
      const known = new Set<string>()
      return {
        index: (session, references) => {
          known.add(session)
          return index(session, references)
        },
        search: async (request) => {
          if (!known.has(request.session)) throw new Error('Unknown session')
          return search(request)
        },
      }
    }),
    EMPTY,
  ],
  [
    'finds everything for a blank query',
    broken(({ search }) => ({
      search: (request) => search({ ...request, query: request.query.trim() || 'weather' }),
    })),
    BLANK,
  ],
  [
    'takes a query for a pattern of the runtime',
    broken(({ search }) => ({
      search: async (request) => {
        new RegExp(request.query)
        return search(request)
      },
    })),
    HOSTILE,
  ],
  [
    'ranks equals by when they came',
    broken(({ index, search }) => {
      const came: string[] = []
      return {
        index: (session, references) => {
          came.push(...references.map(({ name }) => name))
          return index(session, references)
        },
        search: async (request) => {
          const found = await search(request)
          const references = found.references.toSorted(
            (a, b) => b.score - a.score || came.indexOf(a.name) - came.indexOf(b.name),
          )
          return { ...found, references }
        },
      }
    }),
    ORDER,
  ],
]

describe('the contract rejects an index that', () => {
  for (const [what, create, rejectedBy] of BROKEN)
    it(what, async () => {
      const suite = toolIndexContract({ create, patienceMs: 100 })
      const [named] = suite.filter(({ name }) => name === rejectedBy)
      await expect(named!.run()).rejects.toBeInstanceOf(AssertionError)
    })
})
