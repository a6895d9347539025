/**
 * The seam between a run and whoever watches it: all that the core knows of observing. The work is done in
 * watched.ts; nothing that passes through here can break or change a run.
 */
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { Json, JsonObject } from '../messages/json.ts'
import type { Message, ToolCall, ToolResponse } from '../messages/message.ts'
import type { ObservedFacts } from '../messages/observed-facts.ts'
import type { PendingCall } from '../messages/run-state.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from './logger.ts'
import type { ModelInfo, ObservedEvent, Observer, RefusalCode, ToolInfo } from './observer.ts'

/** Who watches. */
export interface Watching {
  readonly observer: Observer | readonly Observer[] | undefined
  /** A text: what `TOOLWRIGHT_LOG` says. */
  readonly logger: Logger | string | undefined
  readonly clock: Clock
}

/** What is looked at of a request on its way through the chain. */
export interface WatchedRequest {
  readonly prompt: { readonly messages: readonly Message[]; readonly options?: object }
  readonly params: { readonly conversation?: Json }
  readonly mode: 'call' | 'stream'
  readonly phase: 'start' | 'resume'
  readonly model: Pick<ModelInfo, 'provider' | 'server'> & {
    readonly model: string
    readonly options?: object
    /** It brings a call from outside, so no provider is told the names of its tools. */
    readonly asksNobody?: true
  }
  readonly runId: string
  readonly round: number
  readonly resume?: { readonly state: { readonly observed?: JsonObject } }
}

export interface WatchedAnswer {
  readonly response: ChatResponse
  readonly rounds: readonly ChatResponse[]
  readonly pending?: readonly PendingCall[]
}

export interface WatchedCall {
  readonly call: ToolCall
  readonly definition: ToolInfo['definition']
  readonly runId: string | undefined
  /** The arguments that run, if whoever approved the call changed them. */
  readonly edited?: Json | undefined
  /** It had to wait until a call of its batch ended. */
  readonly waited?: Waited | undefined
}

/** What a call waited for before it ran. */
export interface Waited {
  readonly for: 'place' | 'lock' | 'rate'
  readonly ms: number
  /** The call that it waited for; there is none in a rate. */
  readonly behind?: { readonly callId: string; readonly toolName: string } | undefined
}

export interface WatchedCallOutcome {
  readonly response?: ToolResponse
  /** The decisions that it waits for. */
  readonly pending?: readonly PendingCall[]
  /** What was thrown, before it became words for the model. */
  readonly error?: unknown
}

/** Whose turn is observed. */
export interface Advising {
  readonly name: string
  readonly order: number
}

/** Starts observations: of tools, and of whole runs. Who starts one ends it, by what it was told of the work. */
export interface Watcher {
  client(request: WatchedRequest): Watched
  /** Undefined: nobody wants to hear of it, so it takes the same way as without watching. */
  tool(call: WatchedCall): Watched | undefined
}

/** One thing under observation. Ending it ends what is still open inside; it ends once. */
export interface Watched extends Watcher {
  /** Observes a step of the chain, an advisor or else the model, as something inside this. Undefined: as of a tool. */
  advice(of: Advising | undefined, request: WatchedRequest): Watched | undefined
  /** Ends the open round, and starts one. Undefined: as of a tool. */
  round(round: number): Watched | undefined
  /** Runs a piece of the work with this as the ambient observation. */
  run<T>(work: () => Promise<T>): Promise<T>
  run<T>(work: () => T | Promise<T>): T | Promise<T>
  event(event: ObservedEvent): void
  /** What the observers of the run want to have back when it is resumed, by their names. */
  kept(): JsonObject | undefined
  /** A piece of a model's answer came. False: nobody asks for further ones. */
  chunk(): boolean
  /** The run has an event for its readers. */
  emitted(event: ChatEvent): void
  /** The model gets these messages. */
  sent(messages: readonly Message[]): void
  /** The tool says how it does its work. */
  facts(facts: ObservedFacts): void
  waited(waited: Waited): void
  /** Another try follows: of a tool, or of what this advisor asks. */
  retried(attempt: number, error: unknown, advisor?: string): void
  answered(answer: WatchedAnswer): void
  called(outcome: WatchedCallOutcome, refusal?: RefusalCode): void
  failed(error: unknown): void
}
