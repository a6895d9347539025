/**
 * The contract of whoever watches runs: tracing, metrics, tests. Knows no vendor. What is watched nests:
 * client > advisors > round > advisors inside the loop > model; the tools of a round stand beside them. An
 * observer only looks: nothing it does or throws changes a run.
 */
import type { ChatEvent } from '../messages/chat-event.ts'
import type { FinishReason, ChatResponse, Usage } from '../messages/chat-response.ts'
import type { Json } from '../messages/json.ts'
import type { Message, ToolResponse } from '../messages/message.ts'
import type { ObservedFacts } from '../messages/observed-facts.ts'

/** What can be observed. */
export type ObservationKind = 'client' | 'advisor' | 'round' | 'model' | 'tool'

interface Observed {
  /** Of the advisor, the model or the tool; of a client, its model's; of a round, its number. */
  readonly name: string
  /** The run it belongs to. Absent where a manager is used by hand. */
  readonly runId?: string
  /** What this observer returned for the observation around this one. */
  readonly parent?: Observation
  /** What is known from the start of how it is done, e.g. the request of a protocol that a run answers. */
  readonly facts?: ObservedFacts
}

/** A run, from its request to its end; each resume is a run's next leg, under the same `runId`. */
export interface ClientInfo extends Observed {
  readonly kind: 'client'
  readonly mode: 'call' | 'stream'
  readonly phase: 'start' | 'resume'
  /** Who answers, e.g. `openai`. */
  readonly provider: string
  /** The conversation the request named. */
  readonly conversation?: Json
  /** The tools offered, by name. */
  readonly toolNames: readonly string[]
  /** Of a resumed run: what this observer's `keep` gave when the run was suspended, maybe in another process. */
  readonly kept?: Json
  /** Content: what is asked. */
  readonly messages?: readonly Message[]
}

/** One advisor's work: once outside the loop, in every round inside. The loop itself is one of them. */
export interface AdvisorInfo extends Observed {
  readonly kind: 'advisor'
  readonly order: number
  /** Content: what it is asked. */
  readonly messages?: readonly Message[]
}

/** One turn of the loop: the model is asked, and its tools are run. */
export interface RoundInfo extends Observed {
  readonly kind: 'round'
  /** Counted from 1. */
  readonly round: number
}

/** One exchange with the model, the adapter's own retries included. */
export interface ModelInfo extends Observed {
  readonly kind: 'model'
  readonly provider: string
  /** The server that is asked, if the model says so. */
  readonly server?: { readonly address: string; readonly port: number }
  readonly mode: 'call' | 'stream'
  readonly round: number
  /** The tools offered, by name. */
  readonly toolNames: readonly string[]
  /** The request's options over those of the model (temperature, maxTokens ...), without the tools and their context. */
  readonly options: { readonly [name: string]: unknown }
  /** Content: the tools offered, as the model is told of them. */
  readonly tools?: readonly ObservedDefinition[]
  /** Content: what is to be sent, before the history builder makes it valid; `Observation.sent` is told the rest. */
  readonly messages?: readonly Message[]
}

/** What a model is told of a tool. */
export interface ObservedDefinition {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
}

/** One call of a tool, its waiting and retries included; also a call that is refused. */
export interface ToolInfo extends Observed {
  readonly kind: 'tool'
  readonly callId: string
  /** Absent: the model asked for a tool that was not offered. */
  readonly definition?: ObservedDefinition
  /** Whoever approved it changed its arguments. */
  readonly edited?: true
  /** Content: the arguments as the model sent them; of a call that was edited, those that run. */
  readonly arguments?: string
}

export type ObservationInfo = ClientInfo | AdvisorInfo | RoundInfo | ModelInfo | ToolInfo

interface Ended {
  readonly durationMs: number
  /** It threw, was aborted, or is a tool whose error was turned into words for the model. */
  readonly failed: boolean
  /** What was thrown. */
  readonly error?: unknown
}

/** How a client, advisor, round or model ended. All but `kind` and `Ended` are absent when it failed, and of a round. */
export interface AnswerOutcome extends Ended {
  readonly kind: 'client' | 'advisor' | 'round' | 'model'
  readonly finishReason?: FinishReason
  /** Of a model, of its exchange; of the others, the sum over all rounds inside. */
  readonly usage?: Usage
  /** Model calls so far. Not of a model, whose exchange is one. */
  readonly rounds?: number
  /** The model that answered, as the provider names it. */
  readonly model?: string
  /** The provider's name for the answer. */
  readonly responseId?: string
  /** Of a model that is streamed: until the first piece of its answer came. */
  readonly timeToFirstChunkMs?: number
  /** The tools whose calls wait for somebody. */
  readonly pending?: readonly string[]
  /** Content: the answer. */
  readonly response?: ChatResponse
}

/**
 * Why a call was not run. `unknown-tool`: it was not offered. `tool-input`: its arguments are wrong. `run-limit`: a
 * limit of calls. `denied`: by the policy, or by whoever decided. `answer-cut`: the model's answer was cut off or
 * filtered. `tools-off`: no tools may be called now. `tool-timeout`: checking it took too long.
 * `unknown-outcome`: it may have run before, and is not tried again.
 */
export type RefusalCode =
  | 'unknown-tool'
  | 'tool-input'
  | 'run-limit'
  | 'denied'
  | 'answer-cut'
  | 'tools-off'
  | 'tool-timeout'
  | 'unknown-outcome'

export interface ToolOutcome extends Ended {
  readonly kind: 'tool'
  /** It was not run: unknown tool, bad arguments, a limit, or denied. */
  readonly refused?: boolean
  /** Why it was not run. */
  readonly refusal?: RefusalCode
  /** It waits for an answer to its own question, or for decisions about calls that it made. */
  readonly suspended?: boolean
  /** The tools whose calls it waits for; its own, if it asks itself. */
  readonly pending?: readonly string[]
  /** Content: what the model is told. */
  readonly result?: ToolResponse['content']
}

export type ObservationOutcome = AnswerOutcome | ToolOutcome

/** Something worth knowing that happened meanwhile: a notice of the run, a retry, that a call waited. */
export interface ObservedEvent {
  readonly code: string
  readonly message: string
  readonly data?: Json
  /** Of a notice of a run inside a tool: that run, whose own observer, if it has one, is told of it too. */
  readonly runId?: string
}

/** One thing under observation, from `start` to `end`. */
export interface Observation {
  /**
   * False: the observer wants to hear of nothing inside this one. If nobody else does, what is inside costs as much as
   * without watching. Read once, when `start` has returned.
   */
  readonly inside?: false
  /** Written with every line of the log about this, e.g. the ids of its span, so that log and trace can be joined. */
  readonly logged?: { readonly [key: string]: string | number | boolean }
  /** Called exactly once, also after an abort; inner observations end before outer ones. */
  end?(outcome: ObservationOutcome): void
  /** May be called between `start` and `end`. Not told of notices that `emitted` takes. */
  event?(event: ObservedEvent): void
  /** Of a tool: what it says of how it does its work, e.g. which server it asks. May be told several times. */
  facts?(facts: ObservedFacts): void
  /**
   * Asked of a client's observation when its run is suspended: what the observer wants to be given as `kept` when
   * the run goes on. Travels in the signed state, so: no secrets, and at most 2,000 characters of JSON. Needs an
   * observer with a `name`.
   */
  keep?(): Json | undefined
  /**
   * Of a client: every event of its run, those of runs inside it too, as its readers get them. They hold content,
   * whatever the observer's `content` says: an observer that keeps them decides what of it. Looked for once, when `start`
   * has returned.
   */
  emitted?(event: ChatEvent): void
  /**
   * Of a model that is streamed: more of its answer came, `ms` after what came before; pieces that arrive together are
   * told once. Not told of the first, of which the outcome has `timeToFirstChunkMs`. Without this method nothing is
   * done for each.
   */
  chunk?(ms: number): void
  /** Of a model, where the observer asks for content: the messages exactly as the model gets them. */
  sent?(messages: readonly Message[]): void
}

export interface Observer {
  /**
   * Under which a state carries what this observer keeps. The same in every process that resumes the run. No other observer
   * of the client may keep under it: both would be given what the later one kept.
   */
  readonly name?: string
  /** Asks for content: prompts, answers, arguments, results. Default false. What is in the tool context is never given. */
  readonly content?: boolean
  /** Something starts. Returns how it wants to be told of the rest; nothing: not at all. */
  start(kind: ObservationKind, info: ObservationInfo): Observation | void
  /**
   * Runs the observed work with `observation` as the ambient one, e.g. with OpenTelemetry's `context.with`.
   * Must call `run` at once, and return what it returns. Called once for each run, advisor, model call and
   * tool call; `run` returns a promise of the whole work.
   */
  around?<T>(observation: Observation, run: () => T): T
}
