/**
 * Bytes in, whole lines out, for the formats that send a record per line. Any line end, any split of the
 * bytes, within limits. Linear also for one huge line in tiny pieces.
 */
import { ProviderError } from '../../errors/errors.ts'
import { MAX_BODY_BYTES, MAX_EVENT_LENGTH } from './limits.ts'

export interface LineReaderOptions {
  /** Named in errors. */
  readonly provider: string
  /** In characters. */
  readonly maxEventLength?: number
  readonly maxBodyBytes?: number
}

/** The line is `text` from `start` to `end`, without its end: a slice for each would cost more than reading it. */
export type OnLine = (text: string, start: number, end: number) => void

/** Decodes without state, which is several times as fast. */
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })

export class LineReader {
  /** Holds the start of a character whose end is in the next chunk. */
  #decoder: InstanceType<typeof TextDecoder> | undefined
  #holds = false
  #started = false
  readonly #onLine: OnLine
  readonly #provider: string
  readonly #maxEventLength: number
  readonly #maxBodyBytes: number
  #bytes = 0
  /** The start of a line whose end has not come. Only appended to and read once: V8 keeps that linear. */
  #line = ''
  #afterCarriageReturn = false

  constructor(options: LineReaderOptions, onLine: OnLine) {
    this.#onLine = onLine
    this.#provider = options.provider
    this.#maxEventLength = options.maxEventLength ?? MAX_EVENT_LENGTH
    this.#maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES
  }

  push(chunk: Uint8Array): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#maxBodyBytes)
      throw this.#tooLarge('answer', this.#maxBodyBytes, 'bytes')
    this.#take(this.#withoutMark(this.#decode(chunk)))
  }

  /** The body is over. A last line counts also without its end, and an empty line follows it. */
  end(): void {
    this.#take(`${this.#holds ? this.#decoder!.decode() : ''}\n\n`)
  }

  /** Throws when what is held of one record, here and at the caller, is too long. */
  checkLength(held: number): void {
    if (this.#line.length + held > this.#maxEventLength)
      throw this.#tooLarge('event', this.#maxEventLength, 'characters')
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

  #take(text: string): void {
    const lines = this.#withLineFeeds(text)
    let start = 0
    for (;;) {
      const end = lines.indexOf('\n', start)
      if (end === -1) break
      if (this.#line === '') this.#onLine(lines, start, end)
      else this.#readJoined(lines, end)
      start = end + 1
    }
    if (start < lines.length) this.#line += start === 0 ? lines : lines.slice(start)
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
    this.#onLine(line, 0, line.length)
  }

  #tooLarge(what: string, limit: number, unit: string): ProviderError {
    const message = `The ${what} of ${this.#provider} is larger than ${limit} ${unit}.`
    return new ProviderError('provider-too-large', message, { provider: this.#provider })
  }
}
