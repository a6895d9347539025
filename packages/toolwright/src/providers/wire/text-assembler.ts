/**
 * Texts that arrive in pieces, whole, or both: a provider sends deltas, then the text again, then the part that
 * holds it. What is whole counts, and only what was not told before is told. Texts stand in the order in which
 * they began; a provider's index only finds them again, so that gaps and huge numbers cost nothing.
 */
import type { Json, JsonObject } from '../../messages/json.ts'
import { textField } from './wire-value.ts'

/** A part with a text, ours to change. */
export type OpenText = { [field: string]: Json }

export interface TextTold {
  readonly text: OpenText
  readonly piece: string
  /** Whether it is the first piece of this text. */
  readonly isFirst: boolean
}

export class TextAssembler {
  readonly #tell: (told: TextTold) => void
  readonly #texts: OpenText[] = []
  readonly #byIndex = new Map<unknown, OpenText>()

  constructor(tell: (told: TextTold) => void) {
    this.#tell = tell
  }

  /** All texts, as far as they came. */
  get texts(): readonly OpenText[] {
    return this.#texts
  }

  /** The text under an index; one of this type begins where there is none. */
  at(index: unknown, type: string): OpenText {
    const known = this.#byIndex.get(index)
    if (known !== undefined) return known
    const text: OpenText = { type }
    this.#texts.push(text)
    this.#byIndex.set(index, text)
    return text
  }

  add(text: OpenText, piece: string): void {
    if (piece === '') return
    const field = fieldOf(text)
    const before = textField(text, field)
    text[field] = before + piece
    this.#tell({ text, piece, isFirst: before === '' })
  }

  /** What was told cannot be taken back: of a whole text only what follows it is told. */
  whole(text: OpenText, whole: string): void {
    if (whole === '') return
    this.add(text, restOf(textField(text, fieldOf(text)), whole))
    text[fieldOf(text)] = whole
  }

  /** A part with its text and everything else it has. */
  part(text: OpenText, part: JsonObject): void {
    const field = fieldOf(part)
    for (const [key, value] of Object.entries(part))
      if (key !== field && key !== '__proto__') text[key] = value
    this.whole(text, textField(part, field))
  }

  /** All parts, by their order. */
  parts(parts: readonly JsonObject[]): void {
    for (const [position, part] of parts.entries())
      this.part(this.#texts[position] ?? this.at(position, textField(part, 'type')), part)
  }
}

/** A refusal has its own name for its words. */
const fieldOf = ({ type }: JsonObject): string => (type === 'refusal' ? 'refusal' : 'text')

/** What follows the text that was told; nothing where the two differ. */
export function restOf(told: string, whole: string): string {
  // The length first: comparing reads all of a text that is still a tree of its pieces.
  const follows = whole.length > told.length && whole.startsWith(told)
  return follows ? whole.slice(told.length) : ''
}
