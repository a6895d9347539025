/**
 * Follows the text of one JSON object while it arrives, to know when its last bracket has come. Each character
 * is looked at once, so that a server may ask after every piece.
 */
import { isJson } from '../../internal/is-json.ts'

const OPENING = 0x7b
const CLOSING = 0x7d
const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20

export class JsonValue {
  #depth = 0
  #inText = false
  #isEscaped = false
  #hasEnded = false
  #isBroken = false
  #isValid: boolean | undefined

  constructor(text: string) {
    this.add(text)
  }

  add(text: string): void {
    for (let at = 0; at < text.length; at++) this.#take(text.charCodeAt(at))
  }

  /** Whether the object is closed, and nothing but blanks followed. */
  get hasEnded(): boolean {
    return this.#hasEnded && !this.#isBroken
  }

  /** Asked once it has ended: what was not valid then never becomes it. */
  isValid(whole: () => string): boolean {
    return (this.#isValid ??= isJson(whole()))
  }

  #take(code: number): void {
    if (this.#inText) this.#takeInText(code)
    else if (this.#hasEnded) this.#isBroken ||= code > SPACE
    else if (code === QUOTE) this.#inText = true
    else if (code === OPENING) this.#depth++
    else if (code === CLOSING) this.#hasEnded = --this.#depth === 0
  }

  #takeInText(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (code === BACKSLASH) this.#isEscaped = true
    else if (code === QUOTE) this.#inText = false
  }
}
