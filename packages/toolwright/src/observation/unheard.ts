/** Stands for what an observer does not want to hear of, because the observation around it says so. */
import type { Observation } from './observer.ts'

export class Unheard implements Observation {
  readonly inside = false
  readonly #around: Observation

  constructor(around: Observation) {
    this.#around = around
  }

  /** Other observers and the logger go on: their lines are joined with what is around. */
  get logged(): NonNullable<Observation['logged']> {
    return this.#around.logged ?? {}
  }
}
