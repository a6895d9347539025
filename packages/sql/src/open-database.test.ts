/** Opening: what is taken, what is refused, and what a Kysely of the application's has to expect. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  CamelCasePlugin,
  Kysely,
  MysqlDialect,
  ParseJSONResultsPlugin,
  PostgresDialect,
  sql,
} from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Message } from 'toolwright'
import { openDatabase, sqlMemoryRepository, sqlRunStore } from '@toolwright/sql'
import { loadDriver } from './database/load-driver.ts'
import { failure } from './testing/failure.ts'
import { freshPrefix, onBothDatabases, sqliteStage } from './testing/stages.ts'

const ONE: Message = { role: 'user', content: 'one' }
/** Nobody listens there. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-open-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('addresses', () => {
  it('of other kinds are refused, without what is secret in them', async () => {
    for (const address of [
      'chat.db',
      '',
      'mysql://u:pw-1@h/d',
      'libsql://h?authToken=pw-1',
      'file:',
    ])
      expect(await failure(() => openDatabase(address))).toMatchObject({ code: 'invalid-option' })
    for (const address of ['mysql://u:pw-1@h/d', 'postgres://u:pw/1@h:x/d', 'libsql://h?t=pw-1']) {
      const error = await failure(() => openDatabase(address))
      expect(error.message + JSON.stringify(error)).not.toMatch(/pw.1/)
    }
    const unset = await failure(() => openDatabase(process.env['NO_SUCH_VARIABLE'] as never))
    expect(unset.message).toContain('undefined')
    for (const source of [undefined, null, 5, {}])
      expect(await failure(() => openDatabase(source as never))).toMatchObject({
        code: 'invalid-option',
      })
  })

  it('that hold a password are never repeated', async () => {
    const port = await closedPort()
    const wrong = [
      'postgres:/ada:hunter2@h/d',
      'postgres:ada:hunter2@h/d',
      'ada:hunter2@127.0.0.1/db',
      'host=127.0.0.1 password=hunter2',
      'jdbc:postgresql://127.0.0.1/db?password=hunter2',
      `postgres://ada:Tr0ub@hunter2/Secret9@127.0.0.1:${port}/postgres`,
      `postgres://ada:b@hunter2@127.0.0.1:${port}/postgres`,
      `postgres://hunter2:12?x@127.0.0.1:${port}/postgres`,
      `postgres://hunter2:12#x@127.0.0.1:${port}/postgres`,
      `postgres://ada:hunter2%@127.0.0.1:${port}/postgres`,
      'postgres://ada:hunter2@127.0.0.1:99999/postgres',
      'postgres://ada:hunter2@127.0.0.1:x/postgres',
    ]
    for (const address of wrong) {
      const error = await failure(() => openDatabase(address))
      expect(error, address).toMatchObject({ code: 'invalid-option' })
      expect(error.message + JSON.stringify(error)).not.toMatch(/hunter2|Secret9/)
      if (address.split('@').length > 2) expect(error.message).toContain('%40')
      if (/:(99999|x)/.test(address)) expect(error.message).toContain('port')
    }
  })

  it('may have blanks around them, and no name of a database', async () => {
    const port = await closedPort()
    const error = await failure(() => openDatabase(` postgres://a:hunter2@127.0.0.1:${port}/\n`))
    expect(error).toMatchObject({ code: 'database-unreachable' })
    expect(error.message).toContain(`The database at 127.0.0.1:${port} cannot be reached`)
    expect(error.message).not.toContain('hunter2')
    await using database = await openDatabase(' :memory:\n')
    expect(database.kind).toBe('sqlite')
  })

  it('of files that are none', async () => {
    const missing = await failure(() => openDatabase(`file:${folder}/no/such/folder/a.db`))
    expect(missing).toMatchObject({ code: 'database-unreachable' })
    expect(missing.message).toContain('/no/such/folder/a.db')
    expect(missing.message).toMatch(/its folder is not there.*for a file, that its folder is there/)
    const file = join(folder, 'text.db')
    writeFileSync(file, 'This is a text and no database. '.repeat(100))
    const text = await failure(() => openDatabase(`file:${file}`))
    expect(text).toMatchObject({ code: 'database-corrupt' })
    expect(text.message).not.toContain('can be read')
  })

  it('of files are paths as they are written, or URLs', async () => {
    const names = ['c#1.db', 'c#2.db', 'c', '100%41 #', '100A #', '%2e', 'ä b.db']
    const odd = ['c?1.db', '100%41 #?', 'back\\slash']
    const inside = join(folder, 'names')
    mkdirSync(inside)
    const addresses = [
      ...names.map((name) => `file:${join(inside, name)}`),
      ...odd.map((name) => pathToFileURL(join(inside, name)).href),
    ]
    for (const address of addresses) {
      await using database = await openDatabase(address)
      expect(await sqlMemoryRepository(database).conversations()).toEqual([])
      await sqlMemoryRepository(database).append(address, [ONE])
    }
    const files = readdirSync(inside).filter((name) => !/-(wal|shm)$/.test(name))
    expect(files.toSorted()).toEqual([...names, ...odd].toSorted())
    for (const name of names) {
      await using database = await openDatabase(pathToFileURL(join(inside, name)).href)
      expect(await sqlMemoryRepository(database).conversations()).toEqual([
        `file:${join(inside, name)}`,
      ])
    }
  })

  it('of files lead through links as the system does, also to read only', async () => {
    const far = join(folder, 'far', 'inside')
    mkdirSync(far, { recursive: true })
    symlinkSync(far, join(folder, 'link'))
    const address = `file:${folder}/link/../a#1 %41.db`
    const database = await openDatabase(address)
    await sqlMemoryRepository(database).append('a', [ONE])
    await database.close()
    expect(readdirSync(join(folder, 'far'))).toContain('a#1 %41.db')
    await using reading = await openDatabase(`${address}?mode=ro`)
    expect(await sqlMemoryRepository(reading).find('a')).toEqual([ONE])
    expect(await failure(() => sqlMemoryRepository(reading).append('a', [ONE]))).toMatchObject({
      code: 'database-read-only',
    })
  })

  it('of files that could mean another one are refused, with how to write the name', async () => {
    const wrong: readonly (readonly [string, RegExp])[] = [
      [`file:${folder}/a?b.db`, /pathToFileURL/],
      [`file:${folder}/a.db?mode=rw`, /mode=ro/],
      [`file:${folder}/a.db?`, /mode=ro/],
      [`file://${folder}/c#1.db`, /pathToFileURL/],
      [`file://${folder}/100%.db`, /pathToFileURL/],
      ['file://chat.db', /file:chat\.db/],
      ['file::memory:', /written as :memory:/],
      [`file:${folder}/`, /without the name/],
      // libsql would end the whole process.
      [`file:${folder}/a\0b.db`, /NUL/],
      [`file://${folder}/a%00b.db`, /NUL|pathToFileURL/],
    ]
    for (const [address, words] of wrong) {
      const error = await failure(() => openDatabase(address))
      expect(error, address).toMatchObject({ code: 'invalid-option' })
      expect(error.message).toMatch(words)
    }
  })

  it('of servers that are not there', async () => {
    const port = await closedPort()
    const error = await failure(() => openDatabase(`postgres://u:pw-1@127.0.0.1:${port}/shop`))
    expect(error).toMatchObject({ code: 'database-unreachable', retryable: true })
    expect(error.message).toContain(`shop at 127.0.0.1:${port}`)
    expect(error.message).not.toContain('pw-1')
  })
})

describe('a file in a folder that cannot be written to', () => {
  const isRoot = process.getuid?.() === 0
  const readable = join('readable', 'a.db')
  beforeAll(async () => {
    const inside = join(folder, 'readable')
    mkdirSync(inside)
    const database = await openDatabase(`file:${join(folder, readable)}`)
    await sqlMemoryRepository(database).append('a', [ONE])
    await database.close()
    // As it is after a copy: without the files that SQLite makes beside it.
    const bytes = readFileSync(join(folder, readable))
    rmSync(inside, { recursive: true })
    mkdirSync(inside)
    writeFileSync(join(folder, readable), bytes, { mode: 0o444 })
    chmodSync(folder, 0o755)
    chmodSync(inside, 0o555)
    // Root may write everywhere.
    if (isRoot) process.seteuid!(65_534)
  })
  afterAll(() => {
    if (isRoot) process.seteuid!(0)
    chmodSync(join(folder, 'readable'), 0o755)
  })

  it('is read-only, and the message says how to read it', async () => {
    for (const parameters of ['', '?mode=ro']) {
      const address = `file:${join(folder, readable)}${parameters}`
      const error = await failure(() => openDatabase(address))
      expect(error).toMatchObject({ code: 'database-read-only', retryable: false })
      expect(error.message).toContain('?immutable=1')
    }
  })

  it('can be read when nobody writes', async () => {
    await using database = await openDatabase(`file:${join(folder, readable)}?immutable=1`)
    const repository = sqlMemoryRepository(database)
    expect(await repository.find('a')).toEqual([ONE])
    expect(await failure(() => repository.append('a', [ONE]))).toMatchObject({
      code: 'database-read-only',
    })
  })
})

it('a file that was closed holds everything by itself', async () => {
  const file = join(folder, 'closed.db')
  const database = await openDatabase(`file:${file}`)
  await sqlMemoryRepository(database).append('a', [ONE])
  await database.close()
  copyFileSync(file, `${file}.copy`)
  await using copy = await openDatabase(`file:${file}.copy`)
  expect(await sqlMemoryRepository(copy).find('a')).toEqual([ONE])
})

describe('options', () => {
  it('are checked', async () => {
    const wrong = [{ waitMs: -1 }, { waitMs: '5' }, { connections: 0 }, { timeout: 5 }, [], null]
    for (const options of wrong) {
      const { code } = await failure(() => openDatabase(':memory:', options as never))
      expect(['invalid-option', 'unknown-option']).toContain(code)
    }
    await using database = await openDatabase(':memory:')
    for (const prefix of [
      '',
      'A_',
      'a-b',
      'x'.repeat(32),
      '1a',
      'a"; drop table b; --',
      'sqlite_',
      'sqlite_a',
      5,
    ])
      for (const make of [sqlMemoryRepository, sqlRunStore])
        expect(() => make(database, { prefix: prefix as never })).toThrow(
          expect.objectContaining({ code: 'invalid-option' }),
        )
    expect(() => sqlMemoryRepository(database, { search: true } as never)).toThrow(/no option/)
    expect(() => sqlRunStore(database, { retentionMs: 0 })).toThrow(/at least 1/)
    const promised = openDatabase(':memory:')
    expect(() => sqlMemoryRepository(promised as never)).toThrow(/await it first/)
    await (await promised).close()
  })

  it('two prefixes are two memories', async () => {
    await using database = await openDatabase(':memory:')
    await sqlMemoryRepository(database).append('a', [ONE])
    expect(await sqlMemoryRepository(database, { prefix: 'other_' }).find('a')).toEqual([])
    expect(await sqlMemoryRepository(database).find('a')).toEqual([ONE])
  })
})

it('a driver that is not there is named with the line that installs it', async () => {
  const error = await failure(() => loadDriver(() => import('no-such-driver' as never), 'libsql'))
  expect(error).toMatchObject({ code: 'missing-peer' })
  expect(error.message).toContain('npm install libsql')
})

onBothDatabases(
  (stage) => {
    it('a Kysely of the application stays open, and its plugins stay away from our rows', async () => {
      const { plain } = stage()
      const kysely = plain
        .withPlugin(new CamelCasePlugin())
        .withPlugin(new ParseJSONResultsPlugin())
      const database = await openDatabase(kysely)
      expect(database.kind).toBe(stage().server ? 'postgres' : 'sqlite')
      const repository = sqlMemoryRepository(database, { prefix: freshPrefix() })
      const json: Message = { role: 'user', content: '{"a":1}' }
      await repository.append({ tenant: '["t"]', conversation: 'c' }, [json])
      expect(await repository.find({ tenant: '["t"]', conversation: 'c' })).toEqual([json])
      expect(await repository.conversations()).toEqual([{ tenant: '["t"]', conversation: 'c' }])
      await database.close()
      expect(await failure(() => repository.conversations())).toMatchObject({
        code: 'database-closed',
      })
      expect((await sql`select 1 as n`.execute(plain)).rows).toEqual([{ n: 1 }])
    })

    it('a Kysely in a transaction is refused', async () => {
      await stage()
        .plain.transaction()
        .execute(async (transaction) => {
          const error = await failure(() => openDatabase(transaction))
          expect(error).toMatchObject({ code: 'invalid-option' })
          expect(error.message).toContain('outside of transactions')
        })
    })
  },
  {
    ofServers: (stage) => {
      it('that asks for a password that the address does not have refuses', async () => {
        const { plain, address } = stage()
        await sql`create role keyed login password 'pw-1'`.execute(plain)
        const shown = await sql<{ readonly hba_file: string }>`show hba_file`.execute(plain)
        const rules = shown.rows[0]!.hba_file
        const rule = 'host all keyed all scram-sha-256\n'
        writeFileSync(rules, rule + readFileSync(rules, 'utf8'))
        await sql`select pg_reload_conf()`.execute(plain)
        // The server reads its rules a moment later.
        let error: unknown
        while (!error)
          await openDatabase(address.replace('postgres@', 'keyed@')).then(
            (database) => database.close(),
            (thrown: unknown) => (error = thrown),
          )
        expect(error).toMatchObject({ code: 'database-refused' })
        expect((error as Error).message).toContain('asks for a password')
        const wrong = await failure(() => openDatabase(address.replace('postgres@', 'keyed:pw-2@')))
        expect(wrong).toMatchObject({ code: 'database-refused' })
        expect(wrong.message).not.toContain('pw-2')
      })

      it('without such a database or without the right to use it refuses', async () => {
        const missing = stage().address.replace(/postgres$/, 'nowhere')
        expect(await failure(() => openDatabase(missing))).toMatchObject({
          code: 'database-refused',
        })
        await sql`create role guest login`.execute(stage().plain)
        const guest = stage().address.replace('postgres@', 'guest:pw-1@')
        await using database = await openDatabase(guest)
        const error = await failure(() => sqlMemoryRepository(database).find('a'))
        expect(error).toMatchObject({ code: 'database-refused' })
        expect(error.message).not.toContain('pw-1')
      })
    },
  },
)

describe('a Kysely of the application', () => {
  it('on another database is refused', async () => {
    const kysely = new Kysely({ dialect: new MysqlDialect({ pool: async () => ({}) as never }) })
    expect(await failure(() => openDatabase(kysely))).toMatchObject({ code: 'invalid-option' })
  })

  it('that leads nowhere says so', async () => {
    const kysely = new Kysely({
      dialect: new PostgresDialect({
        pool: new pg.Pool({ host: '127.0.0.1', port: await closedPort() }),
      }),
    })
    expect(await failure(() => openDatabase(kysely))).toMatchObject({
      code: 'database-unreachable',
    })
  })

  it('that was destroyed is closed', async () => {
    const { plain } = sqliteStage(join(folder, 'destroyed.db'))
    const repository = sqlMemoryRepository(await openDatabase(plain))
    await repository.append('a', [ONE])
    await plain.destroy()
    expect(await failure(() => repository.find('a'))).toMatchObject({ code: 'database-closed' })
  })
})
