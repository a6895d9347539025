/**
 * The error classes, one for each kind of fault, all of one family tree. What happened is in the
 * message, what to do next comes from the catalogue, and the facts are fields.
 */
import type { ChatResponse } from '../messages/chat-response.ts'
import type { Message } from '../messages/message.ts'
import type { PendingCall, RunState } from '../messages/run-state.ts'
import { describeIssue, type Issue } from '../schema/issue.ts'
import { CATALOGUE, type ErrorCode, type ErrorFamily } from './catalogue.ts'

const BRAND: unique symbol = Symbol.for('toolwright.error') as never

export interface ErrorDetails {
  readonly cause?: unknown
  readonly retryable?: boolean
}

/** The base of every error that toolwright throws. */
export class ToolwrightError extends Error {
  readonly code: ErrorCode
  /** Trying the same again may help. */
  readonly retryable: boolean
  readonly [BRAND] = true

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(
      `${message} ${CATALOGUE[code].nextStep}`,
      'cause' in details ? { cause: details.cause } : undefined,
    )
    this.name = new.target.name
    this.code = code
    this.retryable = details.retryable ?? false
  }

  get family(): ErrorFamily {
    return CATALOGUE[this.code].family
  }

  /** Also true for errors of another copy of the package. */
  static is(x: unknown): x is ToolwrightError {
    return typeof x === 'object' && x !== null && BRAND in x
  }
}

/** The program is wrong. */
export class ConfigurationError extends ToolwrightError {}

/** A suspended run cannot be resumed like this; its state is not used up. */
export class ResumeError extends ToolwrightError {}

/** The model's answer cannot be used. `partial` holds the text that did arrive. */
export class ModelResponseError extends ToolwrightError {
  readonly partial: string | undefined
  constructor(
    code: ErrorCode,
    message: string,
    details: ErrorDetails & { readonly partial?: string } = {},
  ) {
    super(code, message, details)
    this.partial = details.partial
  }
}

export interface ProviderErrorDetails extends ErrorDetails {
  readonly provider: string
  readonly status?: number
  /** The start of the answer, redacted. */
  readonly body?: string
  readonly retryAfterMs?: number
}

/** The provider refused, failed or could not be reached. */
export class ProviderError extends ToolwrightError {
  readonly provider: string
  readonly status: number | undefined
  readonly body: string | undefined
  readonly retryAfterMs: number | undefined
  constructor(code: ErrorCode, message: string, details: ProviderErrorDetails) {
    super(code, message, details)
    this.provider = details.provider
    this.status = details.status
    this.body = details.body
    this.retryAfterMs = details.retryAfterMs
  }
}

export interface ToolErrorDetails extends ErrorDetails {
  readonly toolName: string
  readonly callId?: string
}

/** A tool threw; `cause` is what it threw. Its message, redacted, is what the model is told by default. */
export class ToolExecutionError extends ToolwrightError {
  readonly toolName: string
  readonly callId: string | undefined
  /** The tool's own words, without our sentence around them. */
  readonly toolMessage: string
  constructor(toolMessage: string, details: ToolErrorDetails & { readonly code?: ErrorCode }) {
    super(
      details.code ?? 'tool-execution',
      `Tool "${details.toolName}" failed: ${toolMessage}`,
      details,
    )
    this.toolName = details.toolName
    this.callId = details.callId
    this.toolMessage = toolMessage
  }

  /** Never wraps twice. */
  static wrap(thrown: unknown, details: ToolErrorDetails, message: string): ToolExecutionError {
    if (thrown instanceof ToolExecutionError) return thrown
    return new ToolExecutionError(message, { ...details, cause: thrown })
  }
}

/** A tool did not settle in time. */
export class ToolTimeoutError extends ToolExecutionError {
  constructor(timeoutMs: number, details: ToolErrorDetails) {
    super(`no result within ${timeoutMs} ms`, { ...details, code: 'tool-timeout', retryable: true })
  }
}

/** Arguments do not fit the tool's schema. */
export class ToolInputError extends ToolwrightError {
  readonly toolName: string
  readonly issues: readonly Issue[]
  constructor(toolName: string, issues: readonly Issue[], details: ErrorDetails = {}) {
    super(
      'tool-input',
      `Invalid arguments for tool "${toolName}": ${issues.map(describeIssue).join('; ')}.`,
      details,
    )
    this.toolName = toolName
    this.issues = issues
  }
}

/** What a run obtained before it ended without an answer. */
export interface UnfinishedResult {
  readonly status: 'suspended' | 'limit' | 'done'
  readonly response: ChatResponse
  readonly messages: readonly Message[]
  readonly rounds: readonly ChatResponse[]
  readonly pending?: readonly PendingCall[]
  readonly state?: RunState
}

/** A limit ended the run. */
export class RunLimitError extends ToolwrightError {
  readonly limit: string
  readonly result: UnfinishedResult | undefined
  constructor(
    limit: string,
    message: string,
    details: ErrorDetails & { readonly result?: UnfinishedResult } = {},
  ) {
    super('run-limit', message, details)
    this.limit = limit
    this.result = details.result
  }
}

/** The run waits for decisions, so there is no answer yet. */
export class RunSuspendedError extends ToolwrightError {
  readonly result: UnfinishedResult
  constructor(result: UnfinishedResult) {
    const waiting = (result.pending ?? [])
      .map((call) => `${call.toolName} (${call.kind}, ${call.callId})`)
      .join(', ')
    super('run-suspended', `The run is suspended and waits for: ${waiting}.`)
    this.result = result
  }
}

/** Nobody reads the run any more, so it was stopped. */
export class RunAbandonedError extends ToolwrightError {
  constructor() {
    super('run-abandoned', 'The only reader of this run left, so it was aborted.')
  }
}

/** An invariant of toolwright itself does not hold. */
export class InternalError extends ToolwrightError {
  constructor(message: string) {
    super('internal', message)
  }
}
