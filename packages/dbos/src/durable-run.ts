/** The contract of durable runs: what a program asks of them, from any process that has the database. */
import type {
  ChatClient,
  ChatEvent,
  ChatOptions,
  ConversationKey,
  Decisions,
  Message,
  OnUnknownOutcome,
  PendingCall,
  RunResult,
} from 'toolwright'

/** The clients that runs are started with, by name. */
export interface DurableClients {
  readonly [name: string]: ChatClient
}

export interface DurableRunsOptions<Clients extends DurableClients = DurableClients> {
  /** The PostgreSQL database: `postgres://user:password@host/name`. DBOS keeps its tables in it, too. */
  readonly url: string
  /** The clients that runs are started with, by name. Every worker gives the same names. */
  readonly clients: Clients
  /** Names this worker, differently from every other that lives. Default: a random name. */
  readonly executorId?: string
  /**
   * What becomes of a call that was cut off, if its tool is neither read-only, idempotent nor keyed. `ask` (default):
   * it waits for a decision. `fail`: the run fails. `tell-model`: the model reads that nobody knows.
   */
  readonly onUnknownOutcome?: OnUnknownOutcome
  /**
   * How many runs a worker runs at a time; the newest worker says it for all. Runs that wait for a decision do not
   * count. 0: this process runs none, it only starts, reads and decides them. Default 50.
   */
  readonly concurrency?: number
  /** Connections to the database. Default 10. */
  readonly connections?: number
  /** How often this worker says that it lives, in ms. Default 1000. */
  readonly heartbeatMs?: number
  /** After how many heartbeats without a sign another worker's runs are taken over. Default 5. */
  readonly missedHeartbeats?: number
  /** How large the record of one step may be, in bytes of JSON. At least 1 MB. Default 64 MB. */
  readonly stepBytes?: number
  /** How long runs that have ended are kept, in ms. Default: for ever. */
  readonly retentionMs?: number
}

/** What a run is asked. Plain JSON: it is kept in the database, and any worker may go on with it. */
export interface DurableInput {
  /** The user's words, or a conversation that ends with them. */
  readonly prompt: string | readonly Message[]
  readonly system?: string
  readonly conversation?: ConversationKey
  /** For the tools only. JSON: secrets and connections are looked up by the tools themselves. */
  readonly toolContext?: object
  /** Options of the model. Tools are the client's, or named by `toolNames`. */
  readonly options?: Omit<ChatOptions, 'tools' | 'toolContext'>
  /** Values for advisors, by name. JSON, too. */
  readonly params?: object
  /** Whether the model is streamed, so that `events()` shows its text as it comes. Default true. */
  readonly stream?: boolean
}

export type DurableStatus =
  'running' | 'suspended' | 'done' | 'limit' | 'failed' | 'blocked' | 'cancelled'

/** A run as the list shows it. */
export interface ListedRun {
  readonly runId: string
  readonly client: string
  readonly status: DurableStatus
  readonly conversation?: ConversationKey
  /** What somebody decides about; of a run that is suspended. */
  readonly pending?: readonly PendingCall[]
  /** Why it failed or is blocked. */
  readonly error?: { readonly code: string; readonly message: string }
  /** How the undoing stands, if it was asked for. */
  readonly undo?: ListedUndo
  /** By the clock of the database. */
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface ListedUndo {
  /**
   * `waiting`: for a worker, or one is at it. `blocked`: no worker so far has the tools. `given-up`: it ended its workers
   * again and again; `cancel(runId, { undo: true })` tries again.
   */
  readonly status: 'waiting' | 'blocked' | 'given-up' | 'done'
  /** Why it is blocked. */
  readonly error?: { readonly code: string; readonly message: string }
}

export interface DurableQuery {
  readonly status?: DurableStatus
  readonly client?: string
  /** At most so many. Default 50. */
  readonly limit?: number
  /** That of the page before. */
  readonly cursor?: string
}

export interface DurablePage {
  /** Oldest first. */
  readonly runs: readonly ListedRun[]
  /** Asks for the next page; absent when there is none. */
  readonly cursor?: string
}

export interface EventsOptions {
  /** Leaves out so many events from the start: those that the reader has seen. Default 0. */
  readonly skip?: number
}

export interface CancelOptions {
  /**
   * Undoes what finished calls did, newest first, for tools that declare `undo`; also of a run that failed or met a
   * limit. A worker does it that has the tools, and it is waited for. Default false.
   */
  readonly undo?: boolean
  /** Ends the waiting for the undoing, which stays asked for: asked for again, it gives its report. */
  readonly signal?: AbortSignal
}

export interface CancelReport {
  /** False when the run had ended, or was cancelled, before. */
  readonly cancelled: boolean
  /** The calls that were undone, newest first. */
  readonly undone: readonly UndoneCall[]
  /** With `undo`: the calls that had or may have had an effect which is still there, and why. */
  readonly notUndone: readonly (UndoneCall & { readonly reason: string })[]
}

export interface UndoneCall {
  readonly callId: string
  readonly toolName: string
}

/** One run, seen from any process. */
export interface DurableRun {
  readonly runId: string
  /**
   * Resolves when the run rests: `done`, `limit` or `suspended`. Rejects when it failed, was cancelled, or is blocked.
   * After `decide` ask again.
   */
  result(): Promise<RunResult>
  /**
   * Everything that has happened, then what happens, until the run rests. Each event comes once, in the order it was
   * recorded in. A round that a crash cut off is told anew after a notice `round-restarted`: drop its text.
   */
  events(options?: EventsOptions): AsyncIterable<ChatEvent>
  cancel(options?: CancelOptions): Promise<CancelReport>
}

export interface StartOptions {
  /**
   * Names the run. Starting it again with the same input gives the run that is there; with another input it is an
   * error. Default: a random name.
   */
  readonly runId?: string
}

/** `Names` are those of the clients. */
export interface DurableRuns<Names extends string = string> {
  /** The name of this worker. */
  readonly executorId: string
  /** Resolves when the run is in the database: from then on some worker will finish it. */
  start(client: Names, input: DurableInput, options?: StartOptions): Promise<DurableRun>
  /** The run with this id, whoever started it. */
  attach(runId: string): Promise<DurableRun>
  /** Decides calls that wait. The first decision wins; every other one is refused. */
  decide(runId: string, decisions: Decisions): Promise<DurableRun>
  list(query?: DurableQuery): Promise<DurablePage>
  cancel(runId: string, options?: CancelOptions): Promise<CancelReport>
  /** Leaves: runs of this worker that have not ended are taken over by the others at once. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
