/**
 * What the advisor keeps between requests: for each session, what is indexed and what was found, until the
 * eviction strategy drops it. The operations of one session run one after another.
 */
import { contentKey, setKey } from '../content-key.ts'
import type { EvictionStrategy } from '../eviction.ts'
import type { ToolIndex, ToolReference, ToolSearchResult } from '../tool-index.ts'

/** The tools of a run that can be searched for. */
export interface ToolSet {
  readonly key: string
  /** Tool name to content key. */
  readonly contents: ReadonlyMap<string, string>
  readonly references: readonly ToolReference[]
}

export function toolSetOf(references: readonly ToolReference[]): ToolSet {
  const contents = new Map(references.map((each) => [each.name, contentKey(each)]))
  return { key: setKey(contents.values()), contents, references }
}

interface Session {
  /** Undefined after a change that failed half-way. */
  indexed: ToolSet | undefined
  /** Names, in the order of finding. */
  found: readonly string[]
}

const NO_TOOLS: ToolSet = { key: '', contents: new Map(), references: [] }

export class SearchSessions {
  readonly #index: ToolIndex
  readonly #eviction: EvictionStrategy
  readonly #sessions = new Map<string, Session>()
  /** The sessions that the eviction strategy knows. */
  readonly #entered = new Set<string>()
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(index: ToolIndex, eviction: EvictionStrategy) {
    this.#index = index
    this.#eviction = eviction
  }

  /** Marks the session as used, and evicts the sessions that are due. */
  async enter(session: string, now: number): Promise<void> {
    this.#eviction.touch(session, now)
    await Promise.all(this.#eviction.evict(now).map((gone) => this.#drop(gone)))
    this.#entered.add(session)
  }

  /** Ends a run. If nobody entered its session, or it was evicted meanwhile, its data is removed. */
  async leave(session: string): Promise<void> {
    if (!this.#entered.has(session)) await this.#drop(session)
  }

  /** Makes the index hold exactly these tools. Does nothing if it already does. */
  prepare(session: string, tools: ToolSet): Promise<void> {
    return this.#inTurn(session, () => this.#prepare(session, tools))
  }

  /**
   * Searches. Another run may have indexed other tools under the same session meanwhile, so the tools are
   * prepared each time.
   */
  search(
    tools: ToolSet,
    request: { readonly session: string; readonly query: string; readonly maxResults: number },
  ): Promise<ToolSearchResult> {
    const { session } = request
    return this.#inTurn(session, async () => {
      await this.#prepare(session, tools)
      return this.#index.search(request)
    })
  }

  found(session: string): readonly string[] {
    return this.#sessions.get(session)?.found ?? []
  }

  remember(session: string, found: readonly string[]): void {
    this.#open(session).found = found
  }

  async evict(session: string): Promise<void> {
    this.#eviction.forget?.(session)
    await this.#drop(session)
  }

  #drop(session: string): Promise<void> {
    return this.#inTurn(session, async () => {
      this.#sessions.delete(session)
      this.#entered.delete(session)
      await this.#index.clear(session)
    })
  }

  #open(session: string): Session {
    const current = this.#sessions.get(session) ?? { indexed: NO_TOOLS, found: [] }
    this.#sessions.set(session, current)
    return current
  }

  async #prepare(session: string, tools: ToolSet): Promise<void> {
    const record = this.#open(session)
    if (record.indexed?.key === tools.key) return
    if (!record.indexed) await this.#index.clear(session)
    const indexed = record.indexed ?? NO_TOOLS
    record.indexed = undefined
    const gone = [...indexed.contents.keys()].filter((name) => !tools.contents.has(name))
    const changed = tools.references.filter(
      ({ name }) => indexed.contents.get(name) !== tools.contents.get(name),
    )
    if (gone.length > 0) await this.#index.remove(session, gone)
    if (changed.length > 0) await this.#index.index(session, changed)
    record.indexed = tools
  }

  async #inTurn<T>(session: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(session) ?? Promise.resolve()
    const mine = before.then(work, work)
    this.#turns.set(session, mine)
    try {
      return await mine
    } finally {
      if (this.#turns.get(session) === mine) this.#turns.delete(session)
    }
  }
}
