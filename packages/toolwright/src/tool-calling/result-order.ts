/**
 * The order in which the results of calls that run side by side are taken: counted, told to readers and to whoever
 * listens.
 *
 * A call whose work runs in this life is not recorded yet, so the order cannot be either, because it is recorded
 * when all calls have settled. From then on each result is taken as it comes, and readers see it at once. As long
 * as only records come, results are held until the recorded order is known. The messages are the same in both
 * cases: responses stand in call order, and a hint depends on what earlier batches gave, never on another call of
 * the same batch. Events, and whoever keeps a state by them, need the order.
 */
import type { Batch, CallOutcome, CallTurn, ReadyCall } from './call.ts'
import { Places } from './places.ts'

export class ResultOrder {
  readonly #batch: Batch
  /** The ids of the calls with a result, as they came. */
  readonly #ids: string[] = []
  readonly #arrivals: Promise<void>[] = []
  /** What takes the results that are held, by call id. */
  readonly #held = new Map<string, () => void>()
  #isOpen = false
  readonly #places: Places

  constructor(batch: Batch) {
    this.#batch = batch
    this.#places = new Places(batch.settings.limits.parallel)
  }

  get ids(): readonly string[] {
    return this.#ids
  }

  /** Starts a call. It has arrived when its result may be taken, or when it has ended without one. */
  follow(ready: ReadyCall, settle: (turn: CallTurn) => Promise<void>): Promise<void> {
    const { id: callId } = ready.call
    let arrive = (): void => {}
    this.#arrivals.push(new Promise((resolve) => (arrive = resolve)))
    const settling = settle({
      begin: () => this.#begin(ready),
      take: (record) => {
        this.#ids.push(callId)
        arrive()
        return this.#isOpen ? Promise.resolve(record()) : this.#hold(callId, record)
      },
    })
    return settling.finally(arrive)
  }

  async allArrived(): Promise<void> {
    await Promise.all(this.#arrivals)
  }

  /** Takes what is held: first those that are named, in this order. */
  release(ids: readonly string[]): void {
    for (const id of ids) this.#held.get(id)?.()
    for (const take of this.#held.values()) take()
  }

  #hold(callId: string, record: () => CallOutcome): Promise<CallOutcome> {
    return new Promise((resolve, reject) =>
      this.#held.set(callId, () => {
        this.#held.delete(callId)
        try {
          resolve(record())
        } catch (thrown) {
          reject(thrown as Error)
        }
      }),
    )
  }

  /** Waits for a free place inside the step: an engine that numbers steps needs them to start in call order. */
  #begin(ready: ReadyCall): Promise<() => void> {
    this.#isOpen = true
    this.release(this.#ids)
    return this.#places.take(this.#batch, ready)
  }
}
