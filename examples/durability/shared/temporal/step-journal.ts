/**
 * The steps of one segment as a workflow of Temporal keeps them. Nothing here reads a clock or draws lots: Temporal
 * rebuilds it by replaying the workflow, and must come to the same.
 */

/** Which attempt of which activity asks. Temporal counts both. */
export interface Life {
  readonly segment: number
  readonly attempt: number
}

export interface StepStart extends Life {
  readonly key: string
  /** Its effect must not happen twice. */
  readonly isOnce: boolean
}

export interface StepEnd extends Life {
  readonly key: string
  readonly value?: unknown
}

/** What a step finds when it begins. */
export type Begun =
  | { readonly kind: 'run' }
  | { readonly kind: 'unknown-outcome' }
  | { readonly kind: 'recorded'; readonly value?: unknown }

export class StepJournal {
  readonly #segment: number
  readonly #intents = new Set<string>()
  readonly #recorded = new Map<string, unknown>()
  #newest = 1

  constructor(segment: number) {
    this.#segment = segment
  }

  /** The fence: once a newer attempt has begun a step, an older one can neither begin nor record any. */
  isStale({ segment, attempt }: Life): boolean {
    return segment !== this.#segment || attempt < this.#newest
  }

  begin({ key, attempt, isOnce }: StepStart): Begun {
    this.#newest = Math.max(this.#newest, attempt)
    if (this.#recorded.has(key)) return { kind: 'recorded', value: this.#recorded.get(key) }
    if (this.#intents.has(key)) return { kind: 'unknown-outcome' }
    if (isOnce) this.#intents.add(key)
    return { kind: 'run' }
  }

  end({ key, value }: StepEnd): void {
    this.#recorded.set(key, value)
  }
}
