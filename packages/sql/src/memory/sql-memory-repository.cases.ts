/** What the contract of repositories does not ask for: readable rows, long keys, windows by index, searching. */
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConversationKey, Message, SystemMessage } from 'toolwright'
import {
  openDatabase,
  sqlMemoryRepository,
  type Database,
  type ListedConversation,
} from '@toolwright/sql'
import { failure } from '../testing/failure.ts'
import { freshPrefix, loggedKysely, type Stage } from '../testing/stages.ts'

const said = (content: string): Message => ({ role: 'user', content })
const [ONE, TWO] = [said('one'), said('two')]

export function repositoryCases(stage: () => Stage): void {
  let database: Database
  beforeAll(async () => {
    if (stage()) database = await stage().open()
  })
  afterAll(() => database?.close())

  it('keeps rows that people can read', async () => {
    const prefix = freshPrefix()
    await sqlMemoryRepository(database, { prefix }).append(
      { tenant: 'Zoë & Söhne', conversation: 'c\u0000 \ud800' },
      [said('Grüße 😀')],
    )
    const { plain } = stage()
    expect(
      await plain.selectFrom(`${prefix}conversations`).select(['tenant', 'conversation']).execute(),
    ).toEqual([{ tenant: 'Zoë & Söhne', conversation: 'c\\u0000 \\ud800' }])
    const rows = await plain.selectFrom(`${prefix}messages`).select(['content']).execute()
    expect(rows).toEqual([{ content: '{"role":"user","content":"Grüße 😀"}' }])
  })

  it('takes keys of any length and any signs', async () => {
    const repository = sqlMemoryRepository(database, { prefix: freshPrefix() })
    const long = '😀\u0000\ud800é'.repeat(20_000)
    const keys: readonly ConversationKey[] = [
      long,
      `${long}x`,
      { tenant: long, conversation: long },
      { tenant: long, conversation: `${long}x` },
      '\u0000',
      '\\u0000',
      '\ud800',
      '\ufffd',
    ]
    for (const [index, key] of keys.entries()) await repository.append(key, [said(String(index))])
    expect(await repository.conversations()).toEqual(keys)
    for (const [index, key] of keys.entries())
      expect(await repository.find(key)).toEqual([said(String(index))])
  })

  it('reads messages from any place', async () => {
    const repository = sqlMemoryRepository(database, { prefix: freshPrefix() })
    const messages = Array.from({ length: 10 }, (_none, at) => said(`${at}`))
    await repository.append('c', messages.slice(0, 4))
    await repository.append('c', messages.slice(4))
    await repository.append('another', [said('x')])
    expect(await repository.range('c', { from: 0, count: 1 })).toEqual([messages[0]])
    expect(await repository.range('c', { from: 3, count: 4 })).toEqual(messages.slice(3, 7))
    expect(await repository.range('c', { from: 8, count: 9 })).toEqual(messages.slice(8))
    expect(await repository.range('c', { from: 10, count: 1 })).toEqual([])
    expect(await repository.range('nobody', { from: 0, count: 1 })).toEqual([])
    for (const wrong of [{ from: -1, count: 1 }, { from: 0, count: 0.5 }, { from: 0 }])
      expect(await failure(() => repository.range('c', wrong as never))).toMatchObject({
        code: 'invalid-option',
      })
  })

  it('lists conversations page by page, those that changed last first', async () => {
    const repository = sqlMemoryRepository(database, { prefix: freshPrefix() })
    expect(await repository.list()).toEqual({ conversations: [], total: 0 })
    const keys: readonly ConversationKey[] = [
      'c\u0000',
      { tenant: 'a', conversation: 'c' },
      { tenant: 'b', conversation: 'c' },
      'd',
      { tenant: 'a', conversation: 'd' },
    ]
    for (const key of keys) await repository.append(key, [ONE])
    await repository.replace('empty', [])
    // Rows of one millisecond are in the order in which their conversations began.
    for (const now = Date.now(); Date.now() === now;)
      await new Promise((next) => setTimeout(next, 1))
    await repository.append('c\u0000', [ONE, TWO])
    const expected = [keys[0], keys[4], keys[3], keys[2], keys[1]]
    const pages: ListedConversation[] = []
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await repository.list({ limit: 2, cursor, tenant: undefined })
      expect(page.total).toBe(5)
      pages.push(...page.conversations)
      cursor = page.cursor
    }
    expect(pages.map(({ key }) => key)).toEqual(expected)
    expect(pages.map(({ messages }) => messages)).toEqual([3, 1, 1, 1, 1])
    expect(pages.every(({ changedAt }) => Math.abs(changedAt - Date.now()) < 3_600_000)).toBe(true)
    const ofA = await repository.list({ tenant: 'a' })
    expect(ofA.conversations.map(({ key }) => key)).toEqual([keys[4], keys[1]])
    expect(ofA).toMatchObject({ total: 2 })
    expect(ofA).not.toHaveProperty('cursor')
    const plain = await repository.list({ tenant: null })
    expect(plain.conversations.map(({ key }) => key)).toEqual([keys[0], keys[3]])
    for (const query of [{ limit: 0 }, { cursor: 'x' }, { tenant: 5 }])
      expect(await failure(() => repository.list(query as never))).toMatchObject({
        code: 'invalid-option',
      })
  })

  it('keeps the order in which one program asks, without waiting', async () => {
    const repository = sqlMemoryRepository(database, { prefix: freshPrefix() })
    const numbers = Array.from({ length: 100 }, (_, index) => said(String(index)))
    await Promise.all(numbers.map((message) => repository.append('a', [message])))
    expect(await repository.find('a')).toEqual(numbers)
  })

  it('stores batches of any size', async () => {
    const repository = sqlMemoryRepository(database, { prefix: freshPrefix() })
    const sizes = [0, 1, 2, 3, 255, 256, 257, 1_000]
    for (const size of sizes) {
      const batch = Array.from({ length: size }, (_, index) => said(`${size}.${index}`))
      await repository.append(`of ${size}`, batch)
      expect(await repository.find(`of ${size}`)).toEqual(batch)
    }
  })

  it('a failed write is no reason for the next one to fail', async () => {
    const repository = sqlMemoryRepository(database, { prefix: freshPrefix() })
    const [first, second] = await Promise.allSettled([
      repository.append('a', [5 as never]),
      repository.append('a', [ONE]),
    ])
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled'])
    expect(await repository.find('a')).toEqual([ONE])
  })

  it('gives the end of a conversation with what a memory needs of the rest', async () => {
    const repository = sqlMemoryRepository(database, { prefix: freshPrefix() })
    const system = (content: string): SystemMessage => ({ role: 'system', content })
    const [A, B, C] = [system('a'), system('b'), system('c')]
    const tail = (last: number) => repository.tail!('k', { last })
    expect(await tail(5)).toEqual({ messages: [], skipped: 0, system: [] })
    await repository.append('k', [A])
    await repository.append('k', [B, ONE, TWO])
    await repository.append('k', [C, ONE])
    await repository.append('other', [system('other')])
    const groups = [[A, B], [C]]
    expect(await tail(2)).toEqual({ messages: [C, ONE], skipped: 4, system: groups })
    expect(await tail(0)).toEqual({ messages: [], skipped: 6, system: groups })
    expect(await tail(6)).toMatchObject({ messages: [A, B, ONE, TWO, C, ONE], skipped: 0 })
    expect(await tail(600)).toMatchObject({ messages: [A, B, ONE, TWO, C, ONE], skipped: 0 })
    await repository.replace('k', [TWO, C])
    expect(await tail(1)).toEqual({ messages: [C], skipped: 1, system: [[C]] })
    await repository.append('k', [A])
    expect(await tail(1)).toEqual({ messages: [A], skipped: 2, system: [[C, A]] })
    for (const last of [-1, 1.5, NaN, '1'])
      expect(await failure(() => tail(last as never))).toMatchObject({ code: 'invalid-option' })
  })

  it('a window reads only its rows', async () => {
    const prefix = freshPrefix()
    const statements: { readonly sql: string; readonly parameters: readonly unknown[] }[] = []
    const kysely = loggedKysely(stage(), (statement) => statements.push(statement))
    const repository = sqlMemoryRepository(await openDatabase(kysely), { prefix })
    const many = Array.from({ length: 3_000 }, (_, index) => said(String(index)))
    for (const key of ['a', 'b']) await repository.append(key, many)
    const isPostgres = stage().server !== undefined
    if (isPostgres) await kysely.executeQuery(CompiledQuery.raw(`analyze ${prefix}messages`))
    statements.length = 0
    expect(await repository.find('a', { last: 2 })).toEqual(many.slice(-2))
    expect((await repository.tail!('a', { last: 2 })).messages).toEqual(many.slice(-2))
    expect(statements).toHaveLength(2)
    for (const { sql, parameters } of statements.splice(0)) {
      const explain = isPostgres ? 'explain' : 'explain query plan'
      const explained = CompiledQuery.raw(`${explain} ${sql}`, [...parameters])
      const plan = JSON.stringify((await kysely.executeQuery(explained)).rows)
      if (isPostgres) {
        expect(plan).toMatch(/Index Scan Backward using \w*messages_pk/)
        expect(plan).not.toMatch(/Seq Scan on \w*messages/)
      } else {
        expect(plan).toMatch(/SEARCH \w*messages USING INDEX \w* \(conversation_id=\?\)/)
        expect(plan).not.toMatch(/SCAN \w*messages|TEMP B-TREE/)
      }
    }
    await kysely.destroy()
  })

  it('searches texts of messages, in any case, within what is asked for', async () => {
    const prefix = freshPrefix()
    const before = sqlMemoryRepository(database, { prefix })
    expect('search' in before).toBe(false)
    await before.append('a', [said('Stored before, with lemon')])
    const repository = sqlMemoryRepository(database, { prefix, searchable: true })
    const acme = { tenant: 'acme', conversation: 'a' }
    const answer: Message = {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'lemon?' },
        { type: 'text', text: 'A LEMON tart, 100% \u0000 ÜBERZOGEN' },
        { type: 'tool-call', id: '1', name: 'bake', arguments: '{"what":"lemon"}' },
      ],
    }
    const baked: Message = {
      role: 'tool',
      responses: [{ id: '1', name: 'bake', content: [{ type: 'text', text: 'Lemon tart_done' }] }],
    }
    await repository.append('a', [ONE, said('lemon cake')])
    await repository.append(acme, [answer, baked, TWO])
    const found = (query: string, options = {}) => repository.search(query, options)

    expect(await found('lemon')).toEqual([
      { key: acme, message: baked },
      { key: acme, message: answer },
      { key: 'a', message: said('lemon cake') },
    ])
    expect(await found('TART lemon überzogen')).toEqual([{ key: acme, message: answer }])
    expect(await found('100%')).toEqual([{ key: acme, message: answer }])
    expect(await found('t_done')).toEqual([{ key: acme, message: baked }])
    expect(await found('0!')).toEqual([])
    expect(await found('lemon', { tenant: 'acme', limit: 1 })).toEqual([
      { key: acme, message: baked },
    ])
    expect(await found('lemon', { conversation: 'a' })).toEqual([
      { key: 'a', message: said('lemon cake') },
    ])
    expect(await found('lemon', acme)).toHaveLength(2)
    expect(await found('lemon', { tenant: 'a', conversation: 'a' })).toEqual([])
    for (const query of ['', ' ', '%', "' or 1=1 --"])
      expect(await found(query, acme)).toEqual(
        query === '%' ? [{ key: acme, message: answer }] : [],
      )
    await repository.delete(acme)
    expect(await found('tart')).toEqual([])
    for (const [query, options] of [
      ['x'.repeat(1_001), {}],
      ['a '.repeat(21), {}],
      [5, {}],
      ['a', { limit: 0 }],
      ['a', { tenant: 5 }],
    ] as const)
      expect(await failure(() => found(query as string, options))).toMatchObject({
        code: 'invalid-option',
      })
  })
}
