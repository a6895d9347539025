/**
 * Sessions over catalogues: sessions with the same set of tools share one catalogue, and one that changes
 * alone is changed in place, tool by tool. What a catalogue is made of, words, patterns or vectors, it
 * does not know.
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

/** The tools of one set, ready to be searched. */
export interface Catalogue {
  /** Adds a tool, or replaces the one of its name. */
  put(reference: ToolReference): void
  remove(name: string): void
  /** Another catalogue with the same tools. */
  fork(): Catalogue
  /** What must be waited for after a change. */
  ready?(): Promise<void>
  search(query: string, maxResults: number): ToolSearchResult | Promise<ToolSearchResult>
}

interface SharedCatalogue {
  key: string
  /** Name to content. */
  readonly contents: Map<string, string>
  readonly catalogue: Catalogue
  sessions: number
}

const MOST_SPARE = 2

export function sessionIndex(create: () => Catalogue): ToolIndex {
  const bySession = new Map<string, SharedCatalogue>()
  const bySet = new Map<string, SharedCatalogue>()
  /** Without sessions, kept for the next: runs without a conversation come and go. */
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
  /** The session's catalogue as its own to change, filed under the key of its coming contents. */
  const own = (session: string, key: string): SharedCatalogue => {
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
  /** Moves a session to the set it is to have: an existing one if there is, else its own is changed. */
  const become = (session: string, contents: ReadonlyMap<string, string>, change: Change): void => {
    const key = setKey(contents.values())
    const current = bySession.get(session)
    if (current?.key === key) return
    const existing = bySet.get(key)
    if (existing) {
      leave(session)
      join(session, existing)
    } else change(own(session, key))
  }

  return {
    async index(session, references) {
      references.forEach(checkReference)
      const contents = new Map(bySession.get(session)?.contents)
      for (const reference of references) contents.set(reference.name, contentKey(reference))
      become(session, contents, (shared) => {
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
      const gone = names.filter((name) => contents.delete(name))
      if (gone.length === 0) return
      become(session, contents, (shared) => {
        for (const name of gone) {
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
