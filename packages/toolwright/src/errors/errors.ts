/**
 * The error classes, one for each kind of fault, all of one family tree. What happened is in the
 * message, what to do next comes from the catalogue, and the facts are fields.
 */
import type { ChatResponse } from '../messages/chat-response.ts'
import type { Message } from '../messages/message.ts'
import type { PendingCall, RunState } from '../messages/run-state.ts'
import { describeIssue, type Issue } from './issue.ts'
import {
  ADVISOR_ERRORS,
  AGENT_ERRORS,
  CALLER_ERRORS,
  CASSETTE_ERRORS,
  DATABASE_ERRORS,
  DURABILITY_ERRORS,
  DURABLE_CALLER_ERRORS,
  LIMIT_ERRORS,
  MCP_ERRORS,
  MODEL_ERRORS,
  PAGE_ERRORS,
  PROVIDER_ERRORS,
  TOOL_ERRORS,
  TRACE_ERRORS,
  type AdvisorErrorCode,
  type AgentErrorCode,
  type CallerErrorCode,
  type CassetteErrorCode,
  type DatabaseErrorCode,
  type DurabilityErrorCode,
  type ErrorCode,
  type ErrorFamily,
  type LimitErrorCode,
  type McpErrorCode,
  type ModelErrorCode,
  type PageErrorCode,
  type ProviderErrorCode,
  type ToolErrorCode,
  type TraceErrorCode,
} from './catalogue.ts'

const BRAND: unique symbol = Symbol.for('toolwright.error') as never

export interface ErrorDetails {
  readonly cause?: unknown
  readonly retryable?: boolean
}

/** The base of every error that toolwright throws. What else an error knows are fields of its own. */
export abstract class ToolwrightError extends Error {
  /** Whose fault it is. */
  abstract readonly family: ErrorFamily
  declare readonly code: ErrorCode
  /** Trying the same again may help. */
  readonly retryable: boolean = false
  readonly [BRAND] = true

  constructor(message: string, { cause, ...fields }: ErrorDetails & { readonly code: ErrorCode }) {
    super(message, cause === undefined ? undefined : { cause })
    Object.assign(this, fields)
  }

  /** Also true for errors of another copy of the package. */
  static is(x: unknown): x is ToolwrightError {
    return typeof x === 'object' && x !== null && BRAND in x
  }
}

/** The program is wrong. */
export class ConfigurationError extends ToolwrightError {
  override name = 'ConfigurationError'
  readonly family = 'caller'
  constructor(code: CallerErrorCode, message: string, details?: ErrorDetails) {
    super(`${message} ${CALLER_ERRORS[code]}`, { ...details, code })
  }
}

export interface ResumeErrorDetails extends ErrorDetails {
  readonly callId?: string
  readonly issues?: readonly Issue[]
}

/** A suspended run cannot be resumed like this; its state is not used up. */
export class ResumeError extends ConfigurationError {
  override name = 'ResumeError'
  /** The call whose decision is at fault. */
  declare readonly callId: string | undefined
  /** What does not fit in what was given for it: in the edited input, or in the result. */
  declare readonly issues: readonly Issue[] | undefined
  constructor(code: CallerErrorCode, message: string, details?: ResumeErrorDetails) {
    super(code, message, details)
  }
}

/** An agent's tools, context, activities or delegates are wrong. */
export class AgentError extends ToolwrightError {
  override name = 'AgentError'
  readonly family = 'caller'
  constructor(code: AgentErrorCode, message: string, details?: ErrorDetails) {
    super(`${message} ${AGENT_ERRORS[code]}`, { ...details, code })
  }
}

/** An advisor does not keep the contract of advisors. */
export class AdvisorError extends ToolwrightError {
  override name = 'AdvisorError'
  readonly family = 'caller'
  /** The `name` of the advisor that is at fault. */
  declare readonly advisorName: string
  /** `what` continues the sentence `Advisor "name" …`, without a full stop. */
  constructor(
    code: AdvisorErrorCode,
    what: string,
    details: ErrorDetails & { readonly advisorName: string },
  ) {
    super(`Advisor "${details.advisorName}" ${what}. ${ADVISOR_ERRORS[code]}`, { ...details, code })
  }
}

export interface ModelResponseErrorDetails extends ErrorDetails {
  readonly partial?: string
  readonly refusal?: string
  readonly issues?: readonly Issue[]
  readonly result?: UnfinishedResult
}

/** The model's answer cannot be used. */
export class ModelResponseError extends ToolwrightError {
  override name = 'ModelResponseError'
  readonly family = 'model'
  /** The text that did arrive. */
  declare readonly partial: string | undefined
  /** Why the model refused, in its own words; empty when it gave none. Only with code `refused`. */
  declare readonly refusal: string | undefined
  /** What does not fit, when an answer was to have a schema. */
  declare readonly issues: readonly Issue[] | undefined
  /** The run that ended with this answer. */
  declare readonly result: UnfinishedResult | undefined
  constructor(code: ModelErrorCode, message: string, details?: ModelResponseErrorDetails) {
    super(`${message} ${MODEL_ERRORS[code]}`, { ...details, code })
  }
}

export interface ProviderErrorDetails extends ErrorDetails {
  readonly provider: string
  readonly status?: number
  /** The start of the answer, redacted. */
  readonly body?: string
  /** How the provider calls the request; its support asks for it. */
  readonly requestId?: string
  /** How long the provider asks to wait. */
  readonly retryAfterMs?: number
}

/** The provider refused, failed or could not be reached. */
export class ProviderError extends ToolwrightError {
  override name = 'ProviderError'
  readonly family = 'outside'
  declare readonly provider: string
  declare readonly status: number | undefined
  declare readonly body: string | undefined
  declare readonly requestId: string | undefined
  declare readonly retryAfterMs: number | undefined
  constructor(code: ProviderErrorCode, message: string, details: ProviderErrorDetails) {
    super(`${message} ${PROVIDER_ERRORS[code]}`, { ...details, code })
  }
}

export interface ToolErrorDetails extends ErrorDetails {
  readonly toolName: string
  readonly callId?: string
}

/** A tool threw; `cause` is what it threw. Its message, redacted, is what the model is told by default. */
export class ToolExecutionError extends ToolwrightError {
  override name = 'ToolExecutionError'
  readonly family = 'outside'
  declare readonly toolName: string
  declare readonly callId: string | undefined
  /** The tool's own words, without our sentence around them. */
  readonly toolMessage: string
  constructor(toolMessage: string, details: ToolErrorDetails & { readonly code?: ToolErrorCode }) {
    const { toolName, code = 'tool-execution' } = details
    super(`Tool "${toolName}" failed: ${toolMessage} ${TOOL_ERRORS[code]}`, { ...details, code })
    this.toolMessage = toolMessage
  }

  /** Never wraps twice. */
  static wrap(
    cause: unknown,
    details: ToolErrorDetails & { readonly code?: ToolErrorCode },
    message: string,
  ): ToolExecutionError {
    if (cause instanceof ToolExecutionError) return cause
    return new ToolExecutionError(message, { ...details, cause })
  }
}

/** A tool did not settle in time. */
export class ToolTimeoutError extends ToolExecutionError {
  override name = 'ToolTimeoutError'
  /** `what` says what was missing. */
  constructor(timeoutMs: number, details: ToolErrorDetails, what = 'no result') {
    super(`${what} within ${timeoutMs} ms`, { ...details, code: 'tool-timeout', retryable: true })
  }
}

/** Arguments do not fit the tool's schema. */
export class ToolInputError extends ToolwrightError {
  override name = 'ToolInputError'
  readonly family = 'outside'
  readonly toolName: string
  readonly issues: readonly Issue[]
  constructor(toolName: string, issues: readonly Issue[], details?: ErrorDetails) {
    const code = 'tool-input'
    const problems = issues.map(describeIssue).join('; ')
    super(`Invalid arguments for tool "${toolName}": ${problems}. ${TOOL_ERRORS[code]}`, {
      ...details,
      code,
    })
    this.toolName = toolName
    this.issues = issues
  }
}

/** Whoever was asked for tools, a provider, a resolver or a factory, threw; `cause` is what it threw. */
export class ToolSourceError extends ToolwrightError {
  override name = 'ToolSourceError'
  readonly family = 'outside'
  constructor(message: string, details: ErrorDetails) {
    const code = 'tool-source'
    super(`${message}. ${TOOL_ERRORS[code]}`, { ...details, code })
  }
}

/** A database that keeps conversations and runs failed; `cause` is what its driver threw. */
export class DatabaseError extends ToolwrightError {
  override name = 'DatabaseError'
  readonly family = 'outside'
  constructor(code: DatabaseErrorCode, message: string, details?: ErrorDetails) {
    super(`${message} ${DATABASE_ERRORS[code]}`, { ...details, code })
  }
}

/** A durable run cannot go on, or cannot be asked for what it was asked for. */
export class DurabilityError extends ToolwrightError {
  override name = 'DurabilityError'
  readonly family: ErrorFamily
  /** The run that it is about, where there is one. */
  declare readonly runId: string | undefined
  constructor(
    code: DurabilityErrorCode,
    message: string,
    details?: ErrorDetails & { readonly runId?: string },
  ) {
    const table: { readonly [code: string]: string } = {
      ...DURABILITY_ERRORS,
      ...DURABLE_CALLER_ERRORS,
    }
    super(`${message} ${table[code]}`, { ...details, code })
    this.family = code in DURABLE_CALLER_ERRORS ? 'caller' : 'outside'
  }
}

/** A server of tools (MCP) failed, or could not be asked; `cause` is what the SDK threw. */
export class McpError extends ToolwrightError {
  override name = 'McpError'
  readonly family = 'outside'
  /** What the server is called here. */
  declare readonly server: string | undefined
  /** The code of the JSON-RPC error that the server answered with, where it did. */
  declare readonly rpcCode: number | undefined
  constructor(
    code: McpErrorCode,
    message: string,
    details?: ErrorDetails & { readonly server?: string; readonly rpcCode?: number },
  ) {
    super(`${message} ${MCP_ERRORS[code]}`, { ...details, code })
  }
}

/** One place at which two JSON values differ. */
export interface JsonDifference {
  /** Where it is: `$.messages[2].content`. */
  readonly path: string
  /** The value there in the file, as JSON text; undefined: there is none. */
  readonly recorded?: string
  /** The value there now. */
  readonly received?: string
}

/** A cassette cannot be used, or holds another conversation than the one that is had. */
export class CassetteError extends ToolwrightError {
  override name = 'CassetteError'
  readonly family = 'caller'
  /** The file, as it was named. */
  declare readonly file: string
  /** Everything that differs, in the order of the request, whole. Only with code `cassette-mismatch`; it is not enumerable. */
  declare readonly differences: readonly JsonDifference[] | undefined
  constructor(
    code: CassetteErrorCode,
    message: string,
    details: ErrorDetails & {
      readonly file: string
      readonly differences?: readonly JsonDifference[]
    },
  ) {
    // What to do stands by itself under a list of differences.
    const space = message.includes('\n') ? '\n' : ' '
    super(`${message}${space}${CASSETTE_ERRORS[code]}`, { ...details, code })
    // The message shows them cut; Node and test runners print whatever is enumerable beside it.
    if (this.differences) Object.defineProperty(this, 'differences', { enumerable: false })
  }
}

/** A trace file cannot be written or read. */
export class TraceError extends ToolwrightError {
  override name = 'TraceError'
  readonly family = 'outside'
  constructor(code: TraceErrorCode, message: string, details?: ErrorDetails) {
    super(`${message} ${TRACE_ERRORS[code]}`, { ...details, code })
  }
}

/** What a page sent cannot be taken. */
export class PageError extends ToolwrightError {
  override name = 'PageError'
  readonly family = 'outside'
  /** The HTTP status that says so. */
  declare readonly status: 400 | 409 | 413
  constructor(code: PageErrorCode, message: string, details?: ErrorDetails) {
    super(`${message} ${PAGE_ERRORS[code]}`, { ...details, code })
    this.status = PAGE_STATUS[code] ?? 400
  }
}

const PAGE_STATUS: { readonly [code: string]: 409 | 413 } = {
  'page-too-large': 413,
  'page-decision': 409,
  'page-busy': 409,
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

/** The run ended without an answer. */
abstract class RunEndedError extends ToolwrightError {
  readonly family = 'limits'
  declare readonly result: UnfinishedResult | undefined
  constructor(
    code: LimitErrorCode,
    message: string,
    details?: ErrorDetails & { readonly result?: UnfinishedResult },
  ) {
    super(`${message} ${LIMIT_ERRORS[code]}`, { ...details, code })
  }
}

/** A limit ended the run. */
export class RunLimitError extends RunEndedError {
  override name = 'RunLimitError'
  readonly limit: string
  constructor(
    limit: string,
    message: string,
    details?: ErrorDetails & { readonly result?: UnfinishedResult },
  ) {
    super('run-limit', message, details)
    this.limit = limit
  }
}

/** The run waits for decisions, so there is no answer yet. */
export class RunSuspendedError extends RunEndedError {
  override name = 'RunSuspendedError'
  declare readonly result: UnfinishedResult
  constructor(result: UnfinishedResult) {
    const waiting = (result.pending ?? [])
      .map((call) => `${call.toolName} (${call.kind}, ${call.callId})`)
      .join(', ')
    super('run-suspended', `The run is suspended and waits for: ${waiting}.`, { result })
  }
}

/** Nobody reads the run any more, so it was stopped. */
export class RunAbandonedError extends RunEndedError {
  override name = 'RunAbandonedError'
  constructor() {
    super('run-abandoned', 'The only reader of this run left, so it was aborted.')
  }
}
