/** The events of an agent that streams: those of any run, and the output as it grows. */
import type { ChatEvent, EventOrigin } from '../../messages/chat-event.ts'
import type { InferInput } from '../../schema/infer-schema.ts'
import type { StandardSchema } from '../../schema/standard-schema.ts'
import type { OutputSource } from '../agent-config.ts'

/**
 * The output as far as it has arrived: each one holds all of it. Texts grow; everything else is there only
 * once it is complete. A new `round` starts anew: an answer that does not fit is asked for again.
 */
export interface OutputDelta<Output extends OutputSource = OutputSource> extends EventOrigin {
  readonly type: 'output-delta'
  readonly output: PartialOutput<Output>
}

/**
 * The text of the model's answers is not among them: it is the JSON that the calls and the output are read
 * from.
 */
export type AgentEvent<Output extends OutputSource = OutputSource> = ChatEvent | OutputDelta<Output>

/** What a schema describes, as the model writes it, with every property optional at any depth. */
export type PartialOutput<Output> = [Output] extends [undefined]
  ? never
  : DeepPartial<WrittenAs<Output>>

/** A library's schema may convert what it reads; while it arrives, nothing is converted. */
type WrittenAs<Output> = Output extends StandardSchema
  ? NonNullable<Output['~standard']['types']>['input']
  : InferInput<Output>

type DeepPartial<Value> = Value extends readonly (infer Item)[]
  ? DeepPartial<Item>[]
  : Value extends object
    ? { [Key in keyof Value]?: DeepPartial<Value[Key]> }
    : Value
