/** The options of the loop: where it stands, what it sends, and the hooks where a program may step in. */
import { ANY, FUNCTION, NUMBER, TRUTH, type Kinds } from '../schema/option-kinds.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { Message } from '../messages/message.ts'
import type { RunProgress } from '../messages/run-state.ts'
import type { AdvisedRequest, AdvisedResponse, LoopSettings } from './advisor.ts'

/** What the hooks can read: the run so far, as a value. */
export type LoopState = RunProgress

/** Whether a run has got what it was for. */
export type StopCondition = (state: LoopState) => boolean | Promise<boolean>

export interface ToolCallingAdvisorOptions extends LoopSettings {
  /** Default `ORDER.toolCalling`. */
  readonly order?: number
  /** Whether this response's calls are to be run. Default: when it has some. */
  readonly eligible?: (response: ChatResponse) => boolean
  /**
   * Ends the loop after tools have run, before the model is asked again. A normal end: status `done`, finish
   * reason `stop-condition`, and `content()` is the text of the last round. Ready-made: `afterRounds(n)`,
   * `onToolCall(name)`.
   */
  readonly stopWhen?: StopCondition
  /** Once per leg of a run; `phase` says which. May change what the loop works with. */
  readonly onLoopStart?: (
    request: AdvisedRequest,
  ) => AdvisedRequest | void | Promise<AdvisedRequest | void>
  /**
   * May change what this round sends: messages, options, the tools offered. A resume runs it for its open round too
   * (`phase` is `resume`), so that tools it adds can be approved.
   */
  readonly beforeRound?: (
    request: AdvisedRequest,
    state: LoopState,
  ) => AdvisedRequest | void | Promise<AdvisedRequest | void>
  /** After each model call, before its tools are run. */
  readonly afterRound?: (response: ChatResponse, state: LoopState) => void | Promise<void>
  /** What the conversation goes on with after tools have run; what it puts in stays. */
  readonly nextMessages?: (
    messages: readonly Message[],
    state: LoopState,
  ) => readonly Message[] | Promise<readonly Message[]>
  /** Once, at an answer, direct results, a limit or `stopWhen`; not at a suspension or an error. */
  readonly onLoopEnd?: (answer: AdvisedResponse) => void | Promise<void>
}

export const TOOL_CALLING_KINDS: Kinds<ToolCallingAdvisorOptions> = {
  manager: ANY,
  order: NUMBER,
  conversationHistory: TRUTH,
  streamToolCallResponses: TRUTH,
  eligible: FUNCTION,
  stopWhen: FUNCTION,
  onLoopStart: FUNCTION,
  beforeRound: FUNCTION,
  afterRound: FUNCTION,
  nextMessages: FUNCTION,
  onLoopEnd: FUNCTION,
}

export const TOOL_CALLING_OPTIONS = /* @__PURE__ */ Object.keys(
  TOOL_CALLING_KINDS,
) as readonly (keyof ToolCallingAdvisorOptions)[]
