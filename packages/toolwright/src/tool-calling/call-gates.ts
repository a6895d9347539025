/** What calls of different runs of one manager share: locks, rates and cached results. */
import { canonicalJson } from '../internal/canonical-json.ts'
import type { Json } from '../messages/json.ts'
import { sleep, type Clock } from '../ports/clock.ts'
import type { ToolCallback, ToolOutput } from '../tools/tool-callback.ts'

export interface CachedResult {
  readonly output: ToolOutput
  readonly value?: unknown
}

const MOST_CACHED = 1000

export class CallGates {
  readonly #clock: Clock
  readonly #tails = new Map<string, Promise<void>>()
  readonly #starts = new WeakMap<ToolCallback['definition'], number[]>()
  readonly #results = new WeakMap<
    ToolCallback['definition'],
    Map<string, CachedResult & { readonly until: number }>
  >()

  readonly #marks = new WeakMap<object, number>()
  #marked = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Runs `work` after every earlier work of this key has settled. */
  async locked<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key)
    const mine = before ? before.then(work) : work()
    const tail = mine.then(noop, noop)
    this.#tails.set(key, tail)
    try {
      return await mine
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key)
    }
  }

  /** Waits for a free place in the tool's rate; the place is taken before waiting, so nobody overtakes. */
  async paced(tool: ToolCallback, signal?: AbortSignal): Promise<void> {
    const rate = tool.metadata.rateLimit
    if (!rate) return
    const starts = this.#starts.get(tool.definition) ?? []
    this.#starts.set(tool.definition, starts)
    const now = this.#clock.monotonic()
    const oldest = starts[starts.length - rate.calls]
    const start = oldest === undefined ? now : Math.max(now, oldest + rate.perMs)
    starts.push(start)
    if (starts.length > rate.calls) starts.splice(0, starts.length - rate.calls)
    if (start > now) await sleep(this.#clock, start - now, signal)
  }

  /** What makes two calls the same: the input as JSON, and what the tool may see of the request. */
  keyOf(input: Json, values: { readonly [key: string]: unknown }): string {
    const seen = Object.entries(values).map(([key, value]) => [key, this.#markOf(value)])
    return canonicalJson([input, Object.fromEntries(seen)])
  }

  /** Plain values by what they are, objects by which they are: a connection has no JSON. */
  #markOf(value: unknown): unknown {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null)
      return [typeof value, String(value)]
    const mark = this.#marks.get(value) ?? ++this.#marked
    this.#marks.set(value, mark)
    return mark
  }

  cached(tool: ToolCallback, key: string): CachedResult | undefined {
    const entry = this.#results.get(tool.definition)?.get(key)
    return entry && entry.until > this.#clock.monotonic() ? entry : undefined
  }

  remember(tool: ToolCallback, key: string, { output, value }: CachedResult): void {
    const results = this.#results.get(tool.definition) ?? new Map()
    this.#results.set(tool.definition, results)
    if (results.size >= MOST_CACHED) results.delete(results.keys().next().value!)
    const until = this.#clock.monotonic() + tool.metadata.cache!.ttlMs
    results.set(key, { output, value, until })
  }
}

const noop = (): void => {}
