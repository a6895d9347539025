/**
 * Several processes on one database, killed and restarted, and many tenants. `TOOLWRIGHT_SQL_FULL=1` kills 200 times and
 * mixes 100,000 operations, which takes some minutes.
 */
import { describe, expect, it } from 'vitest'
import { NO_POSTGRES } from '../postgres/postgres-server.ts'
import { appendTogether, killWhileAppending, raceForStates } from './shared-database.ts'
import { mixTenants } from './tenants.ts'
import { KINDS, withDatabase } from './with-database.ts'

const isFull = process.env['TOOLWRIGHT_SQL_FULL'] === '1'

describe.each(KINDS)('%s', (kind) => {
  const test = (name: string, use: Parameters<typeof withDatabase>[1]): void =>
    it(name, async ({ skip }) => {
      if (kind === 'PostgreSQL') skip(...NO_POSTGRES)
      await withDatabase(kind, use)
    })

  test('8 processes append to 50 conversations: all there, in order, none doubled', (shared) =>
    appendTogether(shared, { processes: 8, appends: 1_000, conversations: 50 }))

  test('kill -9 during appends: what was acknowledged is there, and no turn is torn', async (shared) => {
    const kills = isFull ? 200 : 60
    const acknowledged = await killWhileAppending(shared, { kills, together: 4 })
    console.log(`${kind}: ${kills} kills, ${acknowledged} acknowledged appends.`)
  })

  test('2,000 uses of 200 states by 8 processes: 200 winners', (shared) =>
    raceForStates(shared, { processes: 8, states: 200, uses: 2_000 }))

  test('200 tenants: no value is ever seen by another', async ({ database }) => {
    const operations = isFull ? 100_000 : 15_000
    const looked = await mixTenants(database, { tenants: 200, operations, together: 10 })
    console.log(`${kind}: ${operations} operations of 200 tenants, ${looked} values read.`)
    expect(looked).toBeGreaterThan(operations / 2)
  })
})

it('PostgreSQL restarts while 4 processes append: nothing is lost, nothing is doubled', async ({
  skip,
}) => {
  skip(...NO_POSTGRES)
  await withDatabase('PostgreSQL', (shared) =>
    appendTogether(shared, { processes: 4, appends: 1_000, conversations: 10, restarts: 6 }),
  )
})
