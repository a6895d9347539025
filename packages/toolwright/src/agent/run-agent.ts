/**
 * An agent: asks the model, runs its calls, appends what they gave, until there is an output. The loop is
 * the chat client's own; what is particular to the protocol stands around it (turn/ before the model,
 * calls/ before the tools).
 */
import type { AdvisedRequest } from '../advisors/advisor.ts'
import { ChatClient } from '../client/chat-client.ts'
import type { RunResult } from '../client/advised-run.ts'
import type { CallRun } from '../client/call-run.ts'
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
  asked,
  clientOptions,
  innerManager,
  startSession,
  withoutManagerOptions,
} from './session/start-session.ts'
import { readOutput } from './turn/read-output.ts'
import { renderContext } from './context/render-context.ts'

const DEFAULT_TURNS = 10

/**
 * Runs an agent to its output. Rejects with `RunLimitError` when `maxTurns` or another limit ended it
 * before, and with `RunSuspendedError` when a call waits for somebody: resume with the state it holds.
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
  /** The delegates it runs inside of. */
  readonly chain: readonly string[]
  /** What those have met. */
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
  // A delegate shares the manager: its locks, its rates, its store of used states.
  const runSub = delegateRunner(chain, ({ config: own, schema, ...sub }) =>
    runWithin({ ...withoutManagerOptions(own), manager: inner }, { output: schema, ...sub }),
  )
  const callbacks = (): readonly ToolCallback[] =>
    session.callbacks((composed) => agentCallbacks(composed, session, runSub))
  const messages = labelled(renderContext(session.entries), label)
  const client = ChatClient.create(config.model, {
    ...clientOptions(config),
    manager: agentManager(inner, session, maxTurns),
    advisors: [
      ...(config.advisors ?? []),
      agentStep(session, { maxTurns, checkCalls: false, resultBytes }),
    ],
    toolCalling: {
      onLoopStart: (request) => keepRecord(session, request, messages),
      // What a call appends may define tools, so each round offers what there is now.
      beforeRound: (request) => withTools(request, callbacks()),
      stopWhen: () => session.record.output !== null,
    },
  })
  const request = resume ? client.resume(resume.state, resume.decisions) : client.prompt(messages)
  const run = asked(request.tools(...callbacks()), config).call()
  const result = await resultOf(run, config)
  return { result: await finished(session, result), label: runLabel(result.messages) }
}

/** Where a label is known, the last message carries it: a run keeps the high-water mark. */
const labelled = (messages: readonly Message[], label: Label | undefined): readonly Message[] =>
  label
    ? messages.map((each, index) => (index < messages.length - 1 ? each : { ...each, label }))
    : messages

const withTools = (request: AdvisedRequest, tools: readonly ToolCallback[]): AdvisedRequest =>
  request.prompt.options?.tools === tools
    ? request
    : { ...request, prompt: { ...request.prompt, options: { ...request.prompt.options, tools } } }

/** The record travels in the run's own context, and with it in a suspended state. */
function keepRecord(
  session: AgentSession,
  request: AdvisedRequest,
  given: readonly Message[],
): void {
  const { record } = session
  record.before ??= request.prompt.messages.filter((message) => !given.includes(message))
  request.context.agent = record as unknown as Json
}

async function resultOf(run: CallRun, { onEvent }: AgentConfig): Promise<RunResult> {
  if (onEvent) for await (const event of run) onEvent(event)
  return run.result()
}

async function finished(session: AgentSession, result: RunResult): Promise<AgentResult> {
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
  const [name, how] =
    limit === 'rounds'
      ? ['maxTurns', `within maxTurns = ${turns}`]
      : [limit, `before ${limit} ended it`]
  return new RunLimitError(name, `The agent gave no output ${how}.`, { result })
}

/** What a tool gave that is to be the answer; it has to be what was asked for. */
async function directOutput(session: AgentSession, { response }: RunResult): Promise<unknown> {
  const text = textOf(response)
  if (session.settings.output === undefined) return null
  try {
    return await readOutput(session, jsonOr(text))
  } catch (cause) {
    const toolName = String(response.results[0]!.metadata.toolName)
    const message = `its result is to be the output: ${messageOfThrown(cause)}`
    throw new ToolExecutionError(message, { toolName, code: 'tool-output', cause })
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
