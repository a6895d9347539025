/** The steps of a batch where the run is durable. Where it is not, nothing is a step and nothing needs a key. */
import { runDirectly, type Durability } from '../ports/durability.ts'
import type { RunSettings } from '../run/run-settings.ts'
import type { Batch, BatchRun } from './call.ts'

/** Undefined where steps just run. */
export function durableStepOf(
  { durability }: RunSettings,
  { step }: BatchRun,
): Durability['step'] | undefined {
  if ((step ?? durability.step) === runDirectly.step) return undefined
  return step ?? ((key, run, tool) => durability.step(key, run, tool))
}

type StepKind = 'tool' | 'permit' | 'order' | 'inside-call'

/**
 * The key of a step of one call. After a resume it ends with the id of the state that was resumed: an approval, an
 * answer and a retry of one call are steps of their own.
 */
export function stepKey({ run }: Batch, kind: StepKind, callId: string): string {
  const key = `${kind}/${callId}`
  return run.state ? `${key}/${run.state.id}` : key
}
