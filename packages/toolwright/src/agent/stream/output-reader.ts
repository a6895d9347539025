/**
 * Reads the output of an answer while the answer arrives. Every character is read once, and what has been
 * read is kept, so the work grows with the length of the answer and not with the number of its pieces. It
 * shows only what can no longer change: complete values, and the beginning of texts. What the answer is
 * worth is decided elsewhere, when it is complete.
 */
import type { Json } from '../../messages/json.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { JsonObject } from '../../schema/json-object.ts'
import { OutputPlace } from './output-place.ts'

/** An array or object whose end has not arrived. Those that are not part of the output have no value. */
interface Frame {
  readonly isArray: boolean
  readonly value: Json[] | { [key: string]: Json } | undefined
  readonly place: OutputPlace | undefined
  /** The members so far. */
  size: number
  key: string
}

/** A text whose end has not arrived. */
interface OpenText {
  readonly isKey: boolean
  /** Whether the text is part of what is read; others are passed over. */
  readonly isKept: boolean
  /** Whether the beginning may be shown. */
  readonly grows: boolean
  text: string
  /** An escape that is not complete, or the first half of a surrogate pair. */
  escape: string
  half: string
}

type Expected = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'comma'

/** As deep as an answer may be. */
const DEEPEST = 256
const THINK = '<think>'
const THOUGHT = '</think>'
const ESCAPES: { readonly [letter: string]: string } = {
  '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t',
} // prettier-ignore
/** Copying this many members is about as cheap as reading one character. */
const ITEMS_PER_CHARACTER = 32
const PROPERTIES_PER_CHARACTER = 4

export class OutputReader {
  readonly #place: OutputPlace
  #phase: 'lead' | 'thought' | 'search' | 'json' | 'over' = 'lead'
  /** The last characters that may turn out to be the beginning of a mark. */
  #lead = ''
  readonly #frames: Frame[] = []
  #expected: Expected = 'first-key'
  #open: OpenText | undefined
  #scalar = ''
  #output: Json | undefined
  #isChanged = false
  /** Characters read since the output was shown last. */
  #unshown = 0

  /** `schema` is that of the whole answer. */
  constructor(schema: JsonSchema) {
    this.#place = new OutputPlace(schema as JsonObject, [schema]).property('output')
  }

  write(text: string): void {
    this.#unshown += text.length
    this.#readAll(text)
  }

  /**
   * The output so far, if it has changed. A large output is shown less often: copying it for each piece
   * would cost more than reading it.
   */
  take({ isLast = false } = {}): Json | undefined {
    if (!this.#isChanged) return undefined
    if (!isLast && this.#costOfShowing() > this.#unshown) return undefined
    this.#isChanged = false
    this.#unshown = 0
    return this.#shown()
  }

  /** What a copy of the open arrays and objects costs, in characters read. */
  #costOfShowing(): number {
    let cost = 0
    for (const { value, isArray, size } of this.#frames)
      if (value) cost += size / (isArray ? ITEMS_PER_CHARACTER : PROPERTIES_PER_CHARACTER)
    return cost
  }

  /** Copies what is still open; what is complete is shared. */
  #shown(): Json | undefined {
    const open = this.#open
    let inner: Json | undefined = open?.isKept && open.grows && !open.isKey ? open.text : undefined
    for (const { value, isArray, key } of this.#frames.toReversed()) {
      if (!value) break
      const copy = isArray ? [...(value as Json[])] : { ...(value as { [key: string]: Json }) }
      if (inner !== undefined) addTo(copy, key, inner)
      inner = copy
    }
    return inner ?? this.#output
  }

  #readAll(text: string): void {
    let at = 0
    while (at < text.length && this.#phase !== 'over') at = this.#read(text, at)
  }

  #read(text: string, at: number): number {
    if (this.#phase === 'lead') return this.#readLead(text, at)
    if (this.#phase === 'thought') return this.#readThought(text, at)
    if (this.#phase === 'search') return this.#search(text, at)
    if (this.#open) return this.#readText(this.#open, text, at)
    if (this.#scalar !== '') return this.#readScalar(text, at)
    return this.#readToken(text, at)
  }

  /** Some models think aloud before they answer. */
  #readLead(text: string, at: number): number {
    const lead = (this.#lead + text.slice(at)).trimStart()
    if (lead.length < THINK.length && THINK.startsWith(lead)) {
      this.#lead = lead
      return text.length
    }
    const isThinking = lead.startsWith(THINK)
    this.#phase = isThinking ? 'thought' : 'search'
    this.#lead = ''
    this.#readAll(isThinking ? lead.slice(THINK.length) : lead)
    return text.length
  }

  #readThought(text: string, at: number): number {
    const tail = this.#lead
    const thought = tail + text.slice(at)
    const end = thought.indexOf(THOUGHT)
    this.#lead = end === -1 ? thought.slice(1 - THOUGHT.length) : ''
    if (end === -1) return text.length
    this.#phase = 'search'
    return at + end + THOUGHT.length - tail.length
  }

  #search(text: string, at: number): number {
    const start = text.indexOf('{', at)
    if (start === -1) return text.length
    this.#phase = 'json'
    this.#push({ isArray: false, value: undefined, place: undefined, size: 0, key: '' })
    return start + 1
  }

  #readToken(text: string, at: number): number {
    const char = text[at]!
    if (char === ' ' || char === '\n' || char === '\r' || char === '\t') return at + 1
    const frame = this.#frames.at(-1)!
    const expected = this.#expected
    if (expected === 'colon' && char === ':') {
      this.#expected = 'value'
      return at + 1
    }
    if (expected === 'comma' && char === ',') {
      this.#expected = frame.isArray ? 'value' : 'key'
      return at + 1
    }
    const mayEnd = expected === 'comma' || expected.startsWith('first')
    if (mayEnd && char === (frame.isArray ? ']' : '}')) return this.#pop(at)
    if ((expected === 'key' || expected === 'first-key') && char === '"')
      return this.#openText(
        { isKey: true, isKept: frame.value !== undefined || this.#isRoot() },
        at,
      )
    if (expected === 'value' || expected === 'first-value') return this.#readValue(char, at)
    return this.#fail(at)
  }

  #readValue(char: string, at: number): number {
    const isKept = this.#isKept()
    if (char === '"') return this.#openText({ isKey: false, isKept }, at)
    if (char === '{' || char === '[') {
      const isArray = char === '['
      const value = isKept ? (isArray ? [] : {}) : undefined
      const place = isKept ? this.#placeOfValue() : undefined
      this.#push({ isArray, value, place, size: 0, key: '' })
      if (isKept) this.#isChanged = true
      return at + 1
    }
    if (!/[-\dtfn]/.test(char)) return this.#fail(at)
    this.#scalar = char
    return at + 1
  }

  /** A number or word is complete only when something else follows. */
  #readScalar(text: string, at: number): number {
    let end = at
    while (end < text.length && /[\w.+-]/.test(text[end]!)) end++
    this.#scalar += text.slice(at, end)
    if (end === text.length) return end
    const scalar = this.#scalar
    this.#scalar = ''
    try {
      this.#add(JSON.parse(scalar) as Json)
    } catch {
      return this.#fail(end)
    }
    return end
  }

  #openText({ isKey, isKept }: Pick<OpenText, 'isKey' | 'isKept'>, at: number): number {
    const grows = isKept && !isKey && this.#placeOfValue().growsByPieces
    this.#open = { isKey, isKept, grows, text: '', escape: '', half: '' }
    return at + 1
  }

  #readText(open: OpenText, text: string, at: number): number {
    if (open.escape !== '') return this.#readEscape(open, text, at)
    let end = at
    while (end < text.length && text[end] !== '"' && text[end] !== '\\') end++
    if (end > at) this.#append(open, text.slice(at, end))
    if (end === text.length) return end
    if (text[end] === '\\') {
      open.escape = '\\'
      return end + 1
    }
    this.#closeText(open)
    return end + 1
  }

  #readEscape(open: OpenText, text: string, at: number): number {
    open.escape += text[at]!
    const { escape } = open
    if (escape.startsWith('\\u') && escape.length < 6) return at + 1
    open.escape = ''
    const char = escape.startsWith('\\u')
      ? String.fromCharCode(Number.parseInt(escape.slice(2), 16))
      : ESCAPES[escape[1]!]
    if (char === undefined) return this.#fail(at)
    this.#append(open, char)
    return at + 1
  }

  /** The first half of a pair waits for the second, so that a shown text is well-formed. */
  #append(open: OpenText, piece: string): void {
    if (!open.isKept) return
    const whole = open.half + piece
    const isHalf = /[\ud800-\udbff]$/.test(whole)
    open.half = isHalf ? whole.slice(-1) : ''
    open.text += isHalf ? whole.slice(0, -1) : whole
    if (open.grows && whole.length > open.half.length) this.#isChanged = true
  }

  #closeText(open: OpenText): void {
    this.#open = undefined
    const text = open.text + open.half
    // A text that grew has been shown already.
    const isNew = !open.grows || open.half !== '' || text === ''
    if (!open.isKey) return this.#add(text, isNew)
    const frame = this.#frames.at(-1)!
    // What can reach a prototype makes the whole answer invalid.
    if (text === '__proto__') this.#phase = 'over'
    frame.key = text
    frame.size++
    this.#expected = 'colon'
  }

  #add(value: Json, isNew = true): void {
    this.#expected = 'comma'
    if (!this.#isKept()) return
    const frame = this.#frames.at(-1)!
    if (this.#isRoot()) {
      this.#output = value ?? undefined
      this.#isChanged ||= isNew && value !== null
      return
    }
    if (value === null && !frame.isArray && frame.place!.isAbsent(frame.key)) return
    if (frame.isArray) frame.size++
    addTo(frame.value!, frame.key, value)
    this.#isChanged ||= isNew
  }

  /** Whether the value that comes next belongs to the output. */
  #isKept(): boolean {
    const frame = this.#frames.at(-1)!
    return this.#isRoot() ? frame.key === 'output' : frame.value !== undefined
  }

  #isRoot(): boolean {
    return this.#frames.length === 1
  }

  #placeOfValue(): OutputPlace {
    if (this.#isRoot()) return this.#place
    const { isArray, place, key } = this.#frames.at(-1)!
    return isArray ? place!.item() : place!.property(key)
  }

  #push(frame: Frame): void {
    this.#frames.push(frame)
    this.#expected = frame.isArray ? 'first-value' : 'first-key'
    if (this.#frames.length > DEEPEST) this.#phase = 'over'
  }

  #pop(at: number): number {
    const { value, size } = this.#frames.pop()!
    if (this.#frames.length > 0) this.#add(value ?? null, false)
    else this.#phase = size > 0 ? 'over' : 'search'
    return at + 1
  }

  /** Brackets in the words before the answer are not the answer; anything else that is no JSON ends it. */
  #fail(at: number): number {
    const isWords = this.#isRoot() && this.#expected === 'first-key'
    this.#phase = isWords ? 'search' : 'over'
    if (isWords) this.#frames.pop()
    return at
  }
}

function addTo(container: Json[] | { [key: string]: Json }, key: string, value: Json): void {
  if (Array.isArray(container)) container.push(value)
  else container[key] = value
}
