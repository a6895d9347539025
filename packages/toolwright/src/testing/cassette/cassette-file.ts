/**
 * What a cassette file holds: plain JSON, version 1. It has no ids of runs and none of the times that providers tell of
 * an answer, and its keys have one order, so that recording an unchanged conversation again changes only what the
 * model says differently, and the ids that its provider makes up for answers and calls.
 */
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { ModelCapabilities } from '../../model/chat-model.ts'
import type { ToolOutput } from '../../tools/tool-callback.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'

export const CASSETTE_FORMAT = 'toolwright-cassette'
export const CASSETTE_VERSION = 1

export interface CassetteFile {
  readonly format: typeof CASSETTE_FORMAT
  readonly version: typeof CASSETTE_VERSION
  readonly model: CassetteModel
  /** By name; a second definition of the same name is under `name#2`. */
  readonly tools: { readonly [key: string]: CassetteTool }
  /** In the order in which they began. */
  readonly exchanges: readonly CassetteExchange[]
}

/** Who answered. */
export interface CassetteModel {
  readonly provider: string
  readonly model: string
  readonly capabilities: ModelCapabilities
  /** Its own defaults, without tools and their context. */
  readonly options: JsonObject
}

export interface CassetteTool {
  readonly definition: ToolDefinition
  /** Absent: the tool was offered, but not given to the cassette, so it runs in a replay too. */
  readonly metadata?: JsonObject
  /** The input travels as `{ value }`. */
  readonly wrapped?: true
  /** What it gives is a text of its own making, and programs get it as a text. Absent: they get its value. */
  readonly convertsItself?: true
  /** Given by a provider: which one, counted from 0. */
  readonly provider?: number
}

export type CassetteExchange = ModelExchange | ToolExchange | AskedExchange

/** What a model was asked, in the canonical form, and how that ended. */
export interface ModelExchange extends Ending {
  readonly kind: 'model'
  readonly request: StoredRequest
  readonly response?: ChatResponse
  /** What it told besides: notices, events of tools that it ran itself. */
  readonly events?: readonly ChatEvent[]
  /** What a stream said before it failed or was left. */
  readonly said?: string
}

/** One run of a tool, and how it ended. */
export interface ToolExchange extends Ending {
  readonly kind: 'tool'
  readonly tool: string
  /** The checked input, as JSON. */
  readonly input: Json
  /** Something was taken out of the input, which may not fit its schema any more. */
  readonly redacted?: true
  /** What was answered to its questions before. */
  readonly answers?: readonly Json[]
  readonly progress?: readonly Json[]
  /** What the model read. */
  readonly output?: ToolOutput
  /** What the tool returned, where that is not its output. */
  readonly returned?: 'json' | 'nothing' | { readonly value: Json }
  /** It left with this question. */
  readonly question?: { readonly asks: Json }
}

/** What a tool's own function said about a call: whether it needs approval, what it would do. */
export interface AskedExchange extends Ending {
  readonly kind: 'approval' | 'preview'
  readonly tool: string
  readonly input: Json
  readonly gives?: Json
}

export interface Ending {
  readonly error?: CassetteFailure
  /** It had no end: the run was aborted, or its reader left. */
  readonly aborted?: true
}

/** An error, without its stack and cause. */
export interface CassetteFailure {
  readonly name: string
  readonly message: string
  readonly code?: string
  /** Facts of errors of the catalogue: status, provider, retryable ... */
  readonly facts?: JsonObject
}

/** A request as it is stored: what it shares with the request before is not repeated. */
export interface StoredRequest {
  readonly options?: JsonObject
  /** Keys of the file's `tools`, sorted. */
  readonly tools?: readonly string[]
  /** It begins with so many messages of the request before. */
  readonly repeats?: number
  readonly messages: readonly JsonObject[]
}

/** A request in the canonical form, whole: what is compared. */
export interface CanonicalRequest {
  readonly options?: JsonObject
  readonly tools?: { readonly [name: string]: JsonObject }
  readonly messages: readonly JsonObject[]
}
