/** Events by their numbers, for readers that come late, leave and come back. */
export type Numbered = { readonly seq: number }

/** Each member of a union without these fields. */
export type Without<Event, Fields extends string> = Event extends unknown
  ? Omit<Event, Fields>
  : never

export interface EventLogOptions {
  /** The number of the first event. Default 1. */
  readonly first?: number
  /** How many are kept; older ones are forgotten. Default: all. */
  readonly keep?: number
}

export class EventLog<Event extends Numbered> {
  readonly #events: Event[] = []
  readonly #listeners = new Set<() => void>()
  readonly #keep: number
  #next: number
  #isEnded = false

  constructor({ first = 1, keep = Infinity }: EventLogOptions = {}) {
    this.#next = first
    this.#keep = keep
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** The number of the newest event. */
  get last(): number {
    return this.#next - 1
  }

  append(event: Without<Event, 'seq'>): void {
    if (this.#isEnded) return
    this.#events.push({ seq: this.#next++, ...event } as unknown as Event)
    if (this.#events.length > this.#keep) this.#events.shift()
    this.#tell()
  }

  /** Takes out the oldest event of which this is true. */
  forget(isIt: (event: Event) => boolean): void {
    const at = this.#events.findIndex(isIt)
    if (at >= 0) this.#events.splice(at, 1)
  }

  /** Nothing is added any more, and readers that have read all are done. */
  end(): void {
    this.#isEnded = true
    this.#tell()
  }

  /** The first event behind this number. */
  after(seq: number): Event | undefined {
    let [low, high] = [0, this.#events.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#events[middle]!.seq > seq) high = middle
      else low = middle + 1
    }
    return this.#events[low]
  }

  /** The listener hears of each event and of the end. Returns what ends the listening. */
  onMore(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}
