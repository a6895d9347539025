/**
 * The contract between the adapter kit and one provider. A provider says how a question looks on its wire
 * and what an answer means; `chatAdapter` does everything else. Contracts only: nothing here runs.
 */
import type { ProviderError } from '../../errors/errors.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { JsonObject } from '../../messages/json.ts'
import type { Message } from '../../messages/message.ts'
import type { ChatOptions, ModelCapabilities } from '../../model/chat-model.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import type { AnswerEvents } from './answer-events.ts'
import type { LoweredSchemas } from './lowered-schemas.ts'
import type { TextPath } from './repeated-records.ts'
import type { ToolSchema } from './tool-schema.ts'

/** One question as an adapter puts it to its provider. */
export interface WireQuestion {
  /** The model to ask: the prompt's, or the adapter's own. */
  readonly model: string
  readonly messages: readonly Message[]
  /**
   * The model's defaults overlaid by the prompt's options. `outputSchema` is there only if the dialect takes
   * it; otherwise the schema stands in the messages, in words.
   */
  readonly options: ChatOptions
  /** What to offer, already resolved. The same array as in the last question where nothing changed. */
  readonly tools: readonly ToolCallback[]
  readonly stream: boolean
  /** What the model can do. */
  readonly capabilities: ModelCapabilities
}

/** Everything the kit must know of a provider. */
export interface ChatDialect {
  /** Where to ask, appended to the base URL, e.g. `/messages`. */
  path(question: WireQuestion): string
  /** The body of the request, as JSON text. Throws a `ConfigurationError` for what cannot be said. */
  toWire(question: WireQuestion): string
  /** A whole answer, parsed. Throws `invalid-response` when it is none; an `error` inside is found by the kit. */
  fromWire(answer: unknown): ChatResponse
  /** Makes the converter of one streamed answer, which tells `events` what arrives. */
  streamConverter(events: AnswerEvents): StreamConverter
  /**
   * The error that a record of a stream or a whole answer reports, where it stands in another place than the field
   * `error` or a record of type `error`, which the kit finds by itself. Undefined when it reports none.
   */
  errorIn?(record: JsonObject): unknown
  /** How the records of a stream are set apart. Default `sse`. */
  readonly framing?: Framing
  /**
   * Where, in a record, the texts stand that a stream sends in many small pieces. Only for speed: records
   * that differ in nothing else are not parsed again (repeated-records.ts).
   */
  readonly streamedTexts?: readonly TextPath[]
  /** Where, in such a record, another number or text stands each time: a counter, a time, a count. For speed too. */
  readonly changingFields?: readonly TextPath[]
  /**
   * The field in which the input of a call may come as an object. One that parsing would change (a number that
   * a double cannot hold, say) comes to the converters as its text instead.
   */
  readonly inputField?: string
  /** Which names of tools the provider takes. Others are changed on the way out and changed back on the way in. */
  readonly toolNames?: ToolNameRule
  /**
   * The input schema of a tool as `toWire` sends it: `toolSchema` of tool-schema.ts in the provider's language. The
   * kit turns the arguments of calls back by it. Absent: tools are sent as they are declared.
   */
  toolSchema?(definition: ToolDefinition, capabilities: ModelCapabilities): ToolSchema
  /** How the schema of an answer is said. Absent: only in words. */
  readonly output?: OutputDialect
  /**
   * A refusal, or a server that cannot be reached, with what to do about it. For what only this provider's users
   * can do; the error that is given says everything else. Absent: errors stay as they are.
   */
  explained?(error: ProviderError, question: WireQuestion): ProviderError
}

/** The names of tools that a provider takes. */
export interface ToolNameRule {
  /** Matches a whole name of allowed characters, whatever its length, e.g. `/^[\w-]+$/`. */
  readonly pattern: RegExp
  readonly maxLength: number
}

/** `sse`: server-sent events. `ndjson`: one JSON value per line. */
export type Framing = 'sse' | 'ndjson'

export interface OutputDialect {
  /** What `toWire` sends, and how the text of an answer is turned back. */
  readonly schemas: LoweredSchemas
  /** What becomes of a schema that cannot be lowered without loss: `toWire` sends it as it is, or it is asked for in words. */
  readonly unlowered: 'as it is' | 'in words'
}

/**
 * Turns the records of one streamed answer into events, one by one. Never tells a call as complete that may
 * have been cut. It need not look for errors, `[DONE]`, records that are no objects, or a connection that breaks.
 */
export interface StreamConverter {
  /**
   * @param record one record, an object. Its texts may be kept; of the objects on the way to one of the
   *   `streamedTexts` or `changingFields` only copies, because they may come again with another value. All others
   *   are not changed: what stands beside a changing field comes again too.
   * @param event the name that an SSE event had
   */
  take(record: JsonObject, event: string | undefined): void
  /** The provider said that nothing follows: the rest of the body is not read. */
  readonly hasEnded: boolean
  /** The provider said how the answer ended, and nothing of it is missing, should the connection fail from here on. */
  readonly isComplete: boolean
  /** Called once, when the stream is over and `isComplete`: tells what is still open, and gives the whole response. */
  finish(): ChatResponse
}
