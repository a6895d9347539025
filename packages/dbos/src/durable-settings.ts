/** The options of `durableRuns()`, checked once and with their defaults. */
import { randomUUID } from 'node:crypto'
import { checkOptions, checkNumber, ConfigurationError, DurabilityError } from 'toolwright'
import { DEFAULT_STEP_BYTES, LEAST_STEP_BYTES } from './dbos-durability.ts'
import type { DurableRunsOptions } from './durable-run.ts'

const OPTIONS = [
  'url', 'clients', 'executorId', 'onUnknownOutcome', 'concurrency', 'connections', 'heartbeatMs', 'missedHeartbeats',
  'stepBytes', 'retentionMs',
] // prettier-ignore

export type DurableSettings = ReturnType<typeof durableSettings>

export function durableSettings(options: DurableRunsOptions) {
  checkOptions('durableRuns()', options ?? null, OPTIONS)
  const {
    executorId = `toolwright-${randomUUID()}`,
    onUnknownOutcome = 'ask',
    concurrency = 50,
    connections = 10,
    heartbeatMs = 1000,
    missedHeartbeats = 5,
    stepBytes = DEFAULT_STEP_BYTES,
    retentionMs,
    ...rest
  } = options
  const { url, clients } = rest
  if (typeof url !== 'string' || !/^postgres(ql)?:\/\//.test(url))
    throw new ConfigurationError(
      'invalid-option',
      'url is the address of a PostgreSQL database: postgres://user:password@host/name.',
    )
  if (typeof clients !== 'object' || clients === null || Object.keys(clients).length === 0)
    throw new DurabilityError('durable-client', 'clients has no client.')
  if (!/^[\w.:@-]{1,200}$/.test(executorId) || executorId === 'local')
    throw new ConfigurationError(
      'invalid-option',
      'executorId is a text of 1 to 200 letters, digits and signs of . : @ _ -, and not "local".',
    )
  if (!['ask', 'fail', 'tell-model'].includes(onUnknownOutcome))
    throw new ConfigurationError(
      'invalid-option',
      "onUnknownOutcome is 'ask', 'fail' or 'tell-model'.",
    )
  const numbers = { concurrency, connections, heartbeatMs, missedHeartbeats }
  for (const [name, value] of Object.entries(numbers))
    checkNumber(name, value, { least: name === 'concurrency' ? 0 : 1, isWhole: true })
  checkNumber('stepBytes', stepBytes, { least: LEAST_STEP_BYTES, isWhole: true })
  if (retentionMs !== undefined)
    checkNumber('retentionMs', retentionMs, { least: 0, isWhole: true })
  return { url, clients, executorId, onUnknownOutcome, stepBytes, retentionMs, ...numbers }
}
