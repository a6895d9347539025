/**
 * Runs the calls of a solution without asking the model: for programs that look at what `requestAgent`
 * gave before they let it happen. The calls take the way of every other call.
 */
import { AgentError } from '../errors/errors.ts'
import type { Message, ToolResponse } from '../messages/message.ts'
import type { PendingCall, RunState } from '../messages/run-state.ts'
import type { AgentConfig } from './agent-config.ts'
import type { AgentMessage, Call } from './agent-message.ts'
import { checkedCalls, givenCalls } from './calls/given-calls.ts'
import { prepareRun } from './prepare-run.ts'
import { runDelegate } from './run-agent.ts'
import type { AgentSession } from './session/agent-session.ts'
import { normalCalls } from './turn/answer-calls.ts'

export interface CallsResult {
  /** The context at the end: the messages given, and what the calls appended. Give it to the next request. */
  readonly messages: readonly AgentMessage[]
  /** One for each call that has settled, in the order of the calls; failures have `isError`. */
  readonly responses: readonly ToolResponse[]
  /** Calls that wait for a decision. */
  readonly pending?: readonly PendingCall[]
  /**
   * Goes to `runCalls({ ...config, resume: { state, decisions } }, calls, context)`, with the same calls and
   * context.
   */
  readonly state?: RunState
}

/**
 * Runs calls through the executor of all tools: references, checks, policy, approval, limits, timeouts,
 * locks and events are those of `runAgent`. Tools are found in the context and in `config.tools`. A call
 * that fails has a response with `isError`; one that needs a decision is `pending`. Advisors are not asked,
 * since the model is not.
 *
 * @example
 * const { calls } = await requestAgent({ model }, output, context)
 * const { messages, responses } = await runCalls({ model }, calls, context)
 */
export async function runCalls(
  config: AgentConfig,
  calls: readonly Call[],
  context: readonly AgentMessage[],
): Promise<CallsResult> {
  const given = checkedCalls(calls)
  if (given.length === 0 && !config?.resume) return { messages: context, responses: [] }
  const { session, request } = await prepareRun(config, {
    where: 'runCalls()',
    output: undefined,
    context,
    answer: (started) => givenCalls(started, given),
    runSub: runDelegate,
  })
  if (config.resume) checkSame(session, given)
  const run = request.call()
  const { onEvent } = config
  if (onEvent) for await (const event of run) onEvent(event)
  const { pending, state, messages } = await run.result()
  return {
    messages: session.messages,
    responses: pending ? state!.answered : responsesIn(messages),
    ...(pending && { pending, state }),
  }
}

/** The results of the calls are the last tool message. */
const responsesIn = (messages: readonly Message[]): readonly ToolResponse[] =>
  messages.findLast((message) => message.role === 'tool')?.responses ?? []

/** Decisions about some calls must not let others happen. */
function checkSame(session: AgentSession, given: readonly Call[]): void {
  const { calls } = normalCalls(session.compose(), given)
  if (JSON.stringify(calls) === JSON.stringify(session.record.calls)) return
  throw new AgentError('agent-calls', 'The state is that of other calls than those given.')
}
