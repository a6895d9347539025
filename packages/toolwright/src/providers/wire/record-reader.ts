/**
 * From the raw records of a stream to objects. What is wrong with a record is found here, once for all
 * dialects: text that is no JSON, values that are no objects, errors of the provider, the end marker.
 */
import { ModelResponseError, type ProviderError } from '../../errors/errors.ts'
import type { JsonObject } from '../../messages/json.ts'
import type { AnswerEvents } from './answer-events.ts'
import { errorIn } from './exchange.ts'
import { reportedError } from './provider-failure.ts'
import type { ChatDialect } from './chat-dialect.ts'
import { RepeatedRecords } from './repeated-records.ts'
import type { SseEvent } from './sse.ts'
import type { WireSettings } from './wire-settings.ts'
import { isJsonObject } from './wire-value.ts'

const END = '[DONE]'

export class RecordReader {
  readonly #settings: WireSettings
  readonly #events: AnswerEvents
  readonly #parser: RepeatedRecords
  readonly #dialect: ChatDialect
  #count = 0
  #hasEnded = false
  /** How the provider calls the request, for the words of an error. */
  requestId: string | undefined
  /** The last record that was checked. When it comes again, only a text in it is another. */
  #checked: JsonObject | undefined

  constructor(settings: WireSettings, events: AnswerEvents, dialect: ChatDialect) {
    this.#settings = settings
    this.#events = events
    this.#dialect = dialect
    this.#parser = new RepeatedRecords(
      { texts: dialect.streamedTexts ?? [], fields: dialect.changingFields },
      dialect.inputField,
    )
  }

  /** How many records there were. */
  get count(): number {
    return this.#count
  }

  /** Whether the end marker came. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Undefined for the end marker. */
  read({ data, event }: SseEvent): JsonObject | undefined {
    this.#count++
    if (data.length < 16 && data.trim() === END) {
      this.#hasEnded = true
      return undefined
    }
    const value = this.#parse(data, event)
    if (value === this.#checked && event !== 'error') return this.#checked
    const error = errorIn(value)
    if (error !== undefined) throw this.#reported(error)
    if (event === 'error' || isErrorObject(value)) throw this.#reported(value)
    if (!isJsonObject(value)) throw this.#invalid('is no object', data)
    const inside = this.#dialect.errorIn?.(value)
    if (inside !== undefined) throw this.#reported(inside)
    this.#checked = value
    return value
  }

  #parse(data: string, event: string | undefined): unknown {
    try {
      return this.#parser.parse(data)
    } catch {
      if (event === 'error') throw this.#reported(data)
      throw this.#invalid('is not JSON', data)
    }
  }

  #reported(error: unknown): ProviderError {
    return reportedError(this.#settings, error, this.requestId)
  }

  #invalid(how: string, data: string): ModelResponseError {
    const { provider, redact } = this.#settings
    const shown = JSON.stringify(redact(data).slice(0, 80))
    const message = `Event ${this.#count} of the stream of ${provider} ${how}: ${shown}.`
    return new ModelResponseError('invalid-response', message, { partial: this.#events.partial })
  }
}

/** Errors also come without an `error` field, marked by their kind. */
function isErrorObject(value: unknown): boolean {
  return isJsonObject(value) && (value['object'] === 'error' || value['type'] === 'error')
}
