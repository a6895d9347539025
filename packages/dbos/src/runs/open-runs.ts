/** What the pieces of an open `durableRuns()` share. */
import type { DBOSClient } from '@dbos-inc/dbos-sdk'
import type { Pool } from 'pg'
import type { ChatClient, RunState } from 'toolwright'
import type { RunScope } from '../steps/run-scope.ts'
import type { RunWatch } from './run-watch.ts'

export interface OpenRuns {
  readonly executorId: string
  readonly pool: Pool
  /** Where DBOS has its tables. */
  readonly schema: string
  /** The clients, whose steps are recorded. */
  readonly clients: ReadonlyMap<string, ChatClient>
  readonly dbos: DBOSClient
  /** The workflows whose records did not fit the code of this process: it does not try them again. */
  readonly misfits: Set<string>
  /** The lives that run here now. */
  readonly scopes: Set<RunScope>
  /** Aborted when this worker leaves: a life that begins after that is left at once. */
  readonly leaving: AbortController
  readonly watch: RunWatch
  /** How long runs that have ended are kept. Undefined: for ever. */
  readonly retentionMs: number | undefined
  readonly stepBytes: number
  /** False: this process leaves the work to others. */
  readonly isWorker: boolean
  /** How long it takes until each worker has looked for what it could go on with. */
  readonly lookMs: number
}

export const APPLICATION = 'toolwright'
export const QUEUE = 'toolwright'
export const RUN_WORKFLOW = 'toolwright.run'
export const UNDO_WORKFLOW = 'toolwright.undo'

const STATE_FORMAT: RunState['version'] = 1

/**
 * DBOS gives runs only to workers of the same version. Its own default, a hash of the source, would leave every run
 * of an older deploy behind; what must be the same is the format of what is kept.
 */
export const VERSION = `toolwright-${STATE_FORMAT}`
