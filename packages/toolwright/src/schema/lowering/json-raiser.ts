/**
 * Raises JSON text while it arrives. What has been decided goes on at once: members are passed on or left out one by
 * one, a wrapper is taken off as its value passes. Only what must be seen whole is held back: a null that may stand
 * for nothing, a map written as a list, an alternative that shows only at its end. However the text is cut into
 * pieces, the pieces that come out make the same text. Text that is no JSON passes unchanged from where it ceases
 * to be. Linear, and without a stack, however deep the value.
 */
import {
  type JsonKind,
  type LazyPlan,
  type ListPlan,
  type ObjectPlan,
  planAt,
  type WrappedPlan,
} from './raise-plan.ts'
import { raiseText, type Raising } from './raise.ts'

interface Frame {
  /** `wrapper`: of this object only the one value is passed on. */
  readonly kind: 'object' | 'list' | 'wrapper'
  readonly plan: ObjectPlan | ListPlan | WrappedPlan
  /** Whether a member has been passed on, so that the next one needs a comma. */
  hasMembers: boolean
  /** Whether a value has been read. */
  hasValues: boolean
}

/** What comes next, or what the text is inside of. */
type State =
  | 'value'
  | 'key'
  | 'in key'
  | 'colon'
  | 'in text'
  | 'in word'
  | 'after value'
  | 'in whole value'
  /** Nothing that follows is looked at. */
  | 'passing'
  | 'swallowing'

const BLANK = /\s/
const WORD_END = /[\s,\]}:]/g
const STRING_END = /["\\]/g
const STRUCTURE = /["[\]{}]/g

export class JsonRaiser {
  readonly #raising: Raising
  readonly #frames: Frame[] = []
  #state: State = 'value'
  /** What has been read and not yet passed on or left out. */
  #held = ''
  #out = ''
  #plan: LazyPlan | undefined
  /** Whether a null that comes now stands for a missing member. */
  #mayBeAbsent = false
  #isEscaped = false
  #key = ''
  /** Of a value that is passed or held as a whole. */
  #whole: { readonly plan: LazyPlan | undefined; readonly isHeld: boolean } | undefined
  #depth = 0
  #inString = false

  constructor(raising: Raising) {
    this.#raising = raising
    this.#plan = raising.plan
  }

  /** What can be said after this piece. */
  push(piece: string): string {
    for (let at = 0; at < piece.length;) at = this.#step(piece, at)
    return this.#taken()
  }

  /** What was held back, should the text end here. */
  end(): string {
    this.#release()
    this.#state = 'passing'
    return this.#taken()
  }

  #taken(): string {
    const out = this.#out
    this.#out = ''
    return out
  }

  #step(piece: string, at: number): number {
    switch (this.#state) {
      case 'value':
        return this.#value(piece, at)
      case 'key':
        return this.#beforeKey(piece, at)
      case 'in key':
        return this.#inKey(piece, at)
      case 'colon':
        return this.#colon(piece, at)
      case 'in text':
        return this.#inText(piece, at)
      case 'in word':
        return this.#inWord(piece, at)
      case 'after value':
        return this.#afterValue(piece, at)
      case 'in whole value':
        return this.#inWhole(piece, at)
      case 'passing':
        this.#out += piece.slice(at)
        return piece.length
      case 'swallowing':
        return piece.length
    }
  }

  #value(piece: string, at: number): number {
    const mark = piece[at]!
    const frame = this.#frames.at(-1)
    if (BLANK.test(mark)) {
      this.#held += mark
      return at + 1
    }
    if (mark === ']' && frame?.kind === 'list' && !frame.hasValues) return this.#close(piece, at)
    if (mark === 'n' && this.#mayBeAbsent) {
      this.#state = 'in word'
      return at
    }
    this.#begin()
    const kind = kindAt(mark)
    if (kind === 'other') {
      this.#state = 'in word'
      return at
    }
    return this.#beginValue(piece, at, kind)
  }

  #beginValue(piece: string, at: number, kind: JsonKind): number {
    const plan = planAt(this.#plan, kind)
    if (plan?.kind === 'object' && plan.rest === undefined) return this.#open(plan, piece, at)
    if (plan?.kind === 'list') return this.#open(plan, piece, at)
    if (plan?.kind === 'wrapped') {
      this.#frames.push({ kind: 'wrapper', plan, hasMembers: false, hasValues: false })
      this.#held += '{'
      this.#state = 'key'
      return at + 1
    }
    if (plan === undefined && kind === 'string') {
      this.#out += '"'
      this.#state = 'in text'
      return at + 1
    }
    this.#whole = { plan, isHeld: plan !== undefined }
    this.#depth = 0
    this.#state = 'in whole value'
    return at
  }

  #open(plan: ObjectPlan | ListPlan, piece: string, at: number): number {
    this.#out += piece[at]!
    const { kind } = plan
    this.#frames.push({ kind, plan, hasMembers: false, hasValues: false })
    this.#expect(kind)
    return at + 1
  }

  /** A member or item of the innermost object or list comes next. */
  #expect(kind: Frame['kind']): void {
    const { plan } = this.#frames.at(-1)!
    this.#mayBeAbsent = false
    this.#plan = plan.kind === 'list' ? plan.item : undefined
    this.#state = kind === 'list' ? 'value' : 'key'
  }

  /** The value that begins here is passed on, and so is what was held before it. */
  #begin(): void {
    const frame = this.#frames.at(-1)
    if (frame?.kind === 'object') {
      this.#out += (frame.hasMembers ? ',' : '') + this.#held
      frame.hasMembers = true
    } else if (frame?.kind !== 'wrapper') {
      this.#out += this.#held
    }
    this.#held = ''
    this.#mayBeAbsent = false
  }

  #beforeKey(piece: string, at: number): number {
    const mark = piece[at]!
    if (BLANK.test(mark)) {
      this.#held += mark
      return at + 1
    }
    if (mark === '"') {
      this.#held += mark
      this.#key = mark
      this.#state = 'in key'
      return at + 1
    }
    return mark === '}' ? this.#close(piece, at) : this.#giveUp(at)
  }

  /** A key is held until it is known whether its value is passed on. */
  #inKey(piece: string, at: number): number {
    const end = this.#stringEnd(piece, at)
    const part = piece.slice(at, end)
    this.#held += part
    this.#key += part
    if (!this.#inString) this.#state = 'colon'
    return end
  }

  #colon(piece: string, at: number): number {
    const mark = piece[at]!
    if (mark !== ':' && !BLANK.test(mark)) return this.#giveUp(at)
    this.#held += mark
    if (mark === ':') this.#expectMember()
    return at + 1
  }

  #expectMember(): void {
    const { plan } = this.#frames.at(-1)!
    const key = textOf(this.#key)
    this.#state = 'value'
    this.#mayBeAbsent = false
    if (plan.kind === 'object') {
      this.#plan = plan.members.get(key)
      this.#mayBeAbsent = plan.absent.has(key)
    } else if (plan.kind === 'wrapped') {
      if (key === plan.name) this.#held = ''
      else this.#giveUp(0)
      this.#plan = plan.plan
    }
  }

  #inText(piece: string, at: number): number {
    const end = this.#stringEnd(piece, at)
    this.#out += piece.slice(at, end)
    if (!this.#inString) this.#ended()
    return end
  }

  /** The end of the string that the piece is inside of, or of the piece. */
  #stringEnd(piece: string, at: number): number {
    this.#inString = true
    let from = at
    while (from < piece.length) {
      if (this.#isEscaped) {
        this.#isEscaped = false
        from++
        continue
      }
      STRING_END.lastIndex = from
      const found = STRING_END.exec(piece)
      if (!found) return piece.length
      from = STRING_END.lastIndex
      if (found[0] === '\\') this.#isEscaped = true
      else {
        this.#inString = false
        return from
      }
    }
    return piece.length
  }

  /** A number, or one of the three words. */
  #inWord(piece: string, at: number): number {
    WORD_END.lastIndex = at
    const found = WORD_END.exec(piece)
    const end = found ? found.index : piece.length
    const part = piece.slice(at, end)
    if (this.#mayBeAbsent) this.#held += part
    else this.#out += part
    if (!found) return end
    if (this.#mayBeAbsent) this.#endNull()
    this.#ended()
    return end
  }

  /** What began like a null is left out if it is one. */
  #endNull(): void {
    const isNull = /:\s*null$/.test(this.#held)
    if (isNull) this.#held = ''
    else this.#begin()
  }

  #afterValue(piece: string, at: number): number {
    const mark = piece[at]!
    const frame = this.#frames.at(-1)
    if (frame === undefined) {
      this.#state = 'passing'
      return at
    }
    if (BLANK.test(mark)) {
      if (frame.kind !== 'wrapper') this.#out += mark
      return at + 1
    }
    if (mark === (frame.kind === 'list' ? ']' : '}')) return this.#close(piece, at)
    if (mark !== ',') return this.#giveUp(at)
    if (frame.kind === 'wrapper') this.#state = 'swallowing'
    else {
      if (frame.kind === 'list') this.#out += mark
      this.#expect(frame.kind)
    }
    return at + 1
  }

  #close(piece: string, at: number): number {
    const frame = this.#frames.at(-1)!
    if (frame.kind === 'wrapper' && !frame.hasValues) return this.#giveUp(at)
    this.#frames.pop()
    if (frame.kind !== 'wrapper') this.#out += this.#held + piece[at]!
    this.#held = ''
    this.#ended()
    return at + 1
  }

  #ended(): void {
    const frame = this.#frames.at(-1)
    if (frame) frame.hasValues = true
    this.#mayBeAbsent = false
    this.#state = 'after value'
  }

  /** A value that is looked at only to find its end. */
  #inWhole(piece: string, at: number): number {
    const end = this.#wholeEnd(piece, at)
    const part = piece.slice(at, end)
    const { plan, isHeld } = this.#whole!
    if (isHeld) this.#held += part
    else this.#out += part
    if (this.#depth > 0 || this.#inString) return end
    if (isHeld) {
      this.#out += raiseText({ schema: this.#raising.schema, plan }, this.#held)
      this.#held = ''
    }
    this.#ended()
    return end
  }

  #wholeEnd(piece: string, at: number): number {
    let from = at
    while (from < piece.length) {
      if (this.#inString) {
        from = this.#stringEnd(piece, from)
        if (!this.#inString && this.#depth === 0) return from
        continue
      }
      STRUCTURE.lastIndex = from
      const found = STRUCTURE.exec(piece)
      if (!found) return piece.length
      from = STRUCTURE.lastIndex
      if (found[0] === '"') {
        this.#inString = true
      } else {
        this.#depth += found[0] === '{' || found[0] === '[' ? 1 : -1
        if (this.#depth === 0) return from
      }
    }
    return piece.length
  }

  /** This is no JSON: from here on everything passes as it is. */
  #giveUp(at: number): number {
    this.#release()
    this.#state = 'passing'
    return at
  }

  #release(): void {
    const frame = this.#frames.at(-1)
    const isMember = frame?.kind === 'object' && this.#state !== 'in whole value'
    this.#out += (isMember && frame.hasMembers && this.#held !== '' ? ',' : '') + this.#held
    this.#held = ''
  }
}

function kindAt(mark: string): JsonKind {
  if (mark === '{') return 'object'
  if (mark === '[') return 'array'
  return mark === '"' ? 'string' : 'other'
}

function textOf(quoted: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted
  }
}
