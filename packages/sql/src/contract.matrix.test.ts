/** The contracts of core, kept on a Kysely of the application's. */
import { beforeAll } from 'vitest'
import { openDatabase, type Database } from '@toolwright/sql'
import { contracts } from './testing/contracts.ts'
import { onBothDatabases } from './testing/stages.ts'

onBothDatabases((stage) => {
  let database: Database
  beforeAll(async () => {
    if (stage()) database = await openDatabase(stage().plain)
  })
  contracts(
    () => database,
    () => database,
  )
})
