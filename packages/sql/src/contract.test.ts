/** The contracts of core, kept on every database. */
import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest'
import {
  chatMemoryRepositoryContract,
  runStoreContract,
  type ContractCase,
} from 'toolwright/testing'
import { openDatabase, sqlMemoryRepository, sqlRunStore, type Database } from '@toolwright/sql'
import { HANG_GUARD_MS } from '../../../scripts/hang-guard.ts'
import { freshPrefix, onBothDatabases } from './testing/stages.ts'

const patienceMs = HANG_GUARD_MS

/** Every case has tables of its own. `second` is what another process would open. */
function contracts(database: () => Database, second: () => Database): void {
  let prefix = ''
  const suites: readonly (readonly [string, readonly ContractCase[]])[] = [
    [
      'conversations',
      chatMemoryRepositoryContract({
        create: () => sqlMemoryRepository(database(), { prefix }),
        reopen: () => sqlMemoryRepository(second(), { prefix }),
        patienceMs,
      }),
    ],
    [
      'runs',
      runStoreContract({
        create: () => sqlRunStore(database(), { prefix }),
        reopen: () => sqlRunStore(second(), { prefix }),
        keepsUsers: true,
        keepsRuns: true,
        patienceMs,
      }),
    ],
  ]
  for (const [name, suite] of suites)
    describe(name, () => {
      beforeEach(() => {
        prefix = freshPrefix()
      })
      for (const { name: each, run } of suite) it(each, run)
    })
}

onBothDatabases((stage) => {
  describe('opened by its address', () => {
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

  describe('on a Kysely of the application', () => {
    let database: Database
    beforeAll(async () => {
      if (stage()) database = await openDatabase(stage().plain)
    })
    contracts(
      () => database,
      () => database,
    )
  })
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
