/** Stands in for what is around it: advisors and rounds have no span of their own. */
import type { Context } from '@opentelemetry/api'
import type { Observation, ObservedEvent } from 'toolwright'
import type { ObservedRun, OtelObservation } from './open-span.ts'

export class PassedOn implements OtelObservation {
  readonly context: Context
  readonly run: ObservedRun | undefined
  readonly hasOwnContext = false
  readonly #outer: OtelObservation

  constructor(outer: OtelObservation) {
    this.context = outer.context
    this.run = outer.run
    this.#outer = outer
  }

  get logged(): NonNullable<Observation['logged']> {
    return this.#outer.logged ?? {}
  }

  event(event: ObservedEvent): void {
    this.#outer.event?.(event)
  }
}
