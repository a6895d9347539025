/**
 * The events of a run, in order. `call()` and `stream()` emit the same events, except for the deltas, which
 * only a stream has.
 */
import type { ChatResponse } from './chat-response.ts'
import type { Json } from './json.ts'
import type {
  Label,
  MediaPart,
  ProviderPart,
  ReasoningPart,
  ToolCall,
  ToolResponse,
} from './message.ts'
import type { PendingCall, RunState } from './run-state.ts'

/** Where an event belongs. The loop sets these fields; a model's own exchange leaves them out. */
export interface EventOrigin {
  readonly runId?: string
  /** The tool call that started this run, if it runs inside one. */
  readonly parentCallId?: string
  /** The model call that the event belongs to, counted from 1. */
  readonly round?: number
}

export type ChatEvent = EventOrigin &
  (
    | { readonly type: 'text-delta'; readonly text: string }
    | { readonly type: 'reasoning-delta'; readonly text: string }
    | { readonly type: 'tool-call-start'; readonly id: string; readonly name: string }
    | { readonly type: 'tool-call-delta'; readonly id: string; readonly delta: string }
    /** A complete call, as the model sent it. */
    | { readonly type: 'tool-call'; readonly toolCall: ToolCall }
    | { readonly type: 'part'; readonly part: MediaPart | ProviderPart | ReasoningPart }
    /** The call passed every check and starts now. `input` is what the tool gets. */
    | {
        readonly type: 'tool-execution-start'
        readonly toolCall: ToolCall
        readonly input: unknown
      }
    | {
        readonly type: 'tool-progress'
        readonly toolCall: ToolCall
        readonly progress: unknown
        /** That of the tool's results, where they have one. */
        readonly label?: Label
      }
    /** `value` is what the tool returned, for the application. The model gets `response`. */
    | {
        readonly type: 'tool-result'
        readonly toolCall: ToolCall
        readonly response: ToolResponse
        readonly value?: unknown
      }
    | {
        readonly type: 'suspended'
        readonly pending: readonly PendingCall[]
        readonly state: RunState
      }
    /** Something worth knowing that is not an error. */
    | {
        readonly type: 'notice'
        readonly code: string
        readonly message: string
        readonly data?: Json
      }
    | { readonly type: 'round-end'; readonly response: ChatResponse }
    /** The last event, exactly once. Errors reject instead. */
    | { readonly type: 'response'; readonly response: ChatResponse }
  )

/** Takes an event on its way from whoever made it to the run's readers. */
export type EmitEvent = (event: ChatEvent) => void
