/** Puts a run into the database: its row and its workflow in one transaction, so that neither is without the other. */
import { createHash, randomUUID } from 'node:crypto'
import { checkOptions, ConfigurationError, DurabilityError } from 'toolwright'
import { inTransaction } from '../database/in-transaction.ts'
import { patiently } from '../database/patiently.ts'
import type { DurableInput, StartOptions } from '../durable-run.ts'
import { requestOf } from './ask-client.ts'
import { QUEUE, RUN_WORKFLOW, VERSION, type OpenRuns } from './open-runs.ts'
import { plainText } from './plain-input.ts'

/** How long `start` and `decide` wait for a database that is away. */
export const CALLER_PATIENCE = { waitMs: 10_000 }

export async function startRun(
  open: OpenRuns,
  client: string,
  { input, options = {} }: { readonly input: DurableInput; readonly options?: StartOptions },
): Promise<string> {
  checkOptions('start()', options, ['runId'])
  const { runId = `run_${randomUUID()}` } = options
  checkRunId(runId)
  const found = open.clients.get(client)
  if (!found) {
    const names = [...open.clients.keys()].map((name) => `"${name}"`).join(', ')
    throw new DurabilityError(
      'durable-client',
      `There is no client "${client}"; there are ${names}.`,
    )
  }
  const request = requestOf(found, input)
  const text = plainText('input', input)
  // The client's own tools are asked for by the worker: a source that is away for a moment must not cost the start.
  await (input.options?.toolNames ? request : request.tools()).check()
  const hash = hashOf(client, JSON.parse(text) as DurableInput)
  const { conversation } = input
  const isThere = await patiently(
    () =>
      inTransaction(open.pool, async (connection) => {
        const { rows } = await connection.query<{ input_hash: string; isNew: boolean }>(
          `insert into toolwright.runs (run_id, client, status, workflow_id, input, input_hash, conversation)
           values ($1, $2, 'running', $1, $3, $4, $5)
           on conflict (run_id) do update set run_id = excluded.run_id
           returning input_hash, (xmax = 0) as "isNew"`,
          [runId, client, text, hash, conversation ? JSON.stringify(conversation) : null],
        )
        const { input_hash, isNew } = rows[0]!
        if (isNew) await open.dbos.enqueueInTransaction(connection, workflowOf(runId), runId)
        return isNew || input_hash === hash
      }),
    CALLER_PATIENCE,
  )
  if (!isThere)
    throw new DurabilityError(
      'durable-run-taken',
      `There is a run ${runId} that was started with another input.`,
      { runId },
    )
  return runId
}

/** What is not given and what is given as its default are the same question. */
function hashOf(client: string, input: DurableInput): string {
  const { stream = true, toolContext = {}, options = {}, params = {}, ...said } = input
  const asked = sorted({ ...said, stream, toolContext, options, params })
  return createHash('sha256')
    .update(JSON.stringify([client, asked]))
    .digest('base64')
}

/** The order of keys says nothing about what is asked. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [key, sorted(item)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** How a segment is handed to DBOS. */
export const workflowOf = (workflowID: string, workflowName = RUN_WORKFLOW) => ({
  queueName: QUEUE,
  workflowName,
  workflowID,
  appVersion: VERSION,
})

/** It becomes part of the keys of tools, of names in the database and of addresses. */
export const isRunId = (runId: unknown): boolean =>
  typeof runId === 'string' && /^[\w.:@-]{1,200}$/.test(runId)

function checkRunId(runId: unknown): void {
  if (isRunId(runId)) return
  throw new ConfigurationError(
    'invalid-option',
    `runId is ${JSON.stringify(runId)}; it takes 1 to 200 of a-z, A-Z, 0-9 and . : @ _ -`,
  )
}
