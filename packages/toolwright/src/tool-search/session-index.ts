/**
 * Maps sessions to catalogues. Sessions with the same tools share a catalogue; a catalogue that only one
 * session uses is changed in place, tool by tool. It knows nothing of what the catalogues contain.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { describeValue } from '../schema/describe-value.ts'
import { contentKey, setKey } from './content-key.ts'
import {
  DEFAULT_MAX_RESULTS,
  NOTHING_FOUND,
  type ToolIndex,
  type ToolReference,
  type ToolSearchResult,
} from './tool-index.ts'

/** A set of tools that can be searched. */
export interface Catalogue {
  /** Adds a tool, or replaces the tool of the same name. */
  put(reference: ToolReference): void
  remove(name: string): void
  /** Returns a copy with the same tools. */
  fork(): Catalogue
  /** Resolves when pending changes are done. */
  ready?(): Promise<void>
  search(query: string, maxResults: number): ToolSearchResult | Promise<ToolSearchResult>
}

interface SharedCatalogue {
  key: string
  /** Tool name to content key. */
  readonly contents: Map<string, string>
  readonly catalogue: Catalogue
  sessions: number
}

const MOST_SPARE = 2

export function sessionIndex(create: () => Catalogue): ToolIndex {
  const bySession = new Map<string, SharedCatalogue>()
  const bySet = new Map<string, SharedCatalogue>()
  /** Catalogues that no session uses, kept for the next session: runs without a conversation come and go. */
  const spare: SharedCatalogue[] = []

  const leave = (session: string): void => {
    const shared = bySession.get(session)
    bySession.delete(session)
    if (!shared || --shared.sessions > 0) return
    spare.push(shared)
    if (spare.length > MOST_SPARE) bySet.delete(spare.shift()!.key)
  }
  const join = (session: string, shared: SharedCatalogue): SharedCatalogue => {
    shared.sessions++
    if (spare.includes(shared)) spare.splice(spare.indexOf(shared), 1)
    bySession.set(session, shared)
    bySet.set(shared.key, shared)
    return shared
  }
  /** Gives the session a catalogue of its own to change, filed under the key of the contents it will have. */
  const ownCatalogue = (session: string, key: string): SharedCatalogue => {
    const current = bySession.get(session)
    leave(session)
    if (current?.sessions === 0) {
      bySet.delete(current.key)
      current.key = key
      return join(session, current)
    }
    return join(session, {
      key,
      contents: new Map(current?.contents),
      catalogue: current?.catalogue.fork() ?? create(),
      sessions: 0,
    })
  }
  /** Gives a session the catalogue with these contents: an existing one, otherwise its own, changed. */
  const moveTo = (session: string, contents: ReadonlyMap<string, string>, change: Change): void => {
    const key = setKey(contents.values())
    const current = bySession.get(session)
    if (current?.key === key) return
    const existing = bySet.get(key)
    if (existing) {
      leave(session)
      join(session, existing)
    } else change(ownCatalogue(session, key))
  }

  return {
    async index(session, references) {
      references.forEach(checkReference)
      const contents = new Map(bySession.get(session)?.contents)
      for (const reference of references) contents.set(reference.name, contentKey(reference))
      moveTo(session, contents, (shared) => {
        for (const reference of new Map(references.map((each) => [each.name, each])).values()) {
          if (shared.contents.get(reference.name) === contents.get(reference.name)) continue
          shared.contents.set(reference.name, contents.get(reference.name)!)
          shared.catalogue.put(reference)
        }
      })
      await bySession.get(session)?.catalogue.ready?.()
    },
    async remove(session, names) {
      const contents = new Map(bySession.get(session)?.contents)
      const removed = names.filter((name) => contents.delete(name))
      if (removed.length === 0) return
      moveTo(session, contents, (shared) => {
        for (const name of removed) {
          shared.contents.delete(name)
          shared.catalogue.remove(name)
        }
      })
    },
    async search({ session, query, maxResults = DEFAULT_MAX_RESULTS }) {
      if (!(maxResults >= 1))
        throw new ConfigurationError(
          'invalid-option',
          `maxResults of a search is ${describeValue(maxResults)}; it takes a number of at least 1.`,
        )
      const shared = bySession.get(session)
      if (!shared || query.trim() === '') return NOTHING_FOUND
      return shared.catalogue.search(query, Math.floor(maxResults))
    },
    async clear(session) {
      leave(session)
    },
  }
}

type Change = (shared: SharedCatalogue) => void

function checkReference({ name, description }: ToolReference): void {
  if (typeof name === 'string' && name !== '' && typeof description === 'string') return
  throw new ConfigurationError(
    'invalid-tool',
    `An index takes tools with a name and a description; one is called ${describeValue(name)}.`,
  )
}
