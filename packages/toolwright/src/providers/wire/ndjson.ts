/** One JSON value per line, incrementally: bytes in, whole lines out, as events without a name. Blank lines are skipped. */
import { LineReader, type LineReaderOptions } from './line-reader.ts'
import type { SseEvent } from './sse.ts'

export class NdjsonParser {
  readonly #lines: LineReader
  #records: SseEvent[] = []

  constructor(options: LineReaderOptions) {
    this.#lines = new LineReader(options, (text, start, end) => {
      this.#lines.checkLength(end - start)
      const data = text.slice(start, end)
      if (data.trim() !== '') this.#records.push({ data })
    })
  }

  /** The records that this chunk completes. */
  push(chunk: Uint8Array): readonly SseEvent[] {
    this.#lines.push(chunk)
    this.#lines.checkLength(0)
    return this.#take()
  }

  /** The body is over: a last line counts also without its end. */
  end(): readonly SseEvent[] {
    this.#lines.end()
    return this.#take()
  }

  #take(): readonly SseEvent[] {
    const records = this.#records
    this.#records = []
    return records
  }
}
