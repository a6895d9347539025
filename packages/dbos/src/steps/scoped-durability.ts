import { DBOS } from '@dbos-inc/dbos-sdk'
import type { Durability, OnUnknownOutcome } from 'toolwright'
import { recordedStep } from './recorded-step.ts'
import { scopes } from './run-scope.ts'

/** The port for runs of `durableRuns()`: which run a step belongs to is known from where it is called. */
export function scopedDurability(onUnknownOutcome: OnUnknownOutcome): Durability {
  return {
    onUnknownOutcome,
    step(key, run, tool) {
      const scope = scopes.getStore()
      // What a tool asks while it runs is a part of the tool's own step.
      if (!scope || !DBOS.isInWorkflow()) return run()
      const prefix = `${scope.runId}/`
      const own = key.startsWith(prefix) ? key.slice(prefix.length) : key
      return recordedStep(scope, { key: own, run, tool })
    },
    runId: () => (DBOS.isInWorkflow() ? scopes.getStore()?.runId : undefined),
  }
}
