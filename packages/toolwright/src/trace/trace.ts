/**
 * What a trace file tells: runs with their legs, rounds, exchanges with the model and calls, each with its times.
 * Plain data for whoever shows it. Everything in it comes from a file: texts may be anything, and are never to be
 * taken as markup or as control characters.
 */
import type { Usage } from '../messages/chat-response.ts'
import type { Json, JsonObject } from '../messages/json.ts'
import type { TraceEventFacts, TraceFailure } from './trace-line.ts'

export interface Trace {
  /** Whether one of the writers recorded prompts, answers, arguments and results. */
  readonly content: boolean
  /** The outermost runs, in the order of their start. */
  readonly runs: readonly TraceRun[]
  /** Calls outside of any run: those of managers that are used by hand. */
  readonly calls: readonly TraceCall[]
  /** What could not be read, line by line. */
  readonly problems: readonly TraceProblem[]
}

export interface TraceProblem {
  /** Counted from 1. */
  readonly line: number
  readonly what: string
}

/** In milliseconds since 1970. */
export interface TraceTimes {
  readonly startedAt: number
  /** Absent: the file does not say that it ended. */
  readonly endedAt?: number
}

/** `open`: it goes on, or its process ended before it did. */
export type TraceRunStatus = 'done' | 'suspended' | 'limit' | 'failed' | 'open'

export interface TraceRun extends TraceTimes {
  readonly id: string
  readonly model: string
  readonly provider: string
  readonly conversation?: Json
  /** That of its last leg. */
  readonly status: TraceRunStatus
  /** From the start or a resume to an end or a suspension; the later ones may be of other processes. */
  readonly legs: readonly TraceLeg[]
  /** Of its exchanges, without those of runs inside. */
  readonly usage: Usage
}

export interface TraceLeg extends TraceTimes {
  readonly phase: 'start' | 'resume'
  readonly mode: 'call' | 'stream'
  readonly writer: string
  readonly status: TraceRunStatus
  readonly toolNames: readonly string[]
  readonly finishReason?: string
  readonly failure?: TraceFailure
  /** How long the run was suspended before this leg. */
  readonly waitedMs?: number
  /** What it is suspended for. */
  readonly pending: readonly TracePending[]
  readonly rounds: readonly TraceRound[]
  /** Those outside the loop, and the loop itself. */
  readonly advisors: readonly TraceAdvisor[]
  /** Runs that something other than a tool started inside it. */
  readonly runs: readonly TraceRun[]
  /** Notices, and what else is not about a call. */
  readonly events: readonly TraceEvent[]
  /** Content: its generations. */
  readonly answer?: Json
}

/** A call that waits for a decision. */
export interface TracePending {
  readonly callId: string
  /** The call whose tool made this one, if a tool did, and where in its program. */
  readonly parentCallId?: string
  readonly line?: number
  readonly toolName: string
  readonly kind: string
  /** Content: input, reason, preview, question. */
  readonly content?: JsonObject
}

export interface TraceRound extends TraceTimes {
  readonly number: number
  readonly failed: boolean
  readonly exchanges: readonly TraceExchange[]
  readonly calls: readonly TraceCall[]
  /** Those inside the loop. */
  readonly advisors: readonly TraceAdvisor[]
  /** The id of the call that ended last: the next round waited for it. Only where there are several calls. */
  readonly waitedFor?: string
}

export interface TraceAdvisor extends TraceTimes {
  readonly name: string
  readonly order: number
  readonly failed: boolean
}

/** One exchange with the model. */
export interface TraceExchange extends TraceTimes {
  /** The one that was asked. */
  readonly model: string
  readonly provider: string
  /** The one that answered, as the provider names it. */
  readonly answeredBy?: string
  readonly responseId?: string
  readonly usage?: Usage
  readonly finishReason?: string
  readonly failure?: TraceFailure
  readonly failed: boolean
  readonly toolNames: readonly string[]
  readonly options: JsonObject
  /** When the first piece of a streamed answer came. */
  readonly firstChunkAt?: number
  /** Pieces of a streamed answer. */
  readonly chunks?: number
  /** Content: the messages exactly as the model got them. */
  readonly messages?: readonly JsonObject[]
  /** Content: its generations. */
  readonly answer?: Json
}

export type TraceCallStatus = 'done' | 'failed' | 'refused' | 'suspended' | 'open'

export interface TraceCall extends TraceTimes {
  readonly id: string
  readonly name: string
  readonly isOffered: boolean
  /** Whoever approved it changed its arguments. */
  readonly edited?: true
  readonly status: TraceCallStatus
  /** Why it was not run. */
  readonly refusal?: string
  readonly failure?: TraceFailure
  /** When the tool itself began: what is before was checking and waiting. Absent: it was not run. */
  readonly ranAt?: number
  /** How often the tool was run. */
  readonly attempts: number
  readonly waits: readonly TraceWait[]
  /** Runs inside: a client that is a tool, an agent. */
  readonly runs: readonly TraceRun[]
  /** Calls that managers made by hand inside. */
  readonly calls: readonly TraceCall[]
  /** Progress, retries, notices; of runs inside that write no trace of their own, their events. */
  readonly events: readonly TraceEvent[]
  /** Content: as the model sent them; of a call that was edited, those that ran. */
  readonly arguments?: string
  /** Content: what the model was told. */
  readonly result?: Json
}

/** What a call waited for before it ran. */
export interface TraceWait {
  readonly for: 'place' | 'lock' | 'rate'
  readonly ms: number
  /** The call that it waited for. */
  readonly callId?: string
  readonly toolName?: string
}

export interface TraceEvent extends TraceEventFacts {
  readonly at: number
}
