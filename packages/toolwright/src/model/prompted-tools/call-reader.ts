/**
 * Reads calls out of text that comes in pieces. Text goes on as soon as it cannot be the beginning of a call. Each
 * character is looked at a few times at most, whatever the text holds, and no more is kept than a call may have.
 *
 * A call stands in a block of its own; what models write besides the block that they are told to write is tolerated:
 * other names of the tag, a fence of Markdown around the block or the JSON, several calls in one block, no closing tag.
 * Directly behind a backtick the tag is quoted, and is text.
 */
import type { ToolCall } from '../../messages/message.ts'
import { brokenCall, readCalls } from './read-call.ts'

export type Read = string | ToolCall

/** A longer block is text. In characters. */
const LONGEST_CALL = 1_048_576
/** Longer than any opening. */
const LONGEST_OPENING = 80

const TAGS = ['<tool_call>', '<tool_calls>', '<function_call>', '<function_calls>', '<toolcall>']
const TAG = '<(?:tool_calls?|function_calls?|toolcall)>'
const FENCE = '```[a-z_]{0,16}[ \\t]{0,4}\\r?\\n\\s{0,8}'
const OPENING = new RegExp(
  `(?:${FENCE})?${TAG}|\`\`\`tool_calls?[ \\t]{0,4}\\r?\\n|\\[TOOL_CALLS\\]`,
  'iy',
)
const MISTRAL = '[tool_calls]'
const CANDIDATE = /[<`[]/g
/** A fence so far, and what may be a tag behind it. */
const OPEN_FENCE =
  /^(?:`{1,3}|```[a-z_]{1,16}|```[a-z_]{0,16}[ \t]{1,4}|```[a-z_]{0,16}[ \t]{0,4}\r?\n?\s{0,8}(<.*)?)$/is
/** Between an opening and the JSON. */
const LEAD = /^\s{0,32}(?:`{0,3}|```[a-z]{0,16}\s{0,32})$/i
/** What may close a block, and the next JSON in it. */
const CLOSING = /^\s*(?:```\s*)?(?:<\/(?:tool_calls?|function_calls?|toolcall)>)?(?:\s*```)?/i
const NEXT_CALL = /^[\s,;]*(?=\{)/
const MAYBE_CLOSING = /^[\s,;]*(?:`{0,3}|```\s*)(?:<(?:\/[a-z_]{0,15}>?)?)?\s*`{0,3}$/i
const JSON_MARK = /["{}[\]]/g
const STRING_MARK = /["\\]/g

export class CallReader {
  #read: Read[] = []
  #state: 'text' | 'lead' | 'json' | 'closing' = 'text'
  /** What may still be an opening, a lead or a closing. */
  #held = ''
  /** Blanks before a call are not part of the answer, so they wait for what follows. */
  #blanks = ''
  #last = ''
  /** The opening and the lead, in case the block turns out to be text. */
  #opening = ''
  #json: string[] = []
  #size = 0
  #level = 0
  #inString = false
  #isEscaped = false
  #hasCalled = false

  /** Takes the next piece, and gives what is certain. */
  push(piece: string): readonly Read[] {
    let rest = piece
    while (rest !== '') rest = this.#take(rest)
    return this.#taken()
  }

  /** The text is over: what was held is what it is. */
  end(): readonly Read[] {
    if (this.#state === 'json') this.#endBroken()
    else if (this.#state === 'text') this.#say(this.#held)
    else if (this.#state === 'lead') this.#say(this.#opening + this.#held)
    this.#held = ''
    // Blanks at the end of an answer are its own; those behind a call are the block's.
    if (!this.#hasCalled && this.#blanks !== '') this.#read.push(this.#blanks)
    this.#blanks = ''
    this.#state = 'text'
    return this.#taken()
  }

  #taken(): readonly Read[] {
    const read = this.#read
    this.#read = []
    return read
  }

  /** Takes some of the piece and gives the rest. */
  #take(piece: string): string {
    switch (this.#state) {
      case 'text':
        return this.#takeText(piece)
      case 'lead':
        return this.#takeLead(piece)
      case 'json':
        return this.#takeJson(piece)
      case 'closing':
        return this.#takeClosing(piece)
    }
  }

  #takeText(piece: string): string {
    const text = this.#held + piece
    this.#held = ''
    CANDIDATE.lastIndex = 0
    for (let found = CANDIDATE.exec(text); found; found = CANDIDATE.exec(text)) {
      const at = found.index
      const before = at === 0 ? this.#last : text[at - 1]
      if (before === '`' && found[0] === '<') continue
      OPENING.lastIndex = at
      const opening = OPENING.exec(text)
      if (opening) {
        this.#say(text.slice(0, at))
        return this.#open(opening[0], text.slice(OPENING.lastIndex))
      }
      if (text.length - at < LONGEST_OPENING && mayOpen(text.slice(at))) {
        this.#say(text.slice(0, at))
        this.#held = text.slice(at)
        return ''
      }
      CANDIDATE.lastIndex = at + 1
    }
    this.#say(text)
    return ''
  }

  #open(opening: string, rest: string): string {
    this.#state = 'lead'
    this.#opening = opening
    return rest
  }

  #takeLead(piece: string): string {
    // Only near by: thousands of openings must not each look through the rest of the text.
    const start = piece.slice(0, LONGEST_OPENING).search(/[{[]/)
    const lead = this.#held + (start === -1 ? piece : piece.slice(0, start))
    if (lead.length > LONGEST_OPENING || !LEAD.test(lead)) return this.#refuse(this.#held + piece)
    this.#held = start === -1 ? lead : ''
    if (start === -1) return ''
    this.#opening += lead
    this.#begin()
    return piece.slice(start)
  }

  /** The block is text. Its opening is not looked at again. */
  #refuse(rest: string): string {
    this.#held = ''
    this.#state = 'text'
    this.#say(this.#opening)
    return rest
  }

  #begin(): void {
    this.#state = 'json'
    this.#json = []
    this.#size = 0
    this.#level = 0
    this.#inString = false
    this.#isEscaped = false
  }

  #takeJson(piece: string): string {
    const end = this.#endOfJson(piece)
    const taken = end === undefined ? piece : piece.slice(0, end)
    this.#json.push(taken)
    this.#size += taken.length
    if (this.#size > LONGEST_CALL) {
      this.#opening += this.#json.join('')
      return this.#refuse(piece.slice(taken.length))
    }
    if (end === undefined) return ''
    const json = this.#json.join('')
    const calls = readCalls(json)
    if (calls === undefined) {
      this.#opening += json
      return this.#refuse(piece.slice(end))
    }
    this.#call(calls)
    this.#state = 'closing'
    return piece.slice(end)
  }

  /** Where in the piece the JSON ends that began in this one or before; undefined if it goes on. */
  #endOfJson(piece: string): number | undefined {
    for (let at = 0; at < piece.length;) {
      if (this.#isEscaped) {
        this.#isEscaped = false
        at++
        continue
      }
      const mark = this.#inString ? STRING_MARK : JSON_MARK
      mark.lastIndex = at
      const found = mark.exec(piece)
      if (!found) return undefined
      at = mark.lastIndex
      const [token] = found
      if (token === '\\') this.#isEscaped = true
      else if (token === '"') this.#inString = !this.#inString
      else if (token === '{' || token === '[') this.#level++
      else if (--this.#level === 0) return at
    }
    return undefined
  }

  #takeClosing(piece: string): string {
    const text = this.#held + piece
    this.#held = ''
    if (text.length < LONGEST_OPENING && MAYBE_CLOSING.test(text)) {
      this.#held = text
      return ''
    }
    const next = NEXT_CALL.exec(text)
    if (next) {
      this.#opening = ''
      this.#begin()
      return text.slice(next[0].length)
    }
    this.#state = 'text'
    return text.slice(CLOSING.exec(text)![0].length)
  }

  #endBroken(): void {
    const json = this.#json.join('')
    const calls = brokenCall(json)
    if (calls) this.#call(calls)
    else this.#say(this.#opening + json)
  }

  #call(calls: readonly ToolCall[]): void {
    this.#blanks = ''
    this.#hasCalled = true
    for (const call of calls) this.#read.push(call)
  }

  #say(text: string): void {
    if (text === '') return
    this.#last = text.at(-1)!
    const kept = text.trimEnd().length
    if (kept === 0) {
      this.#blanks += text
      return
    }
    const said = this.#hasCalled
      ? text.slice(0, kept).trimStart()
      : this.#blanks + text.slice(0, kept)
    this.#hasCalled = false
    this.#blanks = text.slice(kept)
    this.#read.push(said)
  }
}

/** Whether what stands at the end of the text so far may be the beginning of an opening. */
function mayOpen(text: string): boolean {
  const lower = text.toLowerCase()
  if (lower.startsWith('[')) return MISTRAL.startsWith(lower)
  if (lower.startsWith('<')) return isTagSoFar(lower)
  const fence = OPEN_FENCE.exec(lower)
  return fence !== null && (fence[1] === undefined || isTagSoFar(fence[1]))
}

const isTagSoFar = (text: string): boolean => TAGS.some((tag) => tag.startsWith(text))
