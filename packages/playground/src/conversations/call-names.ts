/**
 * What the calls of a turn are called in its page. A run inside a tool gives its calls ids of its own, which may be those of
 * calls around it or beside it: its calls are named after the call that it is in.
 */
import type { ChatEvent } from 'toolwright'

type Origin = Pick<ChatEvent, 'runId' | 'parentCallId'>

export interface CallName {
  readonly id: string
  /** The call whose tool made it, or started its run. */
  readonly parentId?: string
}

export class CallNames {
  /** The turn's own: a turn that waited may go on as another run. */
  readonly #ownRuns = new Set<string>()
  /** The call that each run inside a tool is in. */
  readonly #calls = new Map<string, string>()
  /** By id: all that have it, in the order in which they were made. */
  readonly #named = new Map<string, string[]>()

  of({ runId, parentCallId }: Origin, id: string): CallName {
    if (parentCallId === undefined) {
      if (runId !== undefined) this.#ownRuns.add(runId)
      return this.#note(id, { id })
    }
    // Made by a tool itself, in the run of its call.
    const isMade = id.startsWith(`${parentCallId}/`)
    const isKnown = runId !== undefined && this.#ownRuns.size > 0
    const isOwn = isKnown ? this.#ownRuns.has(runId) : isMade
    if (isOwn) return this.#note(id, { id, parentId: parentCallId })
    const around = this.#callOf(runId ?? parentCallId, parentCallId)
    const parentId = isMade ? named(around, parentCallId) : around
    return this.#note(id, { id: named(around, id), parentId })
  }

  #note(id: string, name: CallName): CallName {
    const all = this.#named.get(id) ?? []
    if (!all.includes(name.id)) this.#named.set(id, [...all, name.id])
    return name
  }

  /** Of several calls of one id it is the first that no run is in yet. */
  #callOf(runId: string, parentCallId: string): string {
    const known = this.#calls.get(runId)
    if (known !== undefined) return known
    const taken = new Set(this.#calls.values())
    const all = this.#named.get(parentCallId) ?? [parentCallId]
    const around = all.find((each) => !taken.has(each)) ?? all[0]!
    this.#calls.set(runId, around)
    return around
  }
}

/** No id that a model gives has a slash: it cannot be taken for that of a call that a tool made. */
const named = (around: string, id: string): string => `${around}/in/${id}`
