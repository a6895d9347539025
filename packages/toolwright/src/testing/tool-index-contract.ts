/** The suite every tool index must pass: what was indexed is found, by its own session only, and bad input harms nobody. */
import assert from 'node:assert/strict'
import type { ToolIndex, ToolReference, ToolSearchResult } from '../tool-search/tool-index.ts'
import type { ContractCase } from './contract-case.ts'
import { DEFAULT_PATIENCE_MS, resolved } from './settling.ts'

export interface ToolIndexContractSetup {
  /** A fresh, empty index. */
  create(): ToolIndex | Promise<ToolIndex>
  /** How long one operation may take before it counts as hanging. Default 5,000. */
  readonly patienceMs?: number
}

const WEATHER: ToolReference = {
  name: 'getCurrentWeather',
  description: 'Get the current weather of a city. Knows every city.',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city' } },
  },
}
const EMAIL: ToolReference = { name: 'sendEmail', description: 'Send an email to somebody' }
const INVOICE: ToolReference = { name: 'createInvoice', description: 'Create an invoice' }
const ALL = [WEATHER, EMAIL, INVOICE]

const ODD_SESSIONS = [
  '__proto__',
  'constructor',
  '',
  ' ',
  'A',
  'a',
  'é',
  'e\u0301',
  'x'.repeat(500),
]
const HOSTILE_QUERIES = [
  '(a+)+$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '[',
  '\\',
  '*',
  '{{{',
  '\u0000',
  '\ud800',
  '__proto__',
  `${'a'.repeat(10_000)}!`,
  'weather '.repeat(1_250),
]

/**
 * @example
 * for (const { name, run } of toolIndexContract({ create: keywordToolIndex })) it(name, run)
 */
export function toolIndexContract(setup: ToolIndexContractSetup): readonly ContractCase[] {
  const { patienceMs = DEFAULT_PATIENCE_MS } = setup
  const soon = <T>(what: string, work: Promise<T>): Promise<T> =>
    resolved({ work, what, patienceMs })
  const search = async (
    index: ToolIndex,
    query: string,
    more: { readonly session?: string; readonly maxResults?: number } = {},
  ): Promise<ToolSearchResult> => {
    const request = { session: 'session', query, ...more }
    const what = `search(${JSON.stringify(query.slice(0, 40))})`
    return checkedResult(await soon(what, index.search(request)))
  }
  const names = async (...asked: Parameters<typeof search>): Promise<readonly string[]> =>
    (await search(...asked)).references.map(({ name }) => name)
  const filled = async (session = 'session'): Promise<ToolIndex> => {
    const index = await setup.create()
    await soon('index()', index.index(session, ALL))
    return index
  }

  return [
    {
      name: 'what was indexed is found, best first',
      async run() {
        const index = await filled()
        assert.equal((await names(index, 'weather'))[0], 'getCurrentWeather')
        assert.equal((await names(index, 'email'))[0], 'sendEmail')
        assert.equal((await names(index, 'invoice'))[0], 'createInvoice')
      },
    },
    {
      name: 'a tool is shown by the first sentence of its description',
      async run() {
        const { references } = await search(await filled(), 'weather')
        assert.equal(references[0]?.summary, 'Get the current weather of a city.')
      },
    },
    {
      name: 'at most maxResults are given, of as many as matched',
      async run() {
        const index = await setup.create()
        const many = Array.from({ length: 30 }, (_none, at) => ({
          ...WEATHER,
          name: `weather${String.fromCharCode(97 + at)}`,
        }))
        await soon('index()', index.index('session', many))
        const two = await search(index, 'weather', { maxResults: 2 })
        assert.equal(two.references.length, 2, 'maxResults is not kept.')
        assert.ok(two.total >= 2, `total is ${two.total}, less than what is shown.`)
        const some = await search(index, 'weather')
        assert.equal(some.references.length, 10, 'Without maxResults there are not ten.')
        await assert.rejects(
          async () => search(index, 'weather', { maxResults: 0 }),
          'maxResults of 0 is taken.',
        )
      },
    },
    {
      name: 'indexing again adds, and replaces tools of the same name',
      async run() {
        const index = await filled()
        const changed = { ...EMAIL, description: 'Post a letter to somebody' }
        await soon('index()', index.index('session', [changed]))
        assert.equal((await names(index, 'weather'))[0], 'getCurrentWeather', 'Others were lost.')
        const { references } = await search(index, 'letter')
        assert.equal(references[0]?.name, 'sendEmail', 'The new description is not searched.')
        assert.equal(references[0]?.summary, 'Post a letter to somebody')
        const twice = (await names(index, 'letter')).filter((name) => name === 'sendEmail')
        assert.equal(twice.length, 1, 'The tool is there twice.')
      },
    },
    {
      name: 'what was removed is not found, and the rest is',
      async run() {
        const index = await filled()
        await soon('remove()', index.remove('session', ['sendEmail', 'never there']))
        assert.ok(!(await names(index, 'email')).includes('sendEmail'), 'It is still found.')
        assert.equal((await names(index, 'weather'))[0], 'getCurrentWeather')
        await soon('index()', index.index('session', [EMAIL]))
        assert.equal((await names(index, 'email'))[0], 'sendEmail', 'It does not come back.')
      },
    },
    {
      name: 'sessions are apart, also with the same tools',
      async run() {
        const index = await filled('a')
        await soon('index()', index.index('b', ALL))
        await soon('remove()', index.remove('a', ['sendEmail']))
        await soon('index()', index.index('a', [{ ...INVOICE, description: 'Feed the cat' }]))
        assert.ok(!(await names(index, 'email', { session: 'a' })).includes('sendEmail'))
        assert.equal((await names(index, 'email', { session: 'b' }))[0], 'sendEmail')
        assert.ok(
          !(await names(index, 'feed the cat', { session: 'b' })).includes('createInvoice'),
          'A change in one session shows in another.',
        )
        await soon('clear()', index.clear('a'))
        assert.equal((await names(index, 'email', { session: 'b' }))[0], 'sendEmail')
      },
    },
    {
      name: 'a session is its own, whatever it is called',
      async run() {
        const index = await setup.create()
        for (const [at, session] of ODD_SESSIONS.entries())
          await soon('index()', index.index(session, [{ ...WEATHER, name: `weather${at}` }]))
        for (const [at, session] of ODD_SESSIONS.entries())
          assert.deepEqual(await names(index, 'weather', { session }), [`weather${at}`])
      },
    },
    {
      name: 'a cleared session finds nothing, until it is filled again',
      async run() {
        const index = await filled()
        await soon('clear()', index.clear('session'))
        assert.deepEqual(await names(index, 'weather'), [], 'It still finds something.')
        await soon('clear()', index.clear('session'))
        await soon('index()', index.index('session', [EMAIL]))
        assert.deepEqual(await names(index, 'email'), ['sendEmail'])
        assert.ok(!(await names(index, 'weather')).includes('getCurrentWeather'))
      },
    },
    {
      name: 'a session without tools finds nothing',
      async run() {
        const index = await setup.create()
        assert.deepEqual(await search(index, 'weather'), { references: [], total: 0 })
        await soon('remove()', index.remove('session', ['weather']))
        await soon('index()', index.index('session', []))
        assert.deepEqual(await names(index, 'weather'), [])
      },
    },
    {
      name: 'a blank query finds nothing',
      async run() {
        const index = await filled()
        for (const query of ['', '   ', '\n\t']) assert.deepEqual(await names(index, query), [])
      },
    },
    {
      name: 'no query hangs or breaks it',
      async run() {
        const index = await filled()
        for (const query of HOSTILE_QUERIES) await search(index, query)
        assert.equal((await names(index, 'weather'))[0], 'getCurrentWeather')
      },
    },
    {
      name: 'the order does not hang on the order of indexing',
      async run() {
        const twins = ['zeta', 'alpha', 'mu'].map((name) => ({ ...WEATHER, name }))
        const forwards = await setup.create()
        const backwards = await setup.create()
        await soon('index()', forwards.index('session', twins))
        await soon('index()', backwards.index('session', twins.toReversed()))
        assert.deepEqual(await names(forwards, 'weather'), await names(backwards, 'weather'))
      },
    },
  ]
}

/** What every answer must be, whoever asked. */
function checkedResult(result: ToolSearchResult): ToolSearchResult {
  const { references, total } = result
  const scores = references.map(({ score }) => score)
  assert.ok(
    references.every(
      ({ name, score, summary }) =>
        typeof name === 'string' && Number.isFinite(score) && typeof summary === 'string',
    ),
    'A found tool lacks its name, score or summary.',
  )
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
    'The best are not first.',
  )
  assert.equal(new Set(references.map(({ name }) => name)).size, references.length, 'Found twice.')
  assert.ok(total >= references.length, 'total is less than what is shown.')
  return result
}
