/**
 * The one implementation of ToolContext. It is cheap to make: the abort signal is created only when a tool
 * reads it.
 */
import type { NoticeCode } from '../errors/notices.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { Json } from '../messages/json.ts'
import type { Label, Message } from '../messages/message.ts'
import type { ObservedFacts } from '../messages/observed-facts.ts'
import { NOTHING } from '../internal/nothing.ts'
import { valueAt } from '../schema/json-object.ts'
import type { InsideRun } from './nested-call.ts'
import type { ToolContext } from './tool-context.ts'

/** The run that a call belongs to: what a tool tells it, and what a tool that is a run of its own asks of it. */
export interface OuterRun {
  readonly mode?: 'call' | 'stream'
  /** What was answered to the call's questions so far. */
  readonly answers: readonly Json[]
  /** What the tool kept with the question that the last of them was given to. */
  readonly kept?: Json
  /** Emits events of the inner run in the outer one. */
  emit(event: ChatEvent): void
  progress(value: unknown): void
  notice(code: NoticeCode, message: string, data?: Json): void
  /** Says how the tool does its work. Absent where nobody observes it. */
  readonly facts?: ((facts: ObservedFacts) => void) | undefined
  /** The high-water mark of the run so far: a run inside the tool begins with it. Undefined if there is nothing to know. */
  readonly label?: Label | undefined
  /** What a run inside the tool has met: the tool's response carries it. */
  mark(label: Label): void
  /** There for a tool whose work is calls of other tools. */
  readonly inside?: InsideRun | undefined
}

export interface ToolContextParts {
  readonly values?: { readonly [key: string]: unknown }
  readonly callId?: string
  readonly toolName: string
  readonly attempt?: number
  readonly idempotencyKey?: string
  readonly history?: readonly Message[]
  /** Absent where a callback is called by hand, or where somebody only decides about the call. */
  readonly outer?: OuterRun
}

/** Thrown by `suspend`: it leaves the tool without counting as a failure. */
export class SuspendSignal {
  readonly question: Json
  /** For the tool itself, when it runs again. */
  readonly kept: Json | undefined
  constructor(question: Json, kept?: Json) {
    this.question = question
    this.kept = kept
  }
}

/** Thrown by `toolRunOf(context).suspend`: the calls that the tool made wait, the tool itself asks nothing. */
export class InsideSignal extends SuspendSignal {
  readonly journal: Json
  constructor(journal: Json) {
    super(null)
    this.journal = journal
  }
}

/** A registered symbol, so that a tool of one copy of the package finds the run of another. */
const RUN_CONTEXT: unique symbol = Symbol.for('toolwright.run-context') as never

/** The context as the run made it; undefined if somebody else did. */
export const runContextOf = (context: ToolContext): DefaultToolContext | undefined =>
  RUN_CONTEXT in context ? (context as DefaultToolContext) : undefined

export class DefaultToolContext implements ToolContext {
  readonly values: { readonly [key: string]: unknown }
  readonly callId: string
  readonly toolName: string
  readonly attempt: number
  readonly idempotencyKey: string
  readonly history?: readonly Message[]
  #controller: AbortController | undefined
  #asked = 0
  #suspended: SuspendSignal | undefined
  /** Undefined where a callback is called by hand. */
  readonly #outer: OuterRun | undefined

  constructor(parts: ToolContextParts) {
    const { values = NOTHING, callId = '', toolName, attempt = 1, history } = parts
    this.values = values
    this.callId = callId
    this.toolName = toolName
    this.attempt = attempt
    this.idempotencyKey = parts.idempotencyKey ?? callId
    this.history = history
    this.#outer = parts.outer
    Object.freeze(this)
  }

  get [RUN_CONTEXT](): true {
    return true
  }

  get signal(): AbortSignal {
    return this.#abortable().signal
  }

  /** A tool that caught the signal is suspended all the same. */
  get suspended(): SuspendSignal | undefined {
    return this.#suspended
  }

  get outer(): OuterRun | undefined {
    return this.#outer
  }

  // Each reading binds anew, so that a tool can destructure its context and one that does not pays nothing.
  get get(): (key: string) => unknown {
    return (key) => valueAt(this.values, [key])
  }

  get progress(): (value: unknown) => void {
    return (value) => this.#outer?.progress(value)
  }

  get suspend(): (question: Json) => Json {
    return (question) => this.#suspend(question)
  }

  /** Emits a notice. For code that wraps a tool. */
  notice(code: NoticeCode, message: string, data?: Json): void {
    this.#outer?.notice(code, message, data)
  }

  /** Leaves the tool and asks, whatever was asked before. For tools that read their answers from the run. */
  leaveWith(question: Json, kept?: Json): never {
    this.#suspended ??= new SuspendSignal(question, kept)
    throw this.#suspended
  }

  /** Leaves the tool until somebody has decided about the calls that it made. */
  leaveInside(journal: Json): never {
    this.#suspended ??= new InsideSignal(journal)
    throw this.#suspended
  }

  #suspend(question: Json): Json {
    // A tool that caught the signal and asks again still waits for its first open question.
    if (this.#suspended) throw this.#suspended
    const answer = this.#outer?.answers[this.#asked++]
    // A copy: the tool runs again from the start if it asks once more.
    if (answer !== undefined) return structuredClone(answer)
    this.#suspended = new SuspendSignal(question)
    throw this.#suspended
  }

  /** Called by the runner to stop the tool. */
  abort(reason: unknown): void {
    this.#abortable().abort(reason)
  }

  #abortable(): AbortController {
    return (this.#controller ??= new AbortController())
  }
}
