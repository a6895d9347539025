/**
 * Prepares a run of an agent: its session, and a request to the chat client whose loop runs it. Every way
 * to run an agent starts here, so its calls reach a tool through one manager only.
 */
import { ChatClient } from '../client/chat-client.ts'
import type { ChatRequest } from '../client/chat-request.ts'
import { asInnerRun } from '../internal/inner-run.ts'
import type { AdvisedRequest, Advisor } from '../loop/advisor.ts'
import type { Json } from '../messages/json.ts'
import type { Label, Message } from '../messages/message.ts'
import { settingsOf } from '../tool-calling/default-tool-calling-manager.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { AgentConfig, OutputSource } from './agent-config.ts'
import type { AgentMessage } from './agent-message.ts'
import { agentCallbacks } from './calls/agent-callbacks.ts'
import { agentManager } from './calls/agent-manager.ts'
import { delegateRunner, type RunSubRequest } from './calls/delegate.ts'
import { renderContext } from './context/render-context.ts'
import type { AgentSession } from './session/agent-session.ts'
import {
  clientOptions,
  innerManager,
  startSession,
  withConversationAndSignal,
  withoutManagerOptions,
} from './session/start-session.ts'
import { agentStep } from './turn/agent-step.ts'

const DEFAULT_TURNS = 10

export interface RunTask {
  /** What the caller called, for errors. */
  readonly where: string
  readonly output: OutputSource
  readonly context: readonly AgentMessage[]
  /** The delegates that this run is inside of. */
  readonly chain?: readonly string[]
  /** The label that those delegates have reached. */
  readonly label?: Label | undefined
  /** Answers in place of the model; the run then ends when the answer's calls have run. */
  readonly answer?: (session: AgentSession) => Advisor
  /** Runs a delegate. */
  readonly runSub: RunSubRequest
}

export interface PreparedRun {
  readonly session: AgentSession
  readonly request: ChatRequest
}

export async function prepareRun(config: AgentConfig, task: RunTask): Promise<PreparedRun> {
  const { where, output, context, chain = [], label, answer } = task
  const session = await startSession(where, config, { output, context })
  const { resume } = config
  const maxTurns = config.maxTurns === 'unlimited' ? Infinity : (config.maxTurns ?? DEFAULT_TURNS)
  const inner = innerManager(config)
  const { resultBytes } = settingsOf(inner).limits
  // A delegate shares the manager, and with it the locks, the rates and the store of used states.
  const runDelegate = delegateRunner(chain, (sub) =>
    task.runSub({ ...sub, config: { ...withoutManagerOptions(sub.config), manager: inner } }),
  )
  const callbacks = (): readonly ToolCallback[] =>
    session.callbacks((composed) => agentCallbacks(composed, session, runDelegate))
  const messages = withLabel(renderContext(session.entries), label)
  const client = ChatClient.create(config.model, {
    ...clientOptions(config),
    manager: agentManager(inner, session, maxTurns),
    // Advisors are about asking the model, which a given answer does not.
    advisors: answer
      ? [answer(session)]
      : [
          ...(config.advisors ?? []),
          agentStep(session, { maxTurns, checkCalls: false, resultBytes }),
        ],
    toolCalling: {
      onLoopStart: (request) => keepRecord(session, request, messages),
      // A call may append tool definitions, so each round offers the current tools.
      beforeRound: (request) => withTools(request, callbacks()),
      stopWhen: () => answer !== undefined || session.record.output !== null,
    },
  })
  const request = resume
    ? client.resume(resume.state, resume.decisions)
    : client.prompt(answer ? asked(messages) : messages)
  const offering = request.tools(...callbacks())
  // What a delegate asks becomes a question of the run it is inside of.
  const placed = chain.length > 0 ? asInnerRun(offering) : offering
  return { session, request: withConversationAndSignal(placed, config) }
}

/** A client wants a question, even if a given answer is all that there is. */
const asked = (messages: readonly Message[]): readonly Message[] =>
  messages.some(({ role }) => role !== 'system')
    ? messages
    : [...messages, { role: 'user', content: 'Run the calls.' }]

/** Puts the label on the last message; the run then starts with it as its high-water mark. */
const withLabel = (messages: readonly Message[], label: Label | undefined): readonly Message[] =>
  label
    ? messages.map((each, index) => (index < messages.length - 1 ? each : { ...each, label }))
    : messages

const withTools = (request: AdvisedRequest, tools: readonly ToolCallback[]): AdvisedRequest =>
  request.prompt.options?.tools === tools
    ? request
    : { ...request, prompt: { ...request.prompt, options: { ...request.prompt.options, tools } } }

/** Keeps the record in the run's context, so a suspended state contains it. */
function keepRecord(
  session: AgentSession,
  request: AdvisedRequest,
  contextMessages: readonly Message[],
): void {
  const { record } = session
  record.before ??= request.prompt.messages.filter((message) => !contextMessages.includes(message))
  request.context.agent = record as unknown as Json
}
