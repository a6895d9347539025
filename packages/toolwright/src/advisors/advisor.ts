/**
 * The contract of everything that stands between a client and its model. An advisor is an async
 * generator: it yields events and returns the answer, so that nobody can forget it, and one form
 * serves `call()` and `stream()`.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import type { Emit } from '../internal/while-running.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { Json } from '../messages/json.ts'
import type { Message } from '../messages/message.ts'
import type { Decisions, PendingCall, RunState } from '../messages/run-state.ts'
import type { ChatModel, Prompt } from '../model/chat-model.ts'
import type { Watched } from '../observation/watcher.ts'
import type { Durability } from '../ports/durability.ts'

/** Yields events, returns the answer. */
export type Advice = AsyncGenerator<ChatEvent, AdvisedResponse>

export interface AdvisedRequest {
  readonly prompt: Prompt
  /** What the request set with `.param()`, and the conversation id. */
  readonly params: { readonly [key: string]: unknown; readonly conversation?: Json }
  /** One JSON object per run, shared by all advisors and kept in a suspended state. Write to it freely. */
  readonly context: { [key: string]: Json }
  readonly mode: 'call' | 'stream'
  /** `resume`: a suspended run goes on; its user message was seen before. */
  readonly phase: 'start' | 'resume'
  readonly resume?: { readonly state: RunState; readonly decisions: Decisions }
  readonly model: ChatModel
  readonly signal: AbortSignal
  readonly runId: string
  /** The model call under way, from 1; inside the loop it counts up. */
  readonly round: number
  /** Set by the client when no advisor watches events pass: they then go straight to the run's readers. */
  readonly sink?: Emit
  /** Set by the client when somebody watches: the observation that this request is part of. */
  readonly watched?: Watched | undefined
  /** For I/O: runs once per key of this advisor and round, also when a durable run is replayed. The result must be JSON. */
  step: Durability['step']
}

export interface AdvisedResponse {
  /** Usage is the sum over all rounds. */
  readonly response: ChatResponse
  /** The whole conversation, the answer included. */
  readonly messages: readonly Message[]
  readonly rounds: readonly ChatResponse[]
  readonly pending?: readonly PendingCall[]
  readonly state?: RunState
}

export type NextAdvisor = (request: AdvisedRequest) => Advice

export interface Advisor {
  readonly name: string
  /** Lower is further out. From `ORDER.first` to `ORDER.last`; equal orders keep the order they were given in. */
  readonly order: number
  /** `const answer = yield* next(request)`. One that changes nothing returns `next(request)`. */
  advise(request: AdvisedRequest, next: NextAdvisor): Advice
}

/** Where the built-in advisors stand. */
export const ORDER = {
  first: 0,
  memory: 200,
  toolCalling: 300,
  structuredOutput: 400,
  last: 1000,
} as const

export interface AdvisorOptions {
  readonly name: string
  /** Default `ORDER.last`. */
  readonly order?: number
  /** May change the request. */
  readonly before?: (
    request: AdvisedRequest,
  ) => AdvisedRequest | void | Promise<AdvisedRequest | void>
  /** May change the answer. Called once, on a final outcome, never at suspension. */
  readonly after?: (
    answer: AdvisedResponse,
    request: AdvisedRequest,
  ) => AdvisedResponse | void | Promise<AdvisedResponse | void>
}

/** Marks an advisor that passes every event on as it is, so that events need not pass through it. */
export const UNWATCHING: unique symbol = Symbol('unwatching')

/**
 * Makes an advisor of a look before and a look after. Costs nothing per event: where nobody watches events,
 * they go past it.
 *
 * @example
 * const polite = advisor({ name: 'polite', before: (request) => ({ ...request, params: { ...request.params, polite: true } }) })
 */
export function advisor(options: AdvisorOptions): Advisor {
  checkOptions('advisor()', options, ['name', 'order', 'before', 'after'])
  const { name, order = ORDER.last, before, after } = options
  if (typeof name !== 'string' || name === '') {
    throw new ConfigurationError('invalid-advisor', 'An advisor needs a name.')
  }
  const made: Advisor & { readonly [UNWATCHING]: true } = {
    name,
    order,
    async *advise(request, next) {
      const own = (await before?.(request)) ?? request
      const answer = yield* next(own)
      return answer.pending ? answer : ((await after?.(answer, own)) ?? answer)
    },
    [UNWATCHING]: true,
  }
  return made
}

/** The same request, its steps named after the advisor they pass through: unique, and the same at every replay. */
export function scopedRequest(request: AdvisedRequest, name: string): AdvisedRequest {
  const { step } = request
  return { ...request, step: (key, run) => step(`${name}/${key}`, run) }
}
