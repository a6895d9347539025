/** The durable steps of one run. */
import { runDirectly, type Durability } from '../ports/durability.ts'

/**
 * Steps under keys that are unique in the run: an advisor that asks again takes another step. What failed was
 * not recorded, so trying it once more is the same step.
 */
export function runSteps(runId: string, durability: Durability): Durability['step'] {
  if (durability === runDirectly) return runDirectly.step
  const taken = new Map<string, number>()
  return async (key, run) => {
    const times = taken.get(key) ?? 0
    const unique = times === 0 ? key : `${key}#${times + 1}`
    const result = await durability.step(`${runId}/${unique}`, run)
    taken.set(key, times + 1)
    return result
  }
}
