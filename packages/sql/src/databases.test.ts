/**
 * What is the same on every database, on one server: the contracts of core, and the cases beside the sources. A Kysely
 * of the application's keeps the contracts in the slow suites.
 */
import { afterAll, beforeAll, describe } from 'vitest'
import { openDatabase, type Database } from '@toolwright/sql'
import { repositoryCases } from './memory/sql-memory-repository.cases.ts'
import { runStoreCases } from './runs/sql-run-store.cases.ts'
import { migrationCases } from './schema/migrate.cases.ts'
import { contracts } from './testing/contracts.ts'
import { onBothDatabases } from './testing/stages.ts'

onBothDatabases((stage) => {
  describe('the contracts', () => {
    let databases: readonly Database[] = []
    beforeAll(async () => {
      if (stage()) databases = [await stage().open(), await stage().open()]
    })
    afterAll(() => Promise.all(databases.map((each) => each.close())))
    contracts(
      () => databases[0]!,
      () => databases[1]!,
    )
  })

  describe('conversations', () => repositoryCases(stage))
  describe('runs', () => runStoreCases(stage))
  describe('migrations', () => migrationCases(stage))
})

describe('in memory', () => {
  let database: Database
  beforeAll(async () => {
    database = await openDatabase(':memory:')
  })
  afterAll(() => database.close())
  contracts(
    () => database,
    () => database,
  )
})
