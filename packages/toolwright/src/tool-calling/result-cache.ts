/**
 * Results of tools with `cache`. Two calls share a result only if the tool could not have told them apart: the
 * same tool, input, context values and tenant. Where that cannot be known, nothing is kept. Each call gets a
 * copy of its own.
 */
import { canonicalJson } from '../internal/canonical-json.ts'
import { describeData } from '../internal/describe-data.ts'
import type { Clock } from '../ports/clock.ts'
import { remembered } from '../schema/remembered.ts'
import { bodyOf } from '../tools/tool-body.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { Batch, ReadyCall } from './call.ts'
import { jsonOf } from './check-call.ts'

/** Of each tool. */
const MOST_CACHED = 1000

interface Kept {
  readonly until: number
  readonly result: object
}

export class ResultCache {
  readonly #clock: Clock
  readonly #results = new WeakMap<object, Map<string, Kept>>()
  readonly #marks = new WeakMap<object, number>()
  #marked = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The result of an equal call within the tool's time, or of `work`. */
  async take<T extends object>(batch: Batch, ready: ReadyCall, work: () => Promise<T>): Promise<T> {
    const key = isAlwaysRun(batch, ready) ? undefined : this.#keyOf(batch, ready)
    if (key === undefined) return work()
    const results = remembered(this.#results, ownerOf(ready.tool), () => new Map<string, Kept>())
    const kept = results.get(key)
    if (kept && kept.until > this.#clock.monotonic()) return structuredClone(kept.result) as T
    const result = await work()
    const copy = copyOf(result)
    if (copy) this.#keep(results, key, { result: copy, until: this.#untilOf(ready.tool) })
    return result
  }

  #untilOf({ metadata }: ToolCallback): number {
    return this.#clock.monotonic() + metadata.cache!.ttlMs
  }

  #keep(results: Map<string, Kept>, key: string, kept: Kept): void {
    const now = this.#clock.monotonic()
    results.delete(key)
    // Those kept first end first.
    for (const [old, { until }] of results) {
      if (until > now && results.size < MOST_CACHED) break
      results.delete(old)
    }
    results.set(key, kept)
  }

  /** Undefined if the tool sees more than data: what is behind it may change. */
  #keyOf({ run }: Batch, ready: ReadyCall): string | undefined {
    const { values } = ready
    const seen = describeData(values)
    if (!seen) return undefined
    const { tenant } = Object(run.conversation) as { readonly tenant?: unknown }
    const marks = Object.values(values).map((value) => this.#markOf(value))
    return canonicalJson([jsonOf(ready), tenant ?? null, seen, marks])
  }

  /** Objects are also told apart by which they are: two equal ones may stand for different things. */
  #markOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return 0
    return remembered(this.#marks, value, () => ++this.#marked)
  }
}

/** A tool that reads the history, or a call that somebody decided about or answered, is not like any other. */
function isAlwaysRun({ run }: Batch, { call, tool, answers }: ReadyCall): boolean {
  const isDecided = run.state?.pending.some(({ callId }) => callId === call.id) ?? false
  return isDecided || answers.length > 0 || Boolean(tool.metadata.needs?.includes('history'))
}

/**
 * What makes a tool the same: its body, under whatever definition it is offered. A callback from scratch is
 * only the same as itself: others may share its definition and answer for other users.
 */
const ownerOf = (tool: ToolCallback): object => bodyOf(tool) ?? tool

/** Undefined if a copy would not be the same: of a class instance, for example. */
function copyOf<T extends object>(result: T): T | undefined {
  if (!describeData(result)) return undefined
  try {
    return structuredClone(result)
  } catch {
    return undefined
  }
}
