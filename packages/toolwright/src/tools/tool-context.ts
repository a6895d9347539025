/** What a tool can see of the run that calls it. It is frozen, and the model never sees it. */
import type { Json } from '../messages/json.ts'
import type { Message } from '../messages/message.ts'

export interface ToolContext<Values extends object = { readonly [key: string]: unknown }> {
  /** The request's `toolContext`; only the declared keys if the tool has a `context` schema. */
  readonly values: Values
  get<Key extends keyof Values & string>(key: Key): Values[Key]
  /** Aborted when the run is aborted or the call times out. */
  readonly signal: AbortSignal
  readonly callId: string
  readonly toolName: string
  /** 1 for the first run of this call. */
  readonly attempt: number
  /**
   * The same for every attempt of this call, also after a crash. Pass it to services that can reject
   * duplicates.
   */
  readonly idempotencyKey: string
  /** Reports progress to the application, as a `tool-progress` event. */
  progress(value: unknown): void
  /**
   * Leaves the tool and asks a question. After the resume the tool runs again from the start, and this call
   * returns the answer.
   */
  suspend(question: Json): Json
  /** The conversation; only for tools with `needs: ['history']`. */
  readonly history?: readonly Message[]
}
