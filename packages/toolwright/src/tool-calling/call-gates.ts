/**
 * What calls of different runs of one manager share: locks, rates and cached results. Loaded with the first
 * call of a tool that has one of them.
 */
import { canonicalJson } from '../internal/canonical-json.ts'
import type { Json } from '../messages/json.ts'
import { sleep, type Clock } from '../ports/clock.ts'
import { remembered } from '../schema/remembered.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { Batch, ReadyCall } from './call.ts'
import { jsonOf } from './check-call.ts'
import type { ManagerSettings } from './manager-options.ts'

const MOST_CACHED = 1000

type Definition = ToolCallback['definition']
type Results = Map<string, { readonly until: number; readonly result: unknown }>

const gatesOf = new WeakMap<ManagerSettings, CallGates>()

/** Runs `work` in its turn, or takes what an equal call got. */
export async function throughGates<T>(
  batch: Batch,
  ready: ReadyCall,
  work: (batch: Batch, ready: ReadyCall) => Promise<T>,
): Promise<T> {
  const { manager, settings, run } = batch
  const { tool, input, values } = ready
  const gates = remembered(gatesOf, manager, () => new CallGates(settings.clock))
  const { lock, cache, hints } = tool.metadata
  const paced = async (): Promise<T> => {
    await gates.paced(tool, run.signal)
    return work(batch, ready)
  }
  const locked = async (): Promise<T> => {
    const key = hints?.readOnly ? undefined : lock?.(input as never)
    return key === undefined ? paced() : gates.locked(key, paced)
  }
  return cache ? gates.cached(tool, gates.keyOf(jsonOf(ready), values), locked) : locked()
}

class CallGates {
  readonly #clock: Clock
  readonly #tails = new Map<string, Promise<void>>()
  readonly #starts = new WeakMap<Definition, number[]>()
  readonly #results = new WeakMap<Definition, Results>()
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
    const starts = remembered(this.#starts, tool.definition, () => [])
    const now = this.#clock.monotonic()
    const oldest = starts.length < rate.calls ? -Infinity : starts.shift()!
    const start = Math.max(now, oldest + rate.perMs)
    starts.push(start)
    if (start > now) await sleep(this.#clock, start - now, signal)
  }

  /** What makes two calls the same: the input as JSON, and what the tool may see of the request. */
  keyOf(input: Json, values: { readonly [key: string]: unknown }): string {
    const seen = Object.entries(values).map(([key, value]) => [key, this.#markOf(value)])
    return canonicalJson([input, Object.fromEntries(seen)])
  }

  /** Plain values by what they are, objects by which they are: a connection has no JSON. */
  #markOf(value: unknown): unknown {
    if (value !== Object(value)) return [typeof value, String(value)]
    return remembered(this.#marks, value as object, () => ++this.#marked)
  }

  /** The result of an equal call within the tool's time, or of `work`. */
  async cached<T>(tool: ToolCallback, key: string, work: () => Promise<T>): Promise<T> {
    const results = remembered(this.#results, tool.definition, () => new Map())
    const entry = results.get(key)
    if (entry && entry.until > this.#clock.monotonic()) return entry.result as T
    const result = await work()
    if (results.size >= MOST_CACHED) results.delete(results.keys().next().value!)
    const until = this.#clock.monotonic() + tool.metadata.cache!.ttlMs
    results.set(key, { until, result })
    return result
  }
}

const noop = (): void => {}
