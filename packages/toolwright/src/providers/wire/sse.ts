/**
 * Server-sent events, incrementally: bytes in, whole events out. Any field order; comments, `id`, `retry`
 * and unknown fields are skipped. Knows nothing of what the data means.
 */
import { LineReader, type LineReaderOptions } from './line-reader.ts'

export interface SseEvent {
  /** The `event:` field; absent when not sent. */
  readonly event?: string
  /** The `data:` lines, joined by line feeds. */
  readonly data: string
}

export type SseParserOptions = LineReaderOptions

const NONE: readonly SseEvent[] = []

export class SseParser {
  readonly #lines: LineReader
  #type: string | undefined
  #data: string | undefined
  #events: SseEvent[] = []

  constructor(options: SseParserOptions) {
    this.#lines = new LineReader(options, (text, start, end) => this.#readLine(text, start, end))
  }

  /** The events that this chunk completes. */
  push(chunk: Uint8Array): readonly SseEvent[] {
    this.#lines.push(chunk)
    this.#lines.checkLength(this.#data?.length ?? 0)
    return this.#take()
  }

  /** The body is over: an event whose blank line never came counts too. */
  end(): readonly SseEvent[] {
    this.#lines.end()
    return this.#take()
  }

  #take(): readonly SseEvent[] {
    if (this.#events.length === 0) return NONE
    const events = this.#events
    this.#events = []
    return events
  }

  #readLine(text: string, start: number, end: number): void {
    if (start === end) this.#dispatch()
    else if (text.startsWith('data', start)) this.#readData(text, start + 4, end)
    else if (text.startsWith('event:', start)) this.#type = valueOf(text, start + 6, end)
  }

  #readData(text: string, colon: number, end: number): void {
    let value = ''
    if (colon < end) {
      if (text.charCodeAt(colon) !== 58) return
      value = valueOf(text, colon + 1, end)
    }
    if (this.#data === undefined) {
      this.#data = value
    } else {
      this.#data += `\n${value}`
      this.#lines.checkLength(this.#data.length)
    }
  }

  #dispatch(): void {
    if (this.#data !== undefined) {
      this.#lines.checkLength(this.#data.length)
      this.#events.push(
        this.#type === undefined ? { data: this.#data } : { event: this.#type, data: this.#data },
      )
      this.#data = undefined
    }
    this.#type = undefined
  }
}

function valueOf(text: string, start: number, end: number): string {
  return text.slice(text.charCodeAt(start) === 32 ? start + 1 : start, end)
}
