/** The contracts of core, for any database. */
import { beforeEach, describe, it } from 'vitest'
import {
  chatMemoryRepositoryContract,
  runStoreContract,
  type ContractCase,
} from 'toolwright/testing'
import { sqlMemoryRepository, sqlRunStore, type Database } from '@toolwright/sql'
import { HANG_GUARD_MS } from '../../../../scripts/hang-guard.ts'
import { freshPrefix } from './stages.ts'

const patienceMs = HANG_GUARD_MS

/** Every case has tables of its own. `second` is what another process would open. */
export function contracts(database: () => Database, second: () => Database): void {
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
