/**
 * The words of the fault server: one abstract turn of a model, what goes wrong with it on the wire,
 * and a scenario, which adds the tool's behaviour and what a client must make of it all. Nothing here
 * knows a provider's dialect.
 */

export interface FaultToolCall {
  readonly name: string
  /** The argument text in the pieces a stream sends; a whole answer joins them. No piece at all is possible. */
  readonly arguments: readonly string[]
  /** Absent: the server makes a unique one. `null`: the field is left out. */
  readonly id?: string | null
  /** The position the wire claims. Absent: the true one. */
  readonly index?: number
}

export type FaultFinish = 'stop' | 'tool-calls' | 'length'

/** How the bytes are laid out. Harmless to a client that reads its protocol properly. */
export interface FaultFraming {
  /** Default `\n`. In a whole answer it separates the JSON tokens. `mixed`: another one in every event. */
  readonly newline?: '\n' | '\r\n' | '\r' | 'mixed'
  /** A byte order mark first. */
  readonly byteOrderMark?: boolean
  /** Comment lines between the events. */
  readonly comments?: boolean
  /** Fields `id`, `retry` and one that nobody knows, and data in two lines, where the format has such things. */
  readonly fields?: boolean
  /** `data:` without the space after it. */
  readonly withoutSpace?: boolean
  /** Default: one event, or the whole body, per chunk. `Infinity`: all events in one. */
  readonly bytesPerChunk?: number
  /** Silence before each chunk. Default 0. */
  readonly pauseMs?: number
}

/**
 * How the answer ends. `complete`: as it should. `no-end-marker`: without the last marker, but with its
 * finish reason. `finish-twice`: with a second finish reason. `reset-after-end`: complete, and then reset.
 * The others break off before the finish reason: `eof` cleanly, `no-finish` with the last marker, `reset` with
 * a connection reset, `reset-inside` in the middle of an event, `stall` in silence, `error-event` with the
 * provider's error, `error-body` with nothing but that error as one JSON body, `garbage` with an event that is no
 * JSON and then the rest, `endless-line` in a text that never ends, `endless-events` in events that never end.
 */
export type FaultEnding =
  | 'complete'
  | 'no-end-marker'
  | 'finish-twice'
  | 'reset-after-end'
  | 'eof'
  | 'no-finish'
  | 'reset'
  | 'reset-inside'
  | 'stall'
  | 'error-event'
  | 'error-body'
  | 'garbage'
  | 'endless-line'
  | 'endless-events'

/** One answer of the model, and what is wrong with it. */
export interface FaultTurn {
  /** Thought before anything else; signed where the dialect signs. */
  readonly reasoning?: string
  /** In the pieces a stream sends. */
  readonly text?: readonly string[]
  readonly toolCalls?: readonly FaultToolCall[]
  /** Default: `tool-calls` with calls, else `stop`. */
  readonly finish?: FaultFinish
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
  readonly framing?: FaultFraming
  /** Default `complete`. */
  readonly ending?: FaultEnding
  /** Later pieces of a call carry a blank id. */
  readonly blankContinuationIds?: boolean
  /** Later pieces of a call carry its name again. */
  readonly repeatedNames?: boolean
  /** Default: that of the dialect. */
  readonly contentType?: string
  /** The length that is announced has so many bytes more than the body, after which the connection closes. */
  readonly announcedTooMuch?: number
  /** Sent after the end of the answer, where nothing may come any more. */
  readonly late?: FaultTurn
}

/** An HTTP error instead of an answer. */
export interface FaultRefusal {
  readonly status: number
  readonly message?: string
  /** Sent as `Retry-After`; whoever comes back earlier is refused again. */
  readonly retryAfterSeconds?: number
  /** Sent as `Retry-After` as it is, or as a date so many seconds from now. */
  readonly retryAfter?: string | { readonly dateInSeconds: number }
  /** Sent as `Location`. */
  readonly location?: string
  /** The body is a page of HTML, as gateways send it. */
  readonly page?: boolean
}

/**
 * No answer at all: the connection is reset before the first byte, `after-headers` behind the status line and
 * headers, the headers never end, or a small body unpacks to gigabytes.
 */
export interface FaultDrop {
  readonly drop: 'before-headers' | 'after-headers' | 'endless-headers' | 'packed-bomb'
}

export type FaultStep = FaultTurn | FaultRefusal | FaultDrop

/** What each request gets, in order; the last one repeats. Or a function of the step's number, from 1. */
export type FaultScript = readonly FaultStep[] | ((step: number) => FaultStep)

/** One execution of a tool with exactly this input. */
export interface FaultEffect {
  readonly tool: string
  readonly input: unknown
}

/** What the tool `effect` does once it runs. */
export type FaultToolBehaviour =
  | 'returns'
  | 'returns-bigint'
  | 'returns-cycle'
  | 'returns-lone-surrogate'
  | 'throws-null'
  | 'throws-secret'
  | 'never-settles'

export interface FaultExpectation {
  /** `answer`: the text of the last turn. `error`: a rejection. `either`: both are sound. */
  readonly outcome: 'answer' | 'error' | 'either'
  /** The catalogue codes an error may have; `aborted` stands for the reason of the caller's own signal. */
  readonly codes?: readonly string[]
  /** The executions there must be, in any order. */
  readonly effects: readonly FaultEffect[]
  /** The executions above may happen, but need not. */
  readonly effectsOptional?: boolean
  /** Some tool result on the wire contains this. */
  readonly resultIncludes?: string
  /** Never on the wire, whatever happens. */
  readonly secret?: string
  /** How far the process may grow meanwhile, in bytes. */
  readonly memoryGrowth?: number
}

export interface FaultScenario {
  readonly name: string
  readonly script: FaultScript
  /** Default `returns`. */
  readonly tool?: FaultToolBehaviour
  /** The longest silence that the client under test shall bear, in ms. Default: its own. */
  readonly idleTimeoutMs?: number
  /** When the caller aborts. Default: never. */
  readonly abort?: 'when-stalled' | 'when-tool-runs'
  /** Where a whole JSON answer is a different matter than a stream. */
  readonly expectWhole?: FaultExpectation
  readonly expect: FaultExpectation
}
