/**
 * Finds tools by a pattern over names, descriptions and parameters, or by plain words. For models that know
 * how the tools are named. Any pattern is safe to run.
 */
import { BestFirst } from '../best-first.ts'
import { referenceText } from '../reference-text.ts'
import { sessionIndex, type Catalogue } from '../session-index.ts'
import { summaryOf } from '../summary-of.ts'
import type { ToolIndex, ToolReference, ToolSearchResult } from '../tool-index.ts'
import { STOP_WORDS } from '../keyword/word-lists.ts'
import { linearPattern, MOST_MATCHES, type FindMatches } from './linear-pattern.ts'

/**
 * An index by pattern: `get_.*_data`, `(?i)invoice|bill`, `get_*_data` as in file names. A query without
 * pattern signs is searched word by word. Needs the package `re2js` for patterns.
 *
 * @example
 * const index = regexToolIndex()
 * await index.index('session', [{ name: 'get_weather_data', description: 'Weather of a city' }])
 * const { references } = await index.search({ session: 'session', query: 'get_*_data' })
 */
export const regexToolIndex = (): ToolIndex => sessionIndex(() => new RegexCatalogue())

interface Entry {
  readonly reference: ToolReference
  readonly description: string
  readonly parameters: string
}

const LONGEST_TEXT = 1_000

class RegexCatalogue implements Catalogue {
  readonly #entries = new Map<string, Entry>()

  put(reference: ToolReference): void {
    const { parameterNames, parameterDescriptions } = referenceText(reference)
    this.#entries.set(reference.name, {
      reference,
      description: reference.description.slice(0, LONGEST_TEXT),
      parameters: `${parameterNames}\n${parameterDescriptions}`.slice(0, LONGEST_TEXT),
    })
  }

  remove(name: string): void {
    this.#entries.delete(name)
  }

  fork(): Catalogue {
    const copy = new RegexCatalogue()
    for (const { reference } of this.#entries.values()) copy.put(reference)
    return copy
  }

  async search(query: string, maxResults: number): Promise<ToolSearchResult> {
    const trimmed = query.trim()
    const pattern = PATTERN_SIGNS.test(trimmed)
      ? await linearPattern(withStars(trimmed))
      : undefined
    const found = pattern && this.#find(pattern, maxResults)
    // A sentence with brackets also looks like a pattern, so without a match its words are searched.
    if (found && (found.total > 0 || !/\s/.test(trimmed))) return found
    return this.#find(anyWord(trimmed), maxResults)
  }

  #find(find: FindMatches, maxResults: number): ToolSearchResult {
    const best = new BestFirst(maxResults)
    let total = 0
    for (const { reference, description, parameters } of this.#entries.values()) {
      const { name } = reference
      const score =
        2 * scoreOf(find(name)) +
        scoreOf(find(description)) +
        scoreOf(find(parameters)) / PARAMETERS
      if (score === 0) continue
      total++
      best.offer({ name, score, summary: summaryOf(reference.description) })
    }
    return { references: best.tools, total }
  }
}

const PARAMETERS = 4

/** Each match scores one, plus a bonus for an early first match. */
const scoreOf = (starts: readonly number[]): number =>
  starts.length === 0 ? 0 : starts.length + 0.5 / (1 + 0.1 * starts[0]!)

const PATTERN_SIGNS = /[\\^$*+|[\](){}]|\.\?/

/** Turns `get_*_data`, as in file names, into a pattern: a star that repeats nothing matches anything. */
const withStars = (query: string): string =>
  /^[\w*-]+$/.test(query) ? query.replace(/\*+/g, '.*') : query

/** Matches any word of the query literally. The words are escaped, so the runtime's own engine is safe. */
function anyWord(query: string): FindMatches {
  const words = query
    .slice(0, LONGEST_TEXT)
    .toLowerCase()
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => word.length > 1)
  const telling = words.filter((word) => !STOP_WORDS.has(word))
  const chosen = new Set(telling.length > 0 ? telling : words)
  if (chosen.size === 0) return () => []
  const either = new RegExp([...chosen].join('|').replaceAll('-', '\\x2d'), 'gi')
  return (text) => {
    const starts: number[] = []
    for (const { index } of text.matchAll(either)) {
      if (starts.push(index) >= MOST_MATCHES) break
    }
    return starts
  }
}
