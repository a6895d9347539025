/**
 * Cuts what a program writes into lines and never holds more than one message may be. Of a longer line only its start and
 * end are kept, which is where the id of the request stands that it answers.
 */

/** In bytes; more than a tool should ever answer. */
export const LARGEST_MESSAGE = 32 * 1024 * 1024
/**
 * A line that does not end is read so far; then the program is given up, and every call that it works on. Until then only
 * the call fails whose answer is too long. Reading so far costs no memory, and 0.2 s.
 */
const LARGEST_LINE = 8 * LARGEST_MESSAGE
const EDGE = 512
const NEWLINE = 10
const EMPTY = Buffer.alloc(0)

export type ReadLine =
  | { readonly kind: 'line'; readonly text: string }
  | {
      readonly kind: 'too-long'
      readonly bytes: number
      readonly start: string
      readonly end: string
    }

export class LineReader {
  #pieces: Buffer[] = []
  #bytes = 0
  #start: Buffer | undefined
  #end: Buffer = EMPTY

  /** Whether the program has written more without a line break than anything is worth. */
  get isEndless(): boolean {
    return this.#bytes > LARGEST_LINE
  }

  read(chunk: Buffer): readonly ReadLine[] {
    const lines: ReadLine[] = []
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, at))
      const line = this.#take()
      if (line) lines.push(line)
      from = at + 1
    }
    this.#add(chunk.subarray(from))
    return lines
  }

  #add(piece: Buffer): void {
    if (piece.length === 0) return
    this.#bytes += piece.length
    this.#pieces.push(piece)
    if (this.#bytes <= LARGEST_MESSAGE) return
    const held = this.#held()
    this.#start ??= Buffer.from(held.subarray(0, EDGE))
    this.#end = Buffer.from(Buffer.concat([this.#end, held]).subarray(-EDGE))
    this.#pieces = []
  }

  #held(): Buffer {
    return this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces)
  }

  #take(): ReadLine | undefined {
    const bytes = this.#bytes
    const line: ReadLine = this.#start
      ? { kind: 'too-long', bytes, start: this.#start.toString(), end: this.#end.toString() }
      : { kind: 'line', text: this.#held().toString().trim() }
    this.#pieces = []
    this.#bytes = 0
    this.#start = undefined
    this.#end = EMPTY
    return line.kind === 'line' && line.text === '' ? undefined : line
  }
}

/** The id of the request that a message answers of which only the edges are known. */
export function idAtEdges(start: string, end: string): number | undefined {
  const found =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*,/.exec(start) ??
    /,\s*"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(end)
  return found ? Number(found[1]) : undefined
}
