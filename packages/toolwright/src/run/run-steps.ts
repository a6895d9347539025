/** The durable steps of one run. */
import { runDirectly, type Durability } from '../ports/durability.ts'

/**
 * Steps under keys that are unique in the run: an advisor that asks again takes another step, and so do two steps
 * of one key that run side by side. What failed was not recorded, so trying it once more is the same step.
 */
export function runSteps(runId: string, durability: Durability): Durability['step'] {
  if (durability === runDirectly) return runDirectly.step
  const numbers = new Map<string, KeyNumbers>()
  return async (key, run, tool) => {
    const ofKey = numbers.get(key) ?? new KeyNumbers()
    numbers.set(key, ofKey)
    const number = ofKey.take()
    const unique = number === 1 ? key : `${key}#${number}`
    try {
      return await durability.step(`${runId}/${unique}`, run, tool)
    } catch (thrown) {
      ofKey.giveBack(number)
      throw thrown
    }
  }
}

/** Which numbers the steps of one key have had. */
class KeyNumbers {
  #next = 1
  readonly #free: number[] = []

  take(): number {
    return this.#free.shift() ?? this.#next++
  }

  giveBack(number: number): void {
    this.#free.push(number)
    this.#free.sort((a, b) => a - b)
  }
}
