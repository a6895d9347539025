/**
 * What an agent's context is made of, and what a model answers: plain JSON of the Agent/Tool protocol.
 * A context only ever grows; what it says at a moment is read by folding it (context/data-store.ts).
 */
import type { Notice } from '../errors/notices.ts'
import type { Json, JsonObject } from '../messages/json.ts'
import type { Message } from '../messages/message.ts'
import type { JsonSchema, JsonSchemaNode } from '../schema/json-schema.ts'

/**
 * A tool is a JSON Schema of an object. Properties without a leading underscore are its parameters; those
 * with one say how it is run. A meta field may be a schema (`{ const: '†state.user' }`), a plain string
 * where a constant is meant, or stand as a string at the top.
 */
export interface ToolSchema extends Omit<JsonSchema, 'properties'> {
  readonly properties?: { readonly [name: string]: JsonSchemaNode | string }
  /** The activity that runs it; `''` keeps it latent. Default: the activity of the tool's own name. */
  readonly _activity?: string
  /** A saved request that runs it in isolation, or `'anonymous'`. */
  readonly _delegate?: string
  /** Where its result is written: `†<kind>[.<path>]`. */
  readonly _outputPath?: string
  readonly _instance?: string
  /** Kinds of messages its execution may see. */
  readonly _scopes?: readonly string[]
}

/** Tools by name. */
export type ToolMap = { readonly [name: string]: ToolSchema }

/** How a result joins what is already at its path. Default `set`. */
export type OutputMethod = 'set' | 'merge' | 'assign' | 'push' | 'concat'

/** One tool with its parameters filled in. */
export interface Call {
  readonly _tool: string
  readonly _reasoningForCall?: string
  /** The result, of a latent call only: the model wrote it itself. */
  readonly _output?: Json
  readonly _outputPath?: string
  readonly _outputMethod?: OutputMethod
  readonly _instance?: string
  readonly _scopes?: readonly string[]
  readonly [parameter: string]: Json | undefined
}

type Role = 'system' | 'user' | 'assistant'

export interface TextMessage {
  readonly type: 'text'
  readonly text: string
  /** Default `user`. */
  readonly role?: Role
}

/** Defines tools: a map, one schema that names itself with `_tool`, or the name of a registered tool. */
export interface ToolDefinitionMessage {
  readonly type: 'tool'
  readonly tool: ToolMap | ToolSchema | string
}

/** Fields that every message with data may have. */
interface DataFields {
  readonly schema?: JsonSchema
  readonly description?: string
  /** The instance it belongs to; without one it is seen by all. */
  readonly _instance?: string
  /** Written by the engine, hidden from the model: the call it comes from, when, and how it joins. */
  readonly _call?: Call
  readonly _date?: string
  readonly _outputMethod?: OutputMethod
}

export interface DataMessage extends DataFields {
  readonly type: 'data'
  /** Its identity, together with `_instance`: messages of one identity fold into one value. Default `data`. */
  readonly kind?: string
  readonly data: Json
}

/** What the request is about, as data; the payload may also stand directly on the message. */
export interface InputMessage extends DataFields {
  readonly type: 'input'
  readonly input?: JsonObject
  readonly [field: string]: unknown
}

/** What is kept from turn to turn; the payload may also stand directly on the message. */
export interface StateMessage extends DataFields {
  readonly type: 'state'
  readonly state?: JsonObject
  readonly [field: string]: unknown
}

/** What identifies the idea at hand; the model is asked to move its version on. */
export interface Meta {
  readonly path?: string
  readonly version?: string
  readonly [field: string]: Json | undefined
}

export interface MetaMessage {
  readonly type: 'meta'
  readonly meta: Meta
}

/** A message without a role of its own, which counts as the user's. */
export type TypedMessage =
  TextMessage | ToolDefinitionMessage | DataMessage | InputMessage | StateMessage | MetaMessage

/** Any message of a context: typed, typed under a role, or a chat message as it is. */
export type AgentMessage =
  TypedMessage | { readonly role: Role; readonly content: TypedMessage } | Message

/** What a model answers to one request. */
export interface Solution<Output = unknown> {
  readonly meta: Meta
  readonly calls: readonly Call[]
  /** Null while there is none. */
  readonly output: Output | null
}

/** A request that can be run later by whoever delegates to it. */
export interface SavedRequest {
  readonly context: readonly AgentMessage[]
  /** The schema of its output. */
  readonly schema: JsonSchema
}

/** A call that failed, and why. */
export interface CallError {
  readonly call: Call
  readonly error: string
}

/** Something worth knowing about an agent that is no error; in a run it is a `notice` event. */
export type AgentNotice = Notice<
  'agent-missing-activity' | 'agent-undescribed-result' | 'agent-ignored-field' | 'agent-version'
>
