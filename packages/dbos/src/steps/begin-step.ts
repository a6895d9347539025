/**
 * The one statement before a step runs: does this worker still own the run, and has an earlier life begun this call? One
 * round trip, because it stands before so many steps.
 */
import type { Pool } from 'pg'
import type { ToolStep } from 'toolwright'
import { owned, ownerValues, type Owner } from './owner.ts'
import { storedText } from './stored-text.ts'

export interface StepBegin {
  readonly owner: Owner
  readonly step: string
  /** Of this attempt: tells its own row from one of an earlier life when the statement is sent again. */
  readonly token: string
  readonly tool?: ToolStep | undefined
  /** The fingerprint of the tool, if the client offers it itself. */
  readonly definition?: string | undefined
}

interface BegunRow {
  readonly owned: boolean
  readonly token?: string | null
}

export interface Begun {
  readonly isOwner: boolean
  /** An earlier life of the run has begun this very call. */
  readonly wasBegun: boolean
}

const BEGUN = `begun as (
  insert into toolwright.effects (workflow_id, step, run_id, call_id, tool, effect, undoable, input, definition, token)
  select $1, $4::text, $3, $5::text, $6::text, $7::text, $8::boolean, $9::text, $10::text, $11::text from owner
  on conflict (run_id, workflow_id, step) do update set token = toolwright.effects.token
  returning token)`

const IS_OWNER = 'exists (select 1 from owner) as owned'
const TOKEN = '(select token from begun) as token'

/**
 * The row of a call that may run twice and cannot be undone need not be on the disk before the tool starts: it must
 * survive the worker, not the machine of the database. Otherwise every call would wait for the disk once more.
 */
const UNHURRIED = `set_config('synchronous_commit', 'off', true)`

const STATEMENTS = {
  plain: (owner: Owner) => `with ${owned(owner)} select ${IS_OWNER}`,
  kept: (owner: Owner) => `with ${owned(owner)}, ${BEGUN} select ${IS_OWNER}, ${TOKEN}`,
  again: (owner: Owner) =>
    `with ${owned(owner)}, ${BEGUN} select ${IS_OWNER}, ${TOKEN}, ${UNHURRIED}`,
}

export async function beginStep(pool: Pool, begin: StepBegin): Promise<Begun> {
  const { owner, token, tool } = begin
  const kind = !tool ? 'plain' : tool.effect === 'once' || tool.isUndoable ? 'kept' : 'again'
  // Named, so that the server prepares it once per connection.
  const { rows } = await pool.query<BegunRow>({
    name: `toolwright-begin-${kind}`,
    text: STATEMENTS[kind](owner),
    values: [...ownerValues(owner), ...(tool ? valuesOf(begin, tool) : [])],
  })
  const { owned: isOwner, token: kept } = rows[0]!
  return { isOwner, wasBegun: isOwner && tool !== undefined && kept !== token }
}

const valuesOf = ({ step, definition, token }: StepBegin, tool: ToolStep): readonly unknown[] => [
  step,
  storedText(tool.callId),
  storedText(tool.toolName),
  tool.effect,
  tool.isUndoable,
  tool.isUndoable ? JSON.stringify(tool.input) : null,
  definition ?? null,
  token,
]
