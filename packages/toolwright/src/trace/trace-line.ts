/**
 * The lines of a trace file: JSON, one object each, in the order in which things happened. Each writer begins with
 * a `trace` line, which says the version; a file that several processes write has one for each of them. Readers
 * skip types and fields that they do not know.
 */
import type { FinishReason, Usage } from '../messages/chat-response.ts'
import type { Json, JsonObject } from '../messages/json.ts'
import type { PendingCall } from '../messages/run-state.ts'
import type { ObservationKind } from '../observation/observer.ts'

/** Raised when a reader of the version before would misread a file. */
export const TRACE_VERSION = 1

/** Stands for the name of a tool that was not offered: a model made it up, so it is content. */
export const NOT_OFFERED = '(not offered)'

interface Written {
  /** Who wrote the line: one for each `traceFile()`. Ids of observations are unique for each writer. */
  readonly writer: string
  /** Milliseconds since 1970, to the microsecond. */
  readonly at: number
}

/** The first line of every writer, and so of the file. */
export interface HeaderLine extends Written {
  readonly type: 'trace'
  readonly version: number
  /** Whether this writer records prompts, answers, arguments and results. */
  readonly content: boolean
}

/** Something starts. */
export interface StartLine extends Written, StartFacts {
  readonly type: 'start'
  readonly id: number
  /** The observation that it stands in. */
  readonly parent?: number
  /** Of the parent, if that is another. */
  readonly parentWriter?: string
}

/** What is known of an observation when it starts, by its kind. */
export interface StartFacts {
  readonly kind: ObservationKind
  /** Of the advisor, the model or the tool; of a client, its model's; of a round, its number. */
  readonly name: string
  readonly runId?: string
  readonly mode?: 'call' | 'stream'
  readonly phase?: 'start' | 'resume'
  readonly provider?: string
  readonly conversation?: Json
  /** Of a client, and of a model that is offered others. */
  readonly toolNames?: readonly string[]
  readonly order?: number
  readonly round?: number
  /** Settings of the request; all of them only with content. */
  readonly options?: JsonObject
  readonly callId?: string
  /** Of a tool: false, if the model asked for one that there was not. */
  readonly isOffered?: boolean
  /** Of a tool: whoever approved the call changed its arguments. */
  readonly edited?: true
  /** Content: as the model sent them; of a call that was edited, those that ran. */
  readonly arguments?: string
}

/** Something ends. */
export interface EndLine extends Written, EndFacts {
  readonly type: 'end'
  readonly id: number
}

/** What is known of an observation when it ends, by its kind. */
export interface EndFacts {
  readonly failed?: true
  readonly error?: TraceFailure
  readonly finishReason?: FinishReason
  readonly usage?: Usage
  readonly rounds?: number
  readonly model?: string
  readonly responseId?: string
  /** Why a call was not run. */
  readonly refusal?: string
  readonly refused?: true
  readonly suspended?: true
  /** Content: the generations of an answer. */
  readonly answer?: Json
  /** Content: what the model is told of a call. */
  readonly result?: Json
}

/** What was thrown. */
export interface TraceFailure {
  /** Of its class. */
  readonly name: string
  /** Of the catalogue. */
  readonly code?: string
  /** Content: its words. */
  readonly message?: string
}

/** Something happened meanwhile. */
export interface EventLine extends Written {
  readonly type: 'event'
  /** The observation that it was told to. */
  readonly id: number
  readonly event: TraceEventFacts
}

/** What is kept of an event of a run, or of what an observation was told. */
export interface TraceEventFacts {
  /** That of the event; `deltas` for several in a row; `observed` for what only observers are told. */
  readonly type: string
  /** The run that it belongs to, if that is one inside. */
  readonly runId?: string
  /** The call that the run inside belongs to. */
  readonly parentCallId?: string
  readonly round?: number
  readonly callId?: string
  readonly toolName?: string
  /** Of a notice, or of what observers are told. */
  readonly code?: string
  /** Of a result: whether the model is told of an error. */
  readonly isError?: boolean
  /** Of deltas: their type. */
  readonly of?: string
  /** Of deltas: how many there were. */
  readonly count?: number
  /** Of deltas: when the first one came. */
  readonly firstAt?: number
  /** Of deltas and calls: how much text there was. */
  readonly characters?: number
  /** Of a suspension: what waits. `input`, `reason`, `preview` and `question` are content. */
  readonly pending?: readonly (Pick<PendingCall, 'callId' | 'toolName' | 'kind'> & JsonObject)[]
  /** Content: the words of a notice. */
  readonly message?: string
  /** Content: what a tool took or reported, the data of a notice. Without content: what a call waited for. */
  readonly data?: Json
}

/** Content: the messages exactly as a model got them. */
export interface SentLine extends Written {
  readonly type: 'sent'
  readonly id: number
  /** So many of the first messages are those of the run's `sent` line before. */
  readonly same: number
  /** The others. */
  readonly messages: readonly JsonObject[]
}

/** Lines could not be written before this one. */
export interface LostLine extends Written {
  readonly type: 'lost'
  readonly lines: number
}

export type TraceLine = HeaderLine | StartLine | EndLine | EventLine | SentLine | LostLine
