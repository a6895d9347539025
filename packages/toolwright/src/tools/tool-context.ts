/** What a tool may see of the run it is called from. Frozen; the model never sees any of it. */
import type { Json } from '../messages/json.ts'
import type { Message } from '../messages/message.ts'

export interface ToolContext<Values extends object = { readonly [key: string]: unknown }> {
  /** What the request gave as `toolContext`; only the declared keys when the tool has a `context` schema. */
  readonly values: Values
  get<Key extends keyof Values & string>(key: Key): Values[Key]
  /** Aborted when the run is aborted or the call timed out. */
  readonly signal: AbortSignal
  readonly callId: string
  readonly toolName: string
  /** 1 for the first run of this call. */
  readonly attempt: number
  /** The same for every attempt of this call, also after a crash: hand it to whoever can refuse duplicates. */
  readonly idempotencyKey: string
  /** Tells the application how far it got: a `tool-progress` event. */
  progress(value: unknown): void
  /** Leaves the tool and asks. After the resume the tool runs again from the start, and this returns the answer. */
  suspend(question: Json): Json
  /** The conversation; only for tools with `needs: ['history']`. */
  readonly history?: readonly Message[]
}
