/**
 * Runs a tool by a request of its own, in isolation. The request gets the saved context, the messages that
 * the tool's scopes allow, and the call's parameters; only its output comes back.
 */
import { AgentError, RunSuspendedError } from '../../errors/errors.ts'
import { didYouMean } from '../../internal/nearest-names.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { Label } from '../../messages/message.ts'
import type { Decisions } from '../../messages/run-state.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { runContextOf } from '../../tools/default-tool-context.ts'
import type { ToolContext } from '../../tools/tool-context.ts'
import type { AgentConfig, AgentResult } from '../agent-config.ts'
import type { AgentMessage, Call, InputMessage, SavedRequest } from '../agent-message.ts'
import { checkSavedRequest } from '../registry/agent-registry.ts'
import type { AgentSession } from '../session/agent-session.ts'
import type { ComposedTool } from '../compose/composed.ts'
import { collectTools } from '../compose/collect-tools.ts'
import { readContext } from '../context/read-message.ts'
import { parametersOf, outputOf } from '../registry/tool-spec.ts'

export interface DelegatedCall {
  readonly tool: ComposedTool
  readonly call: Call
  readonly session: AgentSession
  readonly run: ToolContext
}

export type RunDelegate = (delegated: DelegatedCall) => Promise<unknown>

export interface SubRequest {
  readonly config: AgentConfig
  readonly schema: JsonSchema
  readonly context: readonly AgentMessage[]
  /** The delegates that this request runs inside of, outermost first, ending with its own. */
  readonly chain: readonly string[]
  /** The label of the parent's run. The parameters carry it into the delegate. */
  readonly label: Label | undefined
  /** Told the label that the delegate's own run has reached. Its output carries it back, or its failure. */
  met(label: Label): void
}

/** Runs a delegate as an agent within this one. */
export type RunSubRequest = (request: SubRequest) => Promise<AgentResult>

const ANONYMOUS = 'anonymous'
const DEFAULT_DEPTH = 5

export function delegateRunner(chain: readonly string[], runSub: RunSubRequest): RunDelegate {
  return async (delegated) => {
    const { session } = delegated
    try {
      const request = await subRequest(delegated, chain)
      return await runOrWait(delegated, request, runSub)
    } catch (error) {
      // Only the program's author can correct these errors, so the run ends and the model is not told.
      if (error instanceof AgentError) session.fault ??= { error }
      throw error
    }
  }
}

async function subRequest(
  { tool, call, session, run }: DelegatedCall,
  chain: readonly string[],
): Promise<SubRequest> {
  const { spec } = tool
  const reference = spec.delegate!
  const innerChain = [...chain, reference]
  const { config } = session.settings
  const { maxDelegateDepth = DEFAULT_DEPTH } = config
  if (innerChain.length > maxDelegateDepth)
    throw new AgentError(
      'agent-delegate-cycle',
      `There are more than ${maxDelegateDepth} delegates within each other: ${innerChain.join(' → ')}.`,
    )
  const saved =
    reference === ANONYMOUS
      ? { context: [], schema: outputOf(spec) }
      : await savedRequest(reference, session)
  if (reference !== ANONYMOUS) checkCycle(saved, session, innerChain)
  const scoped = session.scoped(call).map(withoutInstance)
  return {
    config: subConfig(config, run),
    schema: saved.schema,
    context: [...saved.context, ...scoped, inputFrom(call, saved)],
    chain: innerChain,
    label: session.label,
    met: (label) => void session.labels.set(run.callId, label),
  }
}

async function savedRequest(reference: string, { settings }: AgentSession): Promise<SavedRequest> {
  const { registry, config } = settings
  const saved = registry.delegates.get(reference) ?? (await config.resolveDelegate?.(reference))
  if (saved === undefined) {
    const hint = didYouMean(reference, registry.delegates.keys())
    throw new AgentError('agent-delegate', `No request is saved as "${reference}".${hint}`)
  }
  checkSavedRequest(reference, saved)
  return saved
}

/**
 * Throws if the request's own tools delegate to it again, or to a request that it runs inside of: such a
 * run would never end.
 */
function checkCycle(
  saved: SavedRequest,
  { settings }: AgentSession,
  chain: readonly string[],
): void {
  const definitions = readContext(saved.context).flatMap((entry) =>
    entry.type === 'tool' ? [entry.tool] : [],
  )
  const { registry } = settings
  const tools = collectTools(definitions, {
    registry,
    missingActivity: 'latent',
    onNotice: () => {},
  })
  const cyclicTool = tools.find(
    ({ spec }) => spec.delegate !== ANONYMOUS && chain.includes(spec.delegate ?? ''),
  )
  if (cyclicTool)
    throw new AgentError(
      'agent-delegate-cycle',
      `The delegate "${chain.at(-1)}" has the tool "${cyclicTool.spec.name}", which is delegated to "${cyclicTool.spec.delegate}": ${[...chain, cyclicTool.spec.delegate].join(' → ')}.`,
    )
}

/**
 * The delegate gets nothing of the parent's conversation: no system text, no tools, and no advisors, which
 * may remember.
 */
function subConfig(config: AgentConfig, run: ToolContext): AgentConfig {
  const {
    system: _system,
    advisors: _advisors,
    tools: _tools,
    toolNames: _names,
    resume: _resume,
    conversation: _conversation,
    ...rest
  } = config
  const onEvent = listenerIn(config, run)
  return {
    ...rest,
    signal: run.signal,
    ...(onEvent && { onEvent: (event) => onEvent({ parentCallId: run.callId, ...event }) }),
  }
}

/** Who hears the events of a delegate: the stream that its call runs in, otherwise the config's listener. */
function listenerIn(config: AgentConfig, run: ToolContext): AgentConfig['onEvent'] {
  const outer = runContextOf(run)?.outer
  if (outer?.mode !== 'stream') return config.onEvent
  return (event) => {
    // The end of the delegate is not the end of the stream.
    if (event.type !== 'response' && event.type !== 'suspended') outer.emit(event)
  }
}

/**
 * The call's parameters as the request's input, with the schema that the saved request declares for its
 * input.
 */
function inputFrom(call: Call, saved: SavedRequest): InputMessage {
  const entries = readContext(saved.context)
  const schema = entries.findLast(
    (entry) => entry.type === 'data' && entry.kind === 'input' && entry.schema,
  )
  return {
    type: 'input',
    input: parametersOf(call) as JsonObject,
    ...(schema?.type === 'data' && { schema: schema.schema }),
  }
}

function withoutInstance(message: AgentMessage): AgentMessage {
  if (!('_instance' in message)) return message
  const { _instance, ...rest } = message
  return rest as AgentMessage
}

/**
 * Runs a delegate. One that is suspended suspends the call it runs for, and asks its own pending calls as
 * the question. The answer is the decisions about them, and the delegate continues.
 */
async function runOrWait(
  { session, run }: DelegatedCall,
  request: SubRequest,
  runSub: RunSubRequest,
): Promise<Json> {
  const { delegates } = session.record
  const waiting = delegates[run.callId]
  let decisions: Decisions | undefined
  for (let index = 0; index < (waiting?.asked ?? 0); index++)
    decisions = run.suspend(waiting!.state.pending as unknown as Json) as unknown as Decisions
  const resume = waiting && decisions ? { resume: { state: waiting.state, decisions } } : {}
  try {
    const result = await runSub({ ...request, config: { ...request.config, ...resume } })
    delete delegates[run.callId]
    return result.output as Json
  } catch (error) {
    if (!(error instanceof RunSuspendedError)) throw error
    const state = error.result.state!
    delegates[run.callId] = { state, asked: (waiting?.asked ?? 0) + 1 }
    return run.suspend(state.pending as unknown as Json)
  }
}
