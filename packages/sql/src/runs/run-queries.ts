/** The statements of the run store, each built once. */
import type { CompiledQuery } from 'kysely'
import { prepared } from '../database/prepared.ts'
import type { Toolkit } from '../database/toolkit.ts'
import type { PageEnd } from '../schema/page-cursor.ts'

/** How many forgotten runs one `save` removes at most: no caller waits long for tidying up. */
const TIDIED_AT_ONCE = 100

export interface WaitingRow {
  readonly id: number | string
  readonly run_id: string
  readonly saved_at: number | string
  readonly content: string
}

interface UsedState {
  readonly hash: string
  readonly stateId: string
  readonly by: string | null
  readonly useId: string
  readonly now: number
}

export interface ListedRows {
  readonly key_hash?: string
  readonly tenant_hash?: string
  /** Rows behind this one. */
  readonly after?: PageEnd
  readonly since: number
  readonly limit: number
}

export type RunQueries = ReturnType<typeof runQueries>

export function runQueries(toolkit: Toolkit, prefix: string) {
  const { sql, dialect } = toolkit
  const queries = toolkit.queries(prefix)

  /** The use of a state and the saving of its run may cross, so a used one may still have its row. */
  const waiting = (since: number) =>
    queries
      .selectFrom('waiting_runs')
      .select(['id', 'run_id', 'saved_at', 'content'])
      .where('saved_at', '>=', since)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('used_states')
              .select('used_states.state_hash')
              .whereRef('used_states.state_hash', '=', 'waiting_runs.state_hash'),
          ),
        ),
      )

  return {
    use: prepared<UsedState>()((given) =>
      queries
        .insertInto('used_states')
        .values({
          state_hash: given('hash'),
          state_id: given('stateId'),
          used_by: given('by'),
          use_id: given('useId'),
          used_at: given('now'),
        })
        .onConflict((conflict) => conflict.column('state_hash').doNothing())
        .returning('state_hash'),
    ),

    userOf: prepared<{ hash: string }>()((given) =>
      queries
        .selectFrom('used_states')
        .select(['used_by', 'use_id'])
        .where('state_hash', '=', given('hash')),
    ),

    removeUsed: prepared<{ hash: string }>()((given) =>
      queries.deleteFrom('waiting_runs').where('state_hash', '=', given('hash')),
    ),

    save: prepared<{
      runHash: string
      runId: string
      stateHash: string
      keyHash: string | null
      tenantHash: string | null
      savedAt: number
      content: string
    }>()((given) => {
      const state = {
        state_hash: given('stateHash'),
        key_hash: given('keyHash'),
        tenant_hash: given('tenantHash'),
        saved_at: given('savedAt'),
        content: given('content'),
      }
      return queries
        .insertInto('waiting_runs')
        .values({ run_hash: given('runHash'), run_id: given('runId'), ...state })
        .onConflict((conflict) => conflict.column('run_hash').doUpdateSet(state))
    }),

    find: prepared<{ hash: string; since: number }>()((given) =>
      waiting(given('since')).where('run_hash', '=', given('hash')),
    ),

    list({ key_hash, tenant_hash, after, since, limit }: ListedRows): CompiledQuery<WaitingRow> {
      let query = waiting(since).orderBy('saved_at').orderBy('id').limit(limit)
      if (key_hash !== undefined) query = query.where('key_hash', '=', key_hash)
      if (tenant_hash !== undefined) query = query.where('tenant_hash', '=', tenant_hash)
      if (after)
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('saved_at', 'id'), '>', tuple(after.at, after.id)),
        )
      return query.compile()
    },

    /** Removes some of what was saved before. */
    forget: prepared<{ before: number }>()((given) =>
      queries
        .deleteFrom('waiting_runs')
        .where('id', 'in', (of) =>
          of
            .selectFrom('waiting_runs')
            .select('id')
            .where('saved_at', '<', given('before'))
            .orderBy('saved_at')
            .limit(TIDIED_AT_ONCE)
            .modifyEnd(sql.raw(dialect.skipLocked)),
        ),
    ),
  }
}
