/** Conversations in a database: append-only rows, one per message, that several processes write without loss. */
import { randomUUID } from 'node:crypto'
import type { CompiledQuery } from 'kysely'
import {
  checkOptions,
  checkNumber,
  ConfigurationError,
  DatabaseError,
  type ChatMemoryRepository,
  type ConversationKey,
  type ConversationTail,
  type Message,
  type SystemMessage,
} from 'toolwright'
import { checkPrefix } from '../check-prefix.ts'
import type { Database } from '../database/database.ts'
import { openedOf, unsure, type OpenedDatabase } from '../database/opened-database.ts'
import type { Connection } from '../database/transaction.ts'
import { checkKey, checkText, hashOfKey, hashOfTenant } from '../schema/hashes.ts'
import { narrowedBy } from '../schema/narrowed-by.ts'
import { fromCursor, pageOf } from '../schema/page-cursor.ts'
import { fromStoredText, toStoredText } from '../schema/stored-text.ts'
import { InTurn } from './in-turn.ts'
import {
  memoryQueries,
  type AddedMessages,
  type ListedRow,
  type MemoryQueries,
} from './memory-queries.ts'
import {
  fromStoredMessage,
  toSearchText,
  toStoredMessage,
  type StoredMessage,
} from './stored-message.ts'

export interface SqlMemoryOptions {
  /** What the names of the tables start with. Default `toolwright_`. */
  readonly prefix?: string
  /**
   * Also keeps the text of each message for `search`. Default false. What was stored without it is not found.
   */
  readonly searchable?: boolean
}

export interface SearchOptions {
  /** Alone: all conversations of the tenant. Neither: all conversations there are. */
  readonly tenant?: string | undefined
  /** Without a tenant: the conversation whose key is this plain text. */
  readonly conversation?: string | undefined
  /** Default 20. */
  readonly limit?: number | undefined
}

export interface FoundMessage {
  readonly key: ConversationKey
  readonly message: Message
}

export interface ConversationQuery {
  /** Only the conversations of this tenant; null: only those without one. */
  readonly tenant?: string | null | undefined
  /** At most this many, a whole number of at least 1. Default 50. */
  readonly limit?: number | undefined
  /** That of the page before, with the same `tenant`. */
  readonly cursor?: string | undefined
}

export interface ListedConversation {
  readonly key: ConversationKey
  /** How many messages it has. */
  readonly messages: number
  /** When the last was added, in milliseconds since 1970, by the clock of the program that added it. */
  readonly changedAt: number
}

export interface ConversationPage {
  readonly conversations: readonly ListedConversation[]
  /** How many there are on all pages. */
  readonly total: number
  /** Asks for the next page. Absent when there was nothing more. */
  readonly cursor?: string
}

export interface MessageRange {
  /** The number of the first message; that of the oldest is 0. */
  readonly from: number
  /** At most this many. */
  readonly count: number
}

export interface SqlMemoryRepository extends ChatMemoryRepository {
  /** Messages from any place of a conversation, oldest first. Only these are read, however long it is. */
  range(key: ConversationKey, range: MessageRange): Promise<readonly Message[]>
  /**
   * The conversations that have messages; those that changed last come first. One that changes while pages are read
   * may be on two of them.
   */
  list(query?: ConversationQuery): Promise<ConversationPage>
}

export interface SearchableMemoryRepository extends SqlMemoryRepository {
  /**
   * The newest messages whose text contains every word of the query, in any case. It looks through all texts of the
   * conversations asked for: narrow it to one conversation or tenant where there are many.
   */
  search(query: string, options?: SearchOptions): Promise<readonly FoundMessage[]>
}

/**
 * A repository in the database. Its tables are made when it is first used.
 *
 * @example
 * const memory = messageWindowMemory({ repository: sqlMemoryRepository(database) })
 */
export function sqlMemoryRepository(
  database: Database,
  options: SqlMemoryOptions & { readonly searchable: true },
): SearchableMemoryRepository
export function sqlMemoryRepository(
  database: Database,
  options?: SqlMemoryOptions,
): SqlMemoryRepository
export function sqlMemoryRepository(
  database: Database,
  options: SqlMemoryOptions = {},
): SqlMemoryRepository {
  const where = 'sqlMemoryRepository()'
  checkOptions(where, options, ['prefix', 'searchable'])
  const { prefix = 'toolwright_', searchable = false } = options
  checkPrefix(prefix)
  const memory = new SqlMemory(openedOf(database, where), prefix, searchable)
  const repository: SqlMemoryRepository = {
    conversations: () => memory.conversations(),
    find: (key, limits) => memory.find(key, limits?.last),
    tail: (key, limits) => memory.tail(key, limits),
    range: (key, range) => memory.range(key, range),
    append: (key, messages) => memory.append(key, messages),
    replace: (key, messages) => memory.replace(key, messages),
    delete: (key) => memory.delete(key),
    list: (query) => memory.list(query),
  }
  if (!searchable) return repository
  const search: SearchableMemoryRepository['search'] = (query, within) =>
    memory.search(query, within)
  return Object.assign(repository, { search })
}

class SqlMemory {
  readonly #database: OpenedDatabase
  readonly #prefix: string
  readonly #isSearchable: boolean
  readonly #queries: MemoryQueries
  readonly #inTurn = new InTurn()

  constructor(database: OpenedDatabase, prefix: string, isSearchable: boolean) {
    this.#database = database
    this.#prefix = prefix
    this.#isSearchable = isSearchable
    this.#queries = memoryQueries(database.toolkit, prefix)
  }

  async conversations(): Promise<readonly ConversationKey[]> {
    const rows = await this.#read(this.#queries.keys({}))
    return rows.map(keyOf)
  }

  async find(key: ConversationKey, last?: number): Promise<readonly Message[]> {
    checkKey(key)
    if (last !== undefined) checkNumber('last', last, { least: 0, isWhole: true })
    const hash = hashOfKey(key)
    const query =
      last === undefined ? this.#queries.all({ hash }) : this.#queries.last({ hash, last })
    const rows = await this.#read(query)
    const messages = rows.map((row) => this.#messageOf(row, key))
    return last === undefined ? messages : messages.reverse()
  }

  async tail(key: ConversationKey, { last }: { readonly last: number }): Promise<ConversationTail> {
    checkKey(key)
    checkNumber('last', last, { least: 0, isWhole: true })
    const rows = await this.#read(this.#queries.tail({ hash: hashOfKey(key), last }))
    const inOrder = (kind: string) =>
      rows
        .filter((row) => row.kind === kind)
        .map((row) => ({ seq: Number(row.seq), content: row.content }))
        .sort((a, b) => a.seq - b.seq)
    const newest = inOrder('newest')
    return {
      messages: newest.map((row) => this.#messageOf(row, key)),
      skipped: (newest[0] ?? inOrder('count')[0])?.seq ?? 0,
      system: neighbours(inOrder('system')).map((group) =>
        group.map((row) => this.#messageOf(row, key) as SystemMessage),
      ),
    }
  }

  async range(key: ConversationKey, range: MessageRange): Promise<readonly Message[]> {
    checkKey(key)
    checkOptions('range()', range, ['from', 'count'])
    const { from, count } = range
    checkNumber('from', from, { least: 0, isWhole: true })
    checkNumber('count', count, { least: 0, isWhole: true })
    const hash = hashOfKey(key)
    const rows = await this.#read(this.#queries.range({ hash, from, end: from + count }))
    return rows.map((row) => this.#messageOf(row, key))
  }

  async append(key: ConversationKey, messages: readonly Message[]): Promise<void> {
    const append_id = randomUUID()
    await this.#write<Place>(key, messages, async (connection, { hash, stored, before }) => {
      const locked = await this.#locked(connection, key, hash)
      if (before && (await this.#isThere(connection, before, { ...locked, append_id })))
        return before
      const seq = await this.#add(connection, { id: locked.id, append_id, messages: stored })
      return { ...locked, seq }
    })
  }

  async replace(key: ConversationKey, messages: readonly Message[]): Promise<void> {
    await this.#write(key, messages, async (connection, { hash, stored }) => {
      const { id } = await this.#locked(connection, key, hash)
      await connection.run(this.#queries.revise({ id }))
      await connection.run(this.#queries.removeMessages({ id }))
      await this.#add(connection, { id, append_id: null, messages: stored })
    })
  }

  async delete(key: ConversationKey): Promise<void> {
    await this.#write(key, [], async (connection, { hash }) => {
      const [row] = await connection.run(this.#queries.removeConversation({ hash }))
      if (row) await connection.run(this.#queries.removeMessages({ id: row.id }))
    })
  }

  async list(query: ConversationQuery = {}): Promise<ConversationPage> {
    checkOptions('list()', query, ['tenant', 'limit', 'cursor'])
    const { tenant, limit = 50, cursor } = query
    checkNumber('limit', limit, { least: 1, isWhole: true })
    const after = cursor === undefined ? undefined : fromCursor(cursor)
    const narrowed =
      tenant === null ? { tenant_hash: null } : narrowedBy(tenant === undefined ? {} : { tenant })
    const found = await this.#read(this.#queries.list({ ...narrowed, after, limit: limit + 1 }))
    const [counted] = await this.#read(this.#queries.count(narrowed))
    const { rows, ...more } = pageOf(found, limit, (row) => ({
      at: Number(row.added_at),
      id: Number(row.id),
    }))
    return { conversations: rows.map(listedOf), total: Number(counted?.count ?? 0), ...more }
  }

  async search(query: string, options: SearchOptions = {}): Promise<readonly FoundMessage[]> {
    checkText('query', query)
    checkOptions('search()', options, ['tenant', 'conversation', 'limit'])
    const { limit = 20 } = options
    checkNumber('limit', limit, { least: 1, isWhole: true })
    const [narrowed, patterns] = [narrowedBy(options), patternsOf(query)]
    if (patterns.length === 0) return []
    const rows = await this.#read(this.#queries.search({ patterns, limit, ...narrowed }))
    return rows.map((row) => {
      const key = keyOf(row)
      return { key, message: this.#messageOf(row, key) }
    })
  }

  #read<Row>(query: CompiledQuery<Row>): Promise<readonly Row[]> {
    const database = this.#database
    return database.during(this.#prefix, () => database.read((each) => each.run(query)))
  }

  /** Writes of this process to one conversation keep the order in which they were asked for. */
  async #write<Value>(
    key: ConversationKey,
    messages: readonly Message[],
    work: (connection: Connection, written: Written<Value>) => Promise<Value>,
  ): Promise<void> {
    checkKey(key)
    if (!Array.isArray(messages))
      throw new ConfigurationError(
        'invalid-message',
        'What is to be stored is no list of messages.',
      )
    // Before anything is awaited, so that what the caller changes afterwards does not count.
    const stored = messages.map((message) => toStoredMessage(message, this.#isSearchable))
    const hash = hashOfKey(key)
    const database = this.#database
    await database.during(this.#prefix, () =>
      this.#inTurn.run(hash, () =>
        database.write<Value>((connection, before) => work(connection, { hash, stored, before })),
      ),
    )
  }

  /** The conversation, made if it is not there, and kept from others until the transaction ends. */
  async #locked(connection: Connection, key: ConversationKey, hash: string): Promise<Locked> {
    for (;;) {
      const [there] = await connection.run(this.#queries.lock({ hash }))
      if (there) return there
      const [made] = await connection.run(this.#queries.create(rowOf(key, hash)))
      if (made) return made
    }
  }

  /**
   * Whether an append whose commit got no answer happened. The lock was waited for, so it has ended. If the conversation
   * has another id, it never was there or was deleted since: the append comes after that. If all its messages were
   * replaced, nothing says it any more.
   */
  async #isThere(
    connection: Connection,
    { id, revision, seq }: Place,
    now: Locked & { readonly append_id: string },
  ): Promise<boolean> {
    if (seq === undefined || String(id) !== String(now.id)) return false
    if (Number(revision) !== Number(now.revision)) throw unsure(this.#database.name)
    const [row] = await connection.run(this.#queries.appendIdOf({ id, seq }))
    return row?.append_id === now.append_id
  }

  /** Gives the number of the first, where it may be asked for again. */
  async #add(
    connection: Connection,
    added: Omit<AddedMessages, 'now'>,
  ): Promise<number | undefined> {
    let seq: number | undefined
    for (const statement of this.#queries.add({ ...added, now: Date.now() })) {
      const rows = await connection.run(statement)
      if (rows.length > 0) seq ??= Math.min(...rows.map((row) => Number(row.seq)))
    }
    return seq
  }

  #messageOf(
    { seq, content }: { readonly seq: number | string; readonly content: string },
    key: ConversationKey,
  ): Message {
    const message = fromStoredMessage(content)
    if (message) return message
    throw new DatabaseError(
      'database-corrupt',
      `The row ${seq} of conversation ${JSON.stringify(key).slice(0, 200)} in ${this.#prefix}messages of the database ${this.#database.name} holds no message.`,
    )
  }
}

interface Written<Value> {
  readonly hash: string
  readonly stored: readonly StoredMessage[]
  /** See `Work`. */
  readonly before: Value | undefined
}

interface Locked {
  readonly id: number | string
  readonly revision: number
}

/** Where an append was put. */
interface Place extends Locked {
  /** Of its first message. Nothing where it is never asked for again. */
  readonly seq: number | undefined
}

const rowOf = (key: ConversationKey, hash: string) => ({
  key_hash: hash,
  tenant_hash: hashOfTenant(key),
  tenant: typeof key === 'string' ? null : toStoredText(key.tenant),
  conversation: toStoredText(typeof key === 'string' ? key : key.conversation),
})

/** Rows whose numbers follow each other, together. */
function neighbours<Row extends { readonly seq: number }>(
  rows: readonly Row[],
): readonly (readonly Row[])[] {
  const groups: Row[][] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (last && last.at(-1)!.seq + 1 === row.seq) last.push(row)
    else groups.push([row])
  }
  return groups
}

const keyOf = (row: {
  readonly tenant: string | null
  readonly conversation: string
}): ConversationKey => {
  const conversation = fromStoredText(row.conversation)
  return row.tenant === null ? conversation : { tenant: fromStoredText(row.tenant), conversation }
}

const listedOf = (row: ListedRow): ListedConversation => ({
  key: keyOf(row),
  messages: Number(row.seq) + 1,
  changedAt: Number(row.added_at),
})

/** Each word, with the signs escaped that `like` takes for others. */
function patternsOf(query: string): readonly string[] {
  const words = toSearchText(query).split(/\s+/).filter(Boolean)
  if (query.length > 1_000 || words.length > 20)
    throw new ConfigurationError(
      'invalid-option',
      `The query has ${query.length} characters and ${words.length} words; it takes 1,000 and 20.`,
    )
  return words.map((word) => `%${word.replace(/[!%_]/g, '!$&')}%`)
}
