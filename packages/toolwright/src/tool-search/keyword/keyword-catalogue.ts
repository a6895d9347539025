/**
 * BM25F over the fields of each tool: how rare a word is, how often it occurs in which field, and how long
 * the text is. A term's scores are computed when it is first searched for, and cached until the catalogue
 * changes, so adding a tool rebuilds nothing.
 */
import { BestFirst } from '../best-first.ts'
import type { Catalogue } from '../session-index.ts'
import { summaryOf } from '../summary-of.ts'
import { NOTHING_FOUND, type ToolReference, type ToolSearchResult } from '../tool-index.ts'
import { countIn, documentOf, FIELDS, type Document } from './document.ts'
import { termsOf } from './keyword-query.ts'
import { NearWords } from './near-words.ts'

const SATURATION = 1.6
const LENGTH_WEIGHT = 0.75
/** Tools that score less than this share of the best score are not returned. */
const LEAST_PART = 0.2

interface Entry {
  readonly reference: ToolReference
  readonly document: Document
  readonly slot: number
  /** Computed when the tool is first returned. */
  summary?: string
}

/** The tools that contain a term, and their counts, as two parallel lists. */
interface Posting {
  readonly slots: number[]
  readonly counts: number[]
  /** The score of the term for each tool, valid for `revision`. */
  worth: Float32Array
  revision: number
}

export class KeywordCatalogue implements Catalogue {
  readonly #entries = new Map<string, Entry>()
  readonly #bySlot: (Entry | undefined)[] = []
  readonly #freeSlots: number[] = []
  readonly #postings = new Map<string, Posting>()
  readonly #nearWords = new NearWords()
  readonly #totalLengths = FIELDS.map(() => 0)
  #revision = 0
  #scaleRevision = -1
  /** The weight divided by the length norm, for each slot and field. */
  #scales = new Float64Array(0)
  #scores = new Float64Array(0)

  put(reference: ToolReference): void {
    this.remove(reference.name)
    const slot = this.#freeSlots.pop() ?? this.#bySlot.length
    const document = documentOf(reference)
    const entry: Entry = { reference, document, slot }
    this.#bySlot[slot] = entry
    this.#entries.set(reference.name, entry)
    this.#count(document, 1)
    for (const [term, packed] of document.terms) {
      const posting = this.#postingOf(term)
      posting.slots.push(slot)
      posting.counts.push(packed)
    }
  }

  remove(name: string): void {
    const entry = this.#entries.get(name)
    if (!entry) return
    const { slot, document } = entry
    this.#entries.delete(name)
    this.#bySlot[slot] = undefined
    this.#freeSlots.push(slot)
    this.#count(document, -1)
    for (const term of document.terms.keys()) this.#dropFrom(term, slot)
  }

  fork(): Catalogue {
    const copy = new KeywordCatalogue()
    for (const { reference } of this.#entries.values()) copy.put(reference)
    return copy
  }

  search(query: string, maxResults: number): ToolSearchResult {
    const scores = this.#emptyScores()
    for (const [term, weight] of termsOf(query, this.#vocabulary)) {
      const posting = this.#postings.get(term)
      if (posting) this.#score(posting, weight)
    }
    return this.#best(scores, maxResults, this.#toolNamed(query))
  }

  readonly #vocabulary = {
    has: (term: string): boolean => this.#postings.has(term),
    near: (term: string) => this.#nearWords.near(term),
  }

  /** A query that is exactly a tool's name finds that tool first. */
  #toolNamed(query: string): Entry | undefined {
    return this.#entries.get(query.trim())
  }

  #best(scores: Float64Array, maxResults: number, named: Entry | undefined): ToolSearchResult {
    let highest = 0
    for (let slot = 0; slot < scores.length; slot++)
      if (scores[slot]! > highest) highest = scores[slot]!
    if (named) scores[named.slot] = highest = highest + 1
    if (highest === 0) return NOTHING_FOUND
    const best = new BestFirst(maxResults)
    const least = highest * LEAST_PART
    let total = 0
    let threshold = least
    for (let slot = 0; slot < scores.length; slot++) {
      const score = scores[slot]!
      if (score < least) continue
      total++
      if (score < threshold) continue
      best.offer({ name: this.#bySlot[slot]!.reference.name, score, summary: '' })
      threshold = Math.max(least, best.threshold)
    }
    const references = best.tools.map(({ name, score }) => {
      const entry = this.#entries.get(name)!
      entry.summary ??= summaryOf(entry.reference.description)
      return { name, score, summary: entry.summary }
    })
    return { references, total }
  }

  #emptyScores(): Float64Array {
    if (this.#scores.length !== this.#bySlot.length)
      this.#scores = new Float64Array(this.#bySlot.length)
    else this.#scores.fill(0)
    return this.#scores
  }

  #score(posting: Posting, weight: number): void {
    const { slots } = posting
    const worth = posting.revision === this.#revision ? posting.worth : this.#appraise(posting)
    const scores = this.#scores
    for (let index = 0; index < slots.length; index++)
      scores[slots[index]!]! += weight * worth[index]!
  }

  #appraise(posting: Posting): Float32Array {
    const { slots, counts } = posting
    const scales = this.#currentScales()
    const having = slots.length
    const rarity = Math.log(1 + (this.#entries.size - having + 0.5) / (having + 0.5))
    const worth = posting.worth.length === having ? posting.worth : new Float32Array(having)
    for (let index = 0; index < having; index++) {
      const base = slots[index]! * FIELDS.length
      const packed = counts[index]!
      let frequency = 0
      for (let field = 0; field < FIELDS.length; field++)
        frequency += countIn(packed, field) * scales[base + field]!
      worth[index] = (rarity * frequency * (SATURATION + 1)) / (SATURATION + frequency)
    }
    posting.worth = worth
    posting.revision = this.#revision
    return worth
  }

  #currentScales(): Float64Array {
    if (this.#scaleRevision === this.#revision) return this.#scales
    const width = FIELDS.length
    if (this.#scales.length !== this.#bySlot.length * width)
      this.#scales = new Float64Array(this.#bySlot.length * width)
    const averages = this.#totalLengths.map((total) => total / this.#entries.size || 1)
    for (const { slot, document } of this.#entries.values())
      for (let field = 0; field < width; field++) {
        const length = Math.max(1, document.lengths[field]!)
        const norm = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / averages[field]!
        this.#scales[slot * width + field] = FIELDS[field]!.weight / norm
      }
    this.#scaleRevision = this.#revision
    return this.#scales
  }

  #count({ lengths }: Document, sign: 1 | -1): void {
    this.#revision++
    lengths.forEach((length, field) => {
      this.#totalLengths[field]! += sign * Math.min(length, FIELDS[field]!.usualWords)
    })
  }

  #postingOf(term: string): Posting {
    const existing = this.#postings.get(term)
    if (existing) return existing
    const posting = { slots: [], counts: [], worth: NO_WORTH, revision: -1 }
    this.#postings.set(term, posting)
    this.#nearWords.add(term)
    return posting
  }

  #dropFrom(term: string, slot: number): void {
    const { slots, counts } = this.#postings.get(term)!
    const index = slots.indexOf(slot)
    // The last entry moves into the gap: the order within a posting has no meaning.
    slots[index] = slots.at(-1)!
    counts[index] = counts.at(-1)!
    slots.pop()
    counts.pop()
    if (slots.length > 0) return
    this.#postings.delete(term)
    this.#nearWords.remove(term)
  }
}

const NO_WORTH = new Float32Array(0)
