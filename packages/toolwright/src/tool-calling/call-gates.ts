/**
 * What calls of different runs of one manager share: locks, rates and cached results; and the attempts of a
 * tool that may be repeated. Loaded with the first call of a tool that has one of them.
 */
import type { Clock } from '../ports/clock.ts'
import { remembered } from '../schema/remembered.ts'
import { checkGates } from '../tools/check-gates.ts'
import type { Batch, ReadyCall, RunAttempt } from './call.ts'
import { CallTries } from './call-tries.ts'
import { CallLocks } from './call-locks.ts'
import { CallRates } from './call-rates.ts'
import type { ManagerSettings } from './manager-options.ts'
import { ResultCache } from './result-cache.ts'

interface CallGates {
  readonly locks: CallLocks
  readonly rates: CallRates
  readonly results: ResultCache
}

const gatesOf = new WeakMap<ManagerSettings, CallGates>()

const openGates = (clock: Clock): CallGates => ({
  locks: new CallLocks(),
  rates: new CallRates(clock),
  results: new ResultCache(clock),
})

/** Runs a call in its turn, or takes what an equal call got. */
export async function throughGates<T extends object>(
  batch: Batch,
  ready: ReadyCall,
  run: RunAttempt<T>,
): Promise<T> {
  const { definition, metadata } = ready.tool
  // A callback from scratch was not checked when it was made.
  checkGates(`Tool "${definition.name}"`, metadata)
  const gates = remembered(gatesOf, batch.manager, () => openGates(batch.settings.clock))
  const work = (): Promise<T> => locked(gates, { batch, ready, run })
  return metadata.cache ? gates.results.take(batch, ready, work) : work()
}

interface GatedCall<T> {
  readonly batch: Batch
  readonly ready: ReadyCall
  readonly run: RunAttempt<T>
}

/** The lock stays with the tool until it settles, also when its call was given up or its run aborted. */
async function locked<T>(
  { locks, rates }: CallGates,
  { batch, ready, run }: GatedCall<T>,
): Promise<T> {
  const { timeoutMs = batch.settings.limits.toolTimeoutMs } = ready.tool.metadata
  const ms = timeoutMs === 'unlimited' ? Infinity : timeoutMs
  const lock = await locks.take(batch, ready, ms)
  if (!lock) return new CallTries({ batch, ready, run, rates }).run()
  const { held, waitedMs, behind } = lock
  if (behind) ready.watched?.waited({ for: 'lock', ms: waitedMs, behind })
  const leftMs = ms - waitedMs
  const tries = new CallTries({ batch: { ...batch, held }, ready, run, rates, leftMs })
  try {
    return await tries.run()
  } finally {
    if (tries.running) {
      lock.giveUp()
      void tries.running.then(() => lock.release())
    } else {
      lock.release()
    }
  }
}
