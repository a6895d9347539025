/** Tables are made and brought to a version by one program at a time, and never taken back. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Message } from 'toolwright'
import { sqlMemoryRepository, sqlRunStore, type Database } from '@toolwright/sql'
import { openedOf } from '../database/opened-database.ts'
import { failure } from '../testing/failure.ts'
import { freshPrefix, type Stage } from '../testing/stages.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS, type Migration } from './migrations.ts'

const ONE: Message = { role: 'user', content: 'one' }

/** What a later release could do. There is no second version yet. */
const later: Migration = ({ queries }) => [
  queries.schema.alterTable('conversations').addColumn('title', 'text'),
]
const broken: Migration = (parts) => [
  ...later(parts),
  parts.queries.schema.alterTable('conversations').addColumn('title', 'text'),
]

export function migrationCases(stage: () => Stage): void {
  const versionOf = async (prefix: string): Promise<unknown> =>
    (await stage().plain.selectFrom(`${prefix}schema`).select('version').executeTakeFirst())
      ?.version
  const migrated = (database: Database, prefix: string, migrations: readonly Migration[]) =>
    migrate(openedOf(database, 'the test'), prefix, migrations)

  it('tables are made at the first use, under version 1', async () => {
    const prefix = freshPrefix()
    await using database = await stage().open()
    expect(await sqlMemoryRepository(database, { prefix }).conversations()).toEqual([])
    expect(await versionOf(prefix)).toBe(MIGRATIONS.length)
    expect(MIGRATIONS).toHaveLength(1)
  })

  it('many programs that make them at once make them once', async () => {
    const prefix = freshPrefix()
    const databases = await Promise.all(Array.from({ length: 8 }, () => stage().open()))
    await Promise.all(
      databases.map(async (database, index) => {
        await sqlMemoryRepository(database, { prefix }).append(`c${index}`, [ONE])
        await sqlRunStore(database, { prefix }).use(`s${index}`)
      }),
    )
    const repository = sqlMemoryRepository(databases[0]!, { prefix })
    expect(await repository.conversations()).toHaveLength(8)
    await Promise.all(databases.map((database) => database.close()))
  })

  it('an older version is brought to the newer one, with what is in it, also by many at once', async () => {
    const prefix = freshPrefix()
    const databases = await Promise.all(Array.from({ length: 4 }, () => stage().open()))
    const repository = sqlMemoryRepository(databases[0]!, { prefix })
    await repository.append('a', [ONE])
    await Promise.all(databases.map((each) => migrated(each, prefix, [...MIGRATIONS, later])))
    expect(await versionOf(prefix)).toBe(2)
    // A program of the version before that is already running goes on.
    await repository.append('a', [ONE])
    expect(await repository.find('a')).toEqual([ONE, ONE])
    const rows = await stage().plain.selectFrom(`${prefix}conversations`).selectAll().execute()
    expect(rows).toEqual([expect.objectContaining({ conversation: 'a', title: null })])
    await Promise.all(databases.map((database) => database.close()))
  })

  it('a newer version is refused, by its number', async () => {
    const prefix = freshPrefix()
    await using database = await stage().open()
    await migrated(database, prefix, [...MIGRATIONS, later])
    for (const work of [
      () => sqlMemoryRepository(database, { prefix }).append('a', [ONE]),
      () => sqlRunStore(database, { prefix }).use('s'),
    ]) {
      const error = await failure(work)
      expect(error).toMatchObject({ code: 'database-newer' })
      expect(error.message).toContain('version 2; this program knows 1')
    }
  })

  it('a migration that fails leaves the version before, whole', async () => {
    const prefix = freshPrefix()
    await using database = await stage().open()
    const repository = sqlMemoryRepository(database, { prefix })
    await repository.append('a', [ONE])
    expect(await failure(() => migrated(database, prefix, [...MIGRATIONS, broken]))).toMatchObject({
      code: 'database-failed',
    })
    expect(await versionOf(prefix)).toBe(1)
    await migrated(database, prefix, [...MIGRATIONS, later])
    expect(await versionOf(prefix)).toBe(2)
  })

  it('a version that is none is a damage, and is looked at again when it was repaired', async () => {
    const prefix = freshPrefix()
    await using database = await stage().open()
    await sqlMemoryRepository(database, { prefix }).append('a', [ONE])
    const table = sql.table(`${prefix}schema`)
    await sql`delete from ${table}`.execute(stage().plain)
    await using other = await stage().open()
    const repository = sqlMemoryRepository(other, { prefix })
    expect(await failure(() => repository.find('a'))).toMatchObject({ code: 'database-corrupt' })
    await sql`insert into ${table} (id, version) values (1, 1)`.execute(stage().plain)
    expect(await repository.find('a')).toEqual([ONE])
  })

  it('names of the longest prefix are not cut', async () => {
    const prefix = `x${'y'.repeat(30)}`
    await using database = await stage().open()
    await sqlMemoryRepository(database, { prefix }).append('a', [ONE])
    await sqlMemoryRepository(database, { prefix: `x${'y'.repeat(29)}z` }).append('a', [ONE])
    expect(await sqlMemoryRepository(database, { prefix }).find('a')).toEqual([ONE])
  })
}
