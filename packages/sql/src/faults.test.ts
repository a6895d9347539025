/** What goes wrong with databases: an error of the catalogue, the rest readable, nothing lost, nothing twice. */
import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import type { Message } from 'toolwright'
import { openDatabase, sqlMemoryRepository, sqlRunStore, type Database } from '@toolwright/sql'
import { cuttingProxy } from './testing/cutting-proxy.ts'
import { failure } from './testing/failure.ts'
import { freshPrefix, onBothDatabases, sqliteKysely, type Stage } from './testing/stages.ts'

const said = (content: string): Message => ({ role: 'user', content })
const [ONE, TWO, THREE] = [said('one'), said('two'), said('three')]

const opened: Database[] = []
afterEach(() => Promise.all(opened.splice(0).map((database) => database.close())))
const keep = (database: Database): Database => {
  opened.push(database)
  return database
}

/** On both. */
const both = (stage: () => Stage): void => {
  it('a closed database says so, and closing waits for what is under way', async () => {
    const prefix = freshPrefix()
    const database = await stage().open()
    const repository = sqlMemoryRepository(database, { prefix })
    const under = [repository.append('a', [ONE]), repository.append('a', [TWO])]
    await Promise.all([database.close(), database.close(), ...under])
    for (const work of [
      () => repository.find('a'),
      () => repository.append('a', [ONE]),
      () => repository.conversations(),
      () => sqlRunStore(database, { prefix }).use('s'),
    ])
      expect(await failure(work)).toMatchObject({ code: 'database-closed', family: 'outside' })
    const again = keep(await stage().open())
    expect(await sqlMemoryRepository(again, { prefix }).find('a')).toEqual([ONE, TWO])
  })

  it('a row that holds no message is named, and everything else can be read', async () => {
    const prefix = freshPrefix()
    const repository = sqlMemoryRepository(keep(await stage().open()), { prefix })
    const key = { tenant: 'acme', conversation: 'c1' }
    await repository.append(key, [ONE, TWO, THREE])
    await repository.append('other', [ONE])
    const { plain } = stage()
    for (const content of ['{"role":"user"', '{}', 'null', '{"role":"tool"}']) {
      await plain.updateTable(`${prefix}messages`).set({ content }).where('seq', '=', 1).execute()
      const error = await failure(() => repository.find(key))
      expect(error).toMatchObject({ code: 'database-corrupt' })
      expect(error.message).toContain(`row 1 of conversation {"tenant":"acme","conversation":"c1"}`)
      expect(error.message).toContain(`${prefix}messages`)
    }
    expect(await repository.find(key, { last: 1 })).toEqual([THREE])
    expect(await repository.find('other')).toEqual([ONE])
    await repository.append(key, [ONE])
    expect(await repository.find(key, { last: 2 })).toEqual([THREE, ONE])
    await repository.replace(key, [TWO])
    expect(await repository.find(key)).toEqual([TWO])
  })

  it('messages of 10 MB come back', async () => {
    const repository = sqlMemoryRepository(keep(await stage().open()), { prefix: freshPrefix() })
    const text = 'Zoë \u0000 \ud800 😀'.repeat(1_000_000)
    await repository.append('a', [said(text), ONE])
    const [long, short] = await repository.find('a')
    expect((long as { content: string }).content === text).toBe(true)
    expect(short).toEqual(ONE)
  })

  it('what is no message, key or limit is refused before anything is written', async () => {
    const repository = sqlMemoryRepository(keep(await stage().open()), { prefix: freshPrefix() })
    const cyclic: { role: 'user'; content: string; label?: unknown } = { role: 'user', content: '' }
    cyclic.label = cyclic
    for (const message of [cyclic, null, 'x', {}, { role: 'user' }, { role: 'user', content: 5n }])
      expect(await failure(() => repository.append('a', [ONE, message as never]))).toMatchObject({
        code: 'invalid-message',
      })
    expect(await failure(() => repository.append('a', 'x' as never))).toMatchObject({
      code: 'invalid-message',
    })
    for (const key of [5, {}, { tenant: 'a' }, ['a', 'b'], { tenant: 1, conversation: 'a' }])
      expect(await failure(() => repository.append(key as never, [ONE]))).toMatchObject({
        code: 'invalid-option',
      })
    expect(await failure(() => repository.find(undefined as never))).toMatchObject({
      code: 'missing-conversation-id',
    })
    for (const last of [-1, 1.5, NaN, '1'])
      expect(await failure(() => repository.find('a', { last: last as never }))).toMatchObject({
        code: 'invalid-option',
      })
    expect(await repository.conversations()).toEqual([])
  })

  it('a database that cannot be written to can be read', async () => {
    const prefix = freshPrefix()
    const writer = keep(await stage().open())
    await sqlMemoryRepository(writer, { prefix }).append('a', [ONE])
    const isSqlite = stage().server === undefined
    const address = isSqlite
      ? `${stage().address}?mode=ro`
      : `${stage().address}?options=-c%20default_transaction_read_only%3Don`
    const database = keep(await openDatabase(address))
    const repository = sqlMemoryRepository(database, { prefix })
    expect(await repository.find('a')).toEqual([ONE])
    for (const work of [
      () => repository.append('a', [TWO]),
      () => repository.delete('a'),
      () => sqlRunStore(database, { prefix }).use('s'),
      // The tables are not there, and cannot be made.
      () => sqlMemoryRepository(database, { prefix: freshPrefix() }).find('a'),
    ])
      expect(await failure(work)).toMatchObject({ code: 'database-read-only', retryable: false })
    expect(await repository.find('a')).toEqual([ONE])
  })

  it('a full disk stores nothing of what it cannot store, and goes on when there is room', async () => {
    const prefix = freshPrefix()
    const isSqlite = stage().server === undefined
    const kysely = isSqlite ? sqliteKysely(stage().address) : stage().plain
    const repository = sqlMemoryRepository(keep(await openDatabase(kysely)), { prefix })
    await repository.append('a', [ONE])
    const fill = async (isFull: boolean): Promise<void> => {
      if (isSqlite) {
        const pages = isFull ? sql`1` : sql`1000000`
        await sql`pragma max_page_count = ${pages}`.execute(kysely)
        return
      }
      // A server whose disk is really full takes the others with it; this one says the same.
      const table = sql.table(`${prefix}messages`)
      if (!isFull) return void (await sql`drop trigger no_room on ${table}`.execute(kysely))
      await sql`create or replace function no_room() returns trigger as $$
        begin
          if length(new.content) > 10000 then
            raise exception 'could not extend file: No space left on device' using errcode = '53100';
          end if;
          return new;
        end $$ language plpgsql`.execute(kysely)
      await sql`create trigger no_room before insert on ${table} for each row execute function no_room()`.execute(
        kysely,
      )
    }
    await fill(true)
    const error = await failure(() => repository.append('a', [TWO, said('x'.repeat(1_000_000))]))
    expect(error).toMatchObject({ code: 'database-full' })
    const replaced = await failure(() => repository.replace('a', [said('x'.repeat(1_000_000))]))
    expect(replaced).toMatchObject({ code: 'database-full' })
    expect(await repository.find('a')).toEqual([ONE])
    await fill(false)
    await repository.append('a', [THREE])
    expect(await repository.find('a')).toEqual([ONE, THREE])
    if (isSqlite) await kysely.destroy()
  })

  it('a lock of another program is waited for, but not for ever', async () => {
    const prefix = freshPrefix()
    const patient = sqlMemoryRepository(keep(await stage().open()), { prefix })
    await patient.append('a', [ONE])
    const { plain } = stage()
    let release = (): void => {}
    const isLocked = new Promise<void>((locked) => {
      void plain.connection().execute(async (connection) => {
        const isSqlite = stage().server === undefined
        await sql.raw(isSqlite ? 'begin immediate' : 'begin').execute(connection)
        if (!isSqlite)
          await sql`select * from ${sql.table(`${prefix}conversations`)} for update`.execute(
            connection,
          )
        locked()
        await new Promise<void>((resolve) => (release = resolve))
        await sql`rollback`.execute(connection)
      })
    })
    await isLocked
    const waiting = patient.append('a', [TWO])
    // Readers do not wait for writers.
    expect(await patient.find('a')).toEqual([ONE])
    if (stage().server === undefined) {
      const hasty = keep(await stage().open({ waitMs: 30 }))
      const error = await failure(() => sqlMemoryRepository(hasty, { prefix }).append('a', [THREE]))
      expect(error).toMatchObject({ code: 'database-locked', retryable: true })
    }
    release()
    await waiting
    expect(await patient.find('a')).toEqual([ONE, TWO])
  })
}

/** On PostgreSQL, which is not part of this process. */
const ofServers = (stage: () => Stage): void => {
  it('that restarts in the middle of a conversation: it goes on', async () => {
    const repository = sqlMemoryRepository(keep(await stage().open({ waitMs: 60_000 })), {
      prefix: freshPrefix(),
    })
    let isOver = false
    const restarts = (async () => {
      for (const how of ['fast', 'crash'] as const) await stage().server!.restart(how)
      isOver = true
    })()
    const talk = async (name: string): Promise<number> => {
      let turn = 0
      while (!isOver) {
        await repository.append(name, [said(`${turn} asked`), said(`${turn} answered`)])
        expect(await repository.find(name, { last: 2 })).toEqual([
          said(`${turn} asked`),
          said(`${turn} answered`),
        ])
        turn++
      }
      return turn
    }
    const names = ['a', 'b', 'c']
    const turns = await Promise.all(names.map(talk))
    await restarts
    for (const [index, name] of names.entries()) {
      const expected = Array.from({ length: turns[index]! }, (_, turn) => [
        said(`${turn} asked`),
        said(`${turn} answered`),
      ])
      expect(await repository.find(name)).toEqual(expected.flat())
    }
  })

  it('whose transactions are isolated more by default: appends still wait for each other', async () => {
    const prefix = freshPrefix()
    const address = `${stage().address}?options=-c%20default_transaction_isolation%3Dserializable`
    const repositories = await Promise.all(
      [1, 2, 3].map(async () => sqlMemoryRepository(keep(await openDatabase(address)), { prefix })),
    )
    await Promise.all(
      repositories.flatMap((repository) =>
        Array.from({ length: 20 }, () => repository.append('a', [ONE, TWO])),
      ),
    )
    expect(await repositories[0]!.find('a')).toHaveLength(120)
  })

  it('that cuts idle connections does not end the program', async () => {
    const repository = sqlMemoryRepository(keep(await stage().open()), {
      prefix: freshPrefix(),
    })
    await repository.append('a', [ONE])
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and application_name = 'toolwright'`.execute(
      stage().plain,
    )
    await repository.append('a', [TWO])
    expect(await repository.find('a')).toEqual([ONE, TWO])
  })

  it('that is lost at a commit is asked whether it happened', async () => {
    const prefix = freshPrefix()
    await using proxy = await cuttingProxy(stage().address)
    const database = keep(await openDatabase(proxy.url))
    const repository = sqlMemoryRepository(database, { prefix })
    const runs = sqlRunStore(database, { prefix })
    await repository.append('a', [ONE])
    for (const when of ['before', 'after'] as const) {
      proxy.cutNext(when)
      await repository.append('a', [said(when)])
      proxy.cutNext(when)
      expect(await runs.use(`state ${when}`)).toBe(true)
      expect(await runs.use(`state ${when}`)).toBe(false)
      proxy.cutNext(when)
      await repository.replace(when, [TWO])
      expect(await repository.find(when)).toEqual([TWO])
    }
    expect(proxy.cuts).toBe(6)
    expect(await repository.find('a')).toEqual([ONE, said('before'), said('after')])
    proxy.cutNext('after')
    await repository.delete('a')
    expect(await repository.find('a')).toEqual([])
  })

  it('that is lost at a commit: what others did meanwhile is taken into account', async () => {
    const prefix = freshPrefix()
    await using proxy = await cuttingProxy(stage().address)
    const repository = sqlMemoryRepository(
      keep(await openDatabase(proxy.url, { connections: 1 })),
      { prefix },
    )
    const other = sqlMemoryRepository(keep(await stage().open()), { prefix })
    await repository.append('a', [ONE])
    proxy.cutNext('after', () => other.append('a', [THREE]))
    await repository.append('a', [TWO])
    expect(await repository.find('a')).toEqual([ONE, TWO, THREE])
    proxy.cutNext('before', () => other.append('a', [ONE]))
    await repository.append('a', [TWO])
    expect(await repository.find('a')).toEqual([ONE, TWO, THREE, ONE, TWO])
    // Whoever replaced the conversation may have seen the message or not.
    proxy.cutNext('after', () => other.replace('a', [THREE, TWO]))
    expect(await failure(() => repository.append('a', [TWO]))).toMatchObject({
      code: 'database-unsure',
    })
    expect(await repository.find('a')).toEqual([THREE, TWO])
    proxy.cutNext('after', () => other.delete('a'))
    await repository.append('a', [ONE])
    expect(await repository.find('a')).toEqual([ONE])
    proxy.cutNext('before', () => other.append('new', [ONE]))
    await repository.append('new', [TWO])
    expect(await repository.find('new')).toEqual([ONE, TWO])
    expect(proxy.cuts).toBe(5)
  })

  it('that does not come back after a commit leaves it open, and says so', async () => {
    const prefix = freshPrefix()
    await using proxy = await cuttingProxy(stage().address)
    const repository = sqlMemoryRepository(keep(await openDatabase(proxy.url, { waitMs: 100 })), {
      prefix,
    })
    await repository.append('a', [ONE])
    proxy.cutNext('after')
    proxy.shut()
    expect(await failure(() => repository.append('a', [TWO]))).toMatchObject({
      code: 'database-unsure',
      retryable: false,
    })
    expect(await failure(() => repository.find('a'))).toMatchObject({
      code: 'database-unreachable',
      retryable: true,
    })
  })

  it('that has no connection left: waits for one, then says so', async () => {
    const prefix = freshPrefix()
    const database = keep(await stage().open({ connections: 1, waitMs: 60_000 }))
    const repository = sqlMemoryRepository(database, { prefix })
    await repository.append('a', [ONE])
    const others: Database[] = []
    let error: unknown
    while (!error && others.length < 20)
      await stage()
        .open()
        .then(
          (other) => others.push(other),
          (thrown: unknown) => (error = thrown),
        )
    expect(error).toMatchObject({ code: 'database-connections', retryable: true })
    // Whoever has a connection is not disturbed.
    await repository.append('a', [TWO])
    // One whose connection was cut waits until another one is free.
    const [first, ...rest] = others
    const waiting = sqlMemoryRepository(rest[0]!, { prefix })
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and application_name = 'toolwright'`.execute(
      stage().plain,
    )
    await Promise.all([waiting.append('a', [THREE]), first!.close()])
    await Promise.all(rest.map((other) => other.close()))
    expect(await repository.find('a')).toEqual([ONE, TWO, THREE])
  })
}

onBothDatabases(both, {
  settings: { max_connections: '12', superuser_reserved_connections: '0' },
  ofServers,
})
