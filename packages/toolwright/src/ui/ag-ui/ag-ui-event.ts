/** The events of AG-UI 1.0 that are sent, with the fields that they have. Read from `@ag-ui/core` 1.0.0. */
import type { Json, JsonObject } from '../../messages/json.ts'

interface OfMessage {
  readonly messageId: string
}
interface OfCall {
  readonly toolCallId: string
}

/** Events of a run inside a tool say so. */
export interface OfSubagent {
  readonly subagentRunId?: string
}

/** What happens in a run, or in one inside a tool. */
export type AgUiContentEvent =
  | ({ readonly type: 'TEXT_MESSAGE_START'; readonly role: 'assistant' } & OfMessage)
  | ({ readonly type: 'TEXT_MESSAGE_CONTENT'; readonly delta: string } & OfMessage)
  | ({ readonly type: 'TEXT_MESSAGE_END' } & OfMessage)
  | ({ readonly type: 'REASONING_START' | 'REASONING_END' } & OfMessage)
  | ({ readonly type: 'REASONING_MESSAGE_START'; readonly role: 'reasoning' } & OfMessage)
  | ({ readonly type: 'REASONING_MESSAGE_CONTENT'; readonly delta: string } & OfMessage)
  | ({ readonly type: 'REASONING_MESSAGE_END' } & OfMessage)
  | {
      readonly type: 'REASONING_ENCRYPTED_VALUE'
      readonly subtype: 'message'
      readonly entityId: string
      readonly encryptedValue: string
    }
  | ({
      readonly type: 'TOOL_CALL_START'
      readonly toolCallName: string
      readonly parentMessageId: string
    } & OfCall)
  | ({ readonly type: 'TOOL_CALL_ARGS'; readonly delta: string } & OfCall)
  | ({ readonly type: 'TOOL_CALL_END' } & OfCall)
  | ({
      readonly type: 'TOOL_CALL_RESULT'
      readonly content: string | readonly Json[]
      readonly role: 'tool'
      readonly metadata?: JsonObject
    } & OfMessage &
      OfCall)
  | ({
      readonly type: 'ACTIVITY_SNAPSHOT'
      readonly activityType: 'tool-progress'
      readonly content: JsonObject
      readonly replace: true
    } & OfMessage)
  | { readonly type: 'CUSTOM'; readonly name: string; readonly value: Json }
  | { readonly type: 'STEP_STARTED' | 'STEP_FINISHED'; readonly stepName: string }

/** How a run begins and ends, and runs inside tools. */
export type AgUiEvent =
  | AgUiContentEvent
  | ({ readonly type: 'RUN_STARTED'; readonly protocolVersion: '1.0' } & OfRun)
  | ({
      readonly type: 'RUN_FINISHED'
      readonly outcome: AgUiOutcome
      readonly usage?: readonly JsonObject[]
    } & OfRun)
  | { readonly type: 'RUN_ERROR'; readonly message: string; readonly code: string }
  | {
      readonly type: 'SUBAGENT_STARTED'
      readonly subagentRunId: string
      readonly name: string
      readonly parentToolCallId: string
      readonly parentSubagentRunId?: string
    }
  | { readonly type: 'SUBAGENT_FINISHED'; readonly subagentRunId: string }

export interface OfRun {
  readonly threadId: string
  readonly runId: string
}

export interface AgUiInterrupt {
  readonly id: string
  readonly reason: string
  readonly message?: string
  readonly toolCallId?: string
  readonly responseSchema?: JsonObject
  readonly metadata: JsonObject
}

export type AgUiOutcome =
  | { readonly type: 'success'; readonly pendingToolCallIds?: readonly string[] }
  | { readonly type: 'interrupt'; readonly interrupts: readonly AgUiInterrupt[] }
  | { readonly type: 'cancelled' }
