/**
 * Server-sent events, incrementally: bytes in, whole events out. Any line end, any split of the
 * bytes, any field order; comments, `id`, `retry` and unknown fields are skipped. Knows nothing of
 * what the data means. Linear also for one huge line in tiny pieces.
 */
import { ProviderError } from '../../errors/errors.ts'
import { MAX_BODY_BYTES, MAX_EVENT_LENGTH } from './limits.ts'

export interface SseEvent {
  /** The `event:` field; absent when not sent. */
  readonly event?: string
  /** The `data:` lines, joined by line feeds. */
  readonly data: string
}

export interface SseParserOptions {
  /** Named in errors. */
  readonly provider: string
  /** In characters. */
  readonly maxEventLength?: number
  readonly maxBodyBytes?: number
}

const NONE: readonly SseEvent[] = []
/** Decodes without state, which is several times as fast. */
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })

export class SseParser {
  /** Holds the start of a character whose end is in the next chunk. */
  #decoder: InstanceType<typeof TextDecoder> | undefined
  #holds = false
  #started = false
  readonly #provider: string
  readonly #maxEventLength: number
  readonly #maxBodyBytes: number
  #bytes = 0
  /** The start of a line whose end has not come. Only appended to and read once: V8 keeps that linear. */
  #line = ''
  #afterCarriageReturn = false
  #type: string | undefined
  #data: string | undefined
  #events: SseEvent[] = []

  constructor(options: SseParserOptions) {
    this.#provider = options.provider
    this.#maxEventLength = options.maxEventLength ?? MAX_EVENT_LENGTH
    this.#maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES
  }

  /** The events that this chunk completes. */
  push(chunk: Uint8Array): readonly SseEvent[] {
    this.#bytes += chunk.length
    if (this.#bytes > this.#maxBodyBytes)
      throw this.#tooLarge('answer', this.#maxBodyBytes, 'bytes')
    return this.#take(this.#withoutMark(this.#decode(chunk)))
  }

  /** The body is over: an event whose blank line never came counts too. */
  end(): readonly SseEvent[] {
    return this.#take(`${this.#holds ? this.#decoder!.decode() : ''}\n\n`)
  }

  #decode(chunk: Uint8Array): string {
    const endsInside = chunk.length > 0 ? chunk[chunk.length - 1]! > 0x7f : this.#holds
    if (!this.#holds && !endsInside) return UTF8.decode(chunk)
    this.#holds = endsInside
    this.#decoder ??= new TextDecoder('utf-8', { ignoreBOM: true })
    return this.#decoder.decode(chunk, { stream: true })
  }

  /** A byte order mark is no text at the very start, and text anywhere else. */
  #withoutMark(text: string): string {
    if (this.#started || text === '') return text
    this.#started = true
    return text.startsWith('\ufeff') ? text.slice(1) : text
  }

  #take(text: string): readonly SseEvent[] {
    const lines = this.#withLineFeeds(text)
    let start = 0
    for (;;) {
      const end = lines.indexOf('\n', start)
      if (end === -1) break
      if (this.#line === '') this.#readLine(lines, start, end)
      else this.#readJoined(lines, end)
      start = end + 1
    }
    if (start < lines.length) this.#line += start === 0 ? lines : lines.slice(start)
    this.#checkLength()
    if (this.#events.length === 0) return NONE
    const events = this.#events
    this.#events = []
    return events
  }

  /** CR and CRLF as LF. A CR ends its line at once; an LF that follows in the next chunk belongs to it. */
  #withLineFeeds(text: string): string {
    if (text === '') return text
    const rest = this.#afterCarriageReturn && text.startsWith('\n') ? text.slice(1) : text
    this.#afterCarriageReturn = false
    if (!rest.includes('\r')) return rest
    this.#afterCarriageReturn = rest.endsWith('\r')
    return rest.replace(/\r\n?/g, '\n')
  }

  /** A line whose start came in an earlier chunk. */
  #readJoined(lines: string, end: number): void {
    const line = this.#line + lines.slice(0, end)
    this.#line = ''
    this.#readLine(line, 0, line.length)
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
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`
    if (this.#data.length > this.#maxEventLength) this.#checkLength()
  }

  #dispatch(): void {
    if (this.#data !== undefined) {
      this.#events.push(
        this.#type === undefined ? { data: this.#data } : { event: this.#type, data: this.#data },
      )
      this.#data = undefined
    }
    this.#type = undefined
  }

  #checkLength(): void {
    const length = this.#line.length + (this.#data?.length ?? 0)
    if (length > this.#maxEventLength)
      throw this.#tooLarge('event', this.#maxEventLength, 'characters')
  }

  #tooLarge(what: string, limit: number, unit: string): ProviderError {
    const message = `The ${what} of ${this.#provider} is larger than ${limit} ${unit}.`
    return new ProviderError('provider-too-large', message, { provider: this.#provider })
  }
}

function valueOf(text: string, start: number, end: number): string {
  return text.slice(text.charCodeAt(start) === 32 ? start + 1 : start, end)
}
