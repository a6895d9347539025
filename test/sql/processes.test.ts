/** Several processes on one database, a few times of each. The slow suite does the same more often. */
import { describe, it } from 'vitest'
import { NO_POSTGRES } from '../postgres/postgres-server.ts'
import { appendTogether, killWhileAppending, raceForStates } from './shared-database.ts'
import { KINDS, withDatabase } from './with-database.ts'

describe.each(KINDS)('processes share %s', (kind) => {
  it('append, are killed, and race', async ({ skip }) => {
    if (kind === 'PostgreSQL') skip(...NO_POSTGRES)
    await withDatabase(kind, async (shared) => {
      await raceForStates(shared, { processes: 2, states: 20, uses: 60 })
      await appendTogether(shared, { processes: 2, appends: 50, conversations: 4 })
      await killWhileAppending(shared, { kills: 2, together: 2 })
    })
  })
})
