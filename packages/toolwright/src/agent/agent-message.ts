/**
 * The messages of an agent's context, and what a model answers: plain JSON of the Agent/Tool protocol. A
 * context only grows; context/data-store.ts folds it to find the current values.
 */
import type { Notice } from '../errors/notices.ts'
import type { Json, JsonObject } from '../messages/json.ts'
import type { Message } from '../messages/message.ts'
import type { JsonSchema, JsonSchemaNode } from '../schema/json-schema.ts'

/**
 * A tool is a JSON Schema of an object. Properties without a leading underscore are its parameters;
 * properties with one say how the tool is run. A meta field is a schema (`{ const: '†state.user' }`), a
 * plain string in place of such a constant, or a string at the top of the tool.
 */
export interface ToolSchema extends Omit<JsonSchema, 'properties'> {
  readonly properties?: { readonly [name: string]: JsonSchemaNode | string }
  /**
   * The activity that runs the tool; `''` keeps the tool latent. Default: the activity of the tool's own
   * name.
   */
  readonly _activity?: string
  /** A saved request that runs the tool in isolation, or `'anonymous'`. */
  readonly _delegate?: string
  /** Where the result is written: `†<kind>[.<path>]`. */
  readonly _outputPath?: string
  readonly _instance?: string
  /** Kinds of messages that the tool's execution may see. */
  readonly _scopes?: readonly string[]
}

/** Tools by name. */
export type ToolMap = { readonly [name: string]: ToolSchema }

/** How a result joins what is already at its path. Default `set`. */
export type OutputMethod = 'set' | 'merge' | 'assign' | 'push' | 'concat'

/** The fields of a call that are not parameters. */
export interface CallFields {
  readonly _tool: string
  readonly _reasoningForCall?: string
  /** The result. Only latent calls have it: the model wrote it itself. */
  readonly _output?: Json
  readonly _outputPath?: string
  readonly _outputMethod?: OutputMethod
  readonly _instance?: string
  readonly _scopes?: readonly string[]
}

/** One tool with its parameters filled in. */
export interface Call extends CallFields {
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
  /** The instance that the data belongs to; data without one is visible to all instances. */
  readonly _instance?: string
  /**
   * The engine writes these and hides them from the model: the call that produced the data, when, and how
   * the data joins.
   */
  readonly _call?: Call
  readonly _date?: string
  readonly _outputMethod?: OutputMethod
}

export interface DataMessage extends DataFields {
  readonly type: 'data'
  /**
   * Identifies the data, together with `_instance`: messages of one identity fold into one value. Default
   * `data`.
   */
  readonly kind?: string
  readonly data: Json
}

/** The input of the request, as data. The payload may also be spread over the message itself. */
export interface InputMessage extends DataFields {
  readonly type: 'input'
  readonly input?: JsonObject
  readonly [field: string]: unknown
}

/** Data that is kept from turn to turn. The payload may also be spread over the message itself. */
export interface StateMessage extends DataFields {
  readonly type: 'state'
  readonly state?: JsonObject
  readonly [field: string]: unknown
}

/** Identifies the idea that the agent works on. The model is asked to raise its version. */
export interface Meta {
  readonly path?: string
  readonly version?: string
  readonly [field: string]: Json | undefined
}

export interface MetaMessage {
  readonly type: 'meta'
  readonly meta: Meta
}

/** A typed message. Without a role it counts as the user's. */
export type TypedMessage =
  TextMessage | ToolDefinitionMessage | DataMessage | InputMessage | StateMessage | MetaMessage

/** Any message of a context: typed, typed under a role, or a plain chat message. */
export type AgentMessage =
  TypedMessage | { readonly role: Role; readonly content: TypedMessage } | Message

/** What a model answers to one request. */
export interface Solution<Output = unknown> {
  readonly meta: Meta
  readonly calls: readonly Call[]
  /** Null until the model gives one. */
  readonly output: Output | null
}

/** A request that a tool can delegate to. */
export interface SavedRequest {
  readonly context: readonly AgentMessage[]
  /** The schema of the request's output. */
  readonly schema: JsonSchema
}

/** A call that failed, and why. */
export interface CallError {
  readonly call: Call
  readonly error: string
}

/** Something worth knowing about an agent that is not an error. In a run it becomes a `notice` event. */
export type AgentNotice = Notice<
  'agent-missing-activity' | 'agent-undescribed-result' | 'agent-ignored-field' | 'agent-version'
>
