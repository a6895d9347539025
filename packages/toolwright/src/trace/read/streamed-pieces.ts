/**
 * The pieces of answers that were streamed in a round. An advisor may ask more than once in it, so it is the time that
 * tells whose they are.
 */
import type { TraceEvent, TraceExchange, TraceTimes } from '../trace.ts'

export class StreamedPieces {
  /** When each row of pieces began, the earliest first. */
  readonly #times: readonly number[]
  /** How many pieces came before each of these. */
  readonly #before: readonly number[]

  constructor(deltas: readonly TraceEvent[]) {
    const rows = deltas
      .map(({ at, firstAt = at, count = 1 }) => ({ firstAt, count }))
      .sort((a, b) => a.firstAt - b.firstAt)
    this.#times = rows.map(({ firstAt }) => firstAt)
    let sum = 0
    this.#before = [0, ...rows.map(({ count }) => (sum += count))]
  }

  during({
    startedAt,
    endedAt = Infinity,
  }: TraceTimes): Pick<TraceExchange, 'firstChunkAt' | 'chunks'> {
    const from = this.#placeOf((time) => time >= startedAt)
    const until = this.#placeOf((time) => time > endedAt)
    if (from >= until) return {}
    return {
      firstChunkAt: this.#times[from]!,
      chunks: this.#before[until]! - this.#before[from]!,
    }
  }

  /** Of the first time that is late enough, found by halves. */
  #placeOf(isLate: (time: number) => boolean): number {
    let [low, high] = [0, this.#times.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isLate(this.#times[middle]!)) high = middle
      else low = middle + 1
    }
    return low
  }
}
