/**
 * The agent: asks the model, runs its calls, appends their results, until there is an output. It uses the
 * chat client's loop and adds what the protocol needs: turn/ before the model, calls/ before the tools.
 */
import type { AdvisedRequest } from '../loop/advisor.ts'
import { ChatClient } from '../client/chat-client.ts'
import type { RunResult } from '../client/advised-run.ts'
import { RunLimitError, RunSuspendedError, ToolExecutionError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import type { Json } from '../messages/json.ts'
import type { Label, Message } from '../messages/message.ts'
import { textOf } from '../messages/reading.ts'
import { settingsOf } from '../tool-calling/default-tool-calling-manager.ts'
import { runLabel } from '../tool-calling/run-label.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import { agentCallbacks } from './calls/agent-callbacks.ts'
import type { AgentConfig, AgentResult, OutputOf, OutputSource } from './agent-config.ts'
import { agentManager } from './calls/agent-manager.ts'
import type { AgentMessage } from './agent-message.ts'
import { agentStep } from './turn/agent-step.ts'
import type { AgentSession } from './session/agent-session.ts'
import { delegateRunner, type SubResult } from './calls/delegate.ts'
import {
  withConversationAndSignal,
  clientOptions,
  innerManager,
  startSession,
  withoutManagerOptions,
} from './session/start-session.ts'
import { resultOfRun } from './result-of-run.ts'
import { readOutput } from './turn/read-output.ts'
import { renderContext } from './context/render-context.ts'

const DEFAULT_TURNS = 10

/**
 * Runs an agent until it has an output. Rejects with `RunLimitError` when `maxTurns` or another limit ends
 * it first, and with `RunSuspendedError` when a call is pending: resume with the state of that error.
 *
 * @example
 * const { output } = await runAgent({ model }, z.object({ summary: z.string() }), [
 *   { type: 'tool', tool: { weatherCheck } },
 *   { type: 'text', text: 'What should I wear in Oslo?' },
 * ])
 */
export function runAgent<const Output extends OutputSource = undefined>(
  config: AgentConfig,
  output: Output,
  context: readonly AgentMessage[],
): Promise<AgentResult<OutputOf<Output>>> {
  const run = runWithin(config, { output, context, chain: [], label: undefined })
  return run.then(({ result }) => result as AgentResult<OutputOf<Output>>)
}

interface AgentRequest {
  readonly output: OutputSource
  readonly context: readonly AgentMessage[]
  /** The delegates that this run is inside of. */
  readonly chain: readonly string[]
  /** The label that those delegates have reached. */
  readonly label: Label | undefined
}

async function runWithin(
  config: AgentConfig,
  { output, context, chain, label }: AgentRequest,
): Promise<SubResult> {
  const { resume } = config
  const maxTurns = config.maxTurns === 'unlimited' ? Infinity : (config.maxTurns ?? DEFAULT_TURNS)
  const session = await startSession('runAgent()', config, { output, context })
  const inner = innerManager(config)
  const { resultBytes } = settingsOf(inner).limits
  // A delegate shares the manager, and with it the locks, the rates and the store of used states.
  const runSub = delegateRunner(chain, ({ config: subConfig, schema, ...sub }) =>
    runWithin({ ...withoutManagerOptions(subConfig), manager: inner }, { output: schema, ...sub }),
  )
  const callbacks = (): readonly ToolCallback[] =>
    session.callbacks((composed) => agentCallbacks(composed, session, runSub))
  const messages = withLabel(renderContext(session.entries), label)
  const client = ChatClient.create(config.model, {
    ...clientOptions(config),
    manager: agentManager(inner, session, maxTurns),
    advisors: [
      ...(config.advisors ?? []),
      agentStep(session, { maxTurns, checkCalls: false, resultBytes }),
    ],
    toolCalling: {
      onLoopStart: (request) => keepRecord(session, request, messages),
      // A call may append tool definitions, so each round offers the current tools.
      beforeRound: (request) => withTools(request, callbacks()),
      stopWhen: () => session.record.output !== null,
    },
  })
  const request = resume ? client.resume(resume.state, resume.decisions) : client.prompt(messages)
  const run = withConversationAndSignal(request.tools(...callbacks()), config).call()
  const result = await resultOfRun(run, config)
  return { result: await agentResult(session, result), label: runLabel(result.messages) }
}

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

async function agentResult(session: AgentSession, result: RunResult): Promise<AgentResult> {
  const { record, messages } = session
  if (result.status === 'suspended') throw new RunSuspendedError(result)
  const isDirect = result.response.results[0]?.finishReason === 'return-direct'
  if (record.output === null && result.status === 'limit') throw limitError(result)
  return {
    output: isDirect
      ? await directOutput(session, result)
      : await readOutput(session, record.output),
    calls: record.calls,
    meta: record.meta,
    messages,
    turns: result.rounds.length,
    errors: record.errors,
    usage: result.response.usage,
  }
}

function limitError(result: RunResult): RunLimitError {
  const limit = String(result.response.results[0]?.metadata.limit ?? 'limit')
  const turns = result.rounds.length
  const [name, reason] =
    limit === 'rounds'
      ? ['maxTurns', `within maxTurns = ${turns}`]
      : [limit, `before ${limit} ended it`]
  return new RunLimitError(name, `The agent gave no output ${reason}.`, { result })
}

/** The result of a return-direct tool as the output. It must fit the output schema. */
async function directOutput(session: AgentSession, { response }: RunResult): Promise<unknown> {
  const text = textOf(response)
  if (session.settings.output === undefined) return null
  try {
    return await readOutput(session, jsonOrText(text))
  } catch (cause) {
    const toolName = String(response.results[0]!.metadata.toolName)
    const message = `its result is to be the output: ${messageOfThrown(cause)}`
    throw new ToolExecutionError(message, { toolName, code: 'tool-output', cause })
  }
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
