/**
 * Makes a session and the client's options from an agent's config. It throws on mistakes before the model
 * is asked.
 */
import {
  CLIENT_KINDS,
  CLIENT_OPTIONS,
  type ChatClientOptions,
} from '../../client/client-settings.ts'
import type { ChatRequest } from '../../client/chat-request.ts'
import { AgentError } from '../../errors/errors.ts'
import { notice } from '../../errors/notices.ts'
import { checkLimit, checkOptions } from '../../internal/check-options.ts'
import { checkKinds } from '../../schema/option-kinds.ts'
import { describeValue } from '../../schema/describe-value.ts'
import { isObject } from '../../schema/json-object.ts'
import { toolCallingManager } from '../../tool-calling/default-tool-calling-manager.ts'
import {
  MANAGER_OPTIONS,
  type ToolCallingManagerOptions,
} from '../../tool-calling/manager-options.ts'
import type { ToolCallingManager } from '../../tool-calling/tool-calling-manager.ts'
import { pick } from '../../tools/pick.ts'
import { systemClock } from '../../ports/clock.ts'
import { normalLimits } from '../../run/limits.ts'
import { resolveTools } from '../../tools/resolve-tools.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { AgentConfig, OutputSource } from '../agent-config.ts'
import type { AgentMessage, ToolMap } from '../agent-message.ts'
import { defaultRegistry, type RegistrySnapshot } from '../registry/agent-registry.ts'
import { AgentSession, type AgentRecord } from './agent-session.ts'
import { checkModelOptions, MODEL_OPTIONS, modelOptions } from './model-options.ts'
import { fromToolCallback } from '../registry/bridges.ts'
import { COMPOSITION_OPTIONS } from '../compose/compose-schema.ts'
import { ComposedCache } from '../compose/composed-cache.ts'

const AGENT_OPTIONS = [
  'model', 'maxTurns', 'registry', 'resolveDelegate', 'maxDelegateDepth', 'resultsWithoutPath', 'instructions', 'conversation',
  'signal', 'onEvent', 'resume', ...MODEL_OPTIONS, ...COMPOSITION_OPTIONS,
] as const satisfies readonly (keyof AgentConfig)[] // prettier-ignore
/** The agent sets the options of the loop itself, so the caller cannot. */
const OWN_OPTIONS = [...AGENT_OPTIONS, ...CLIENT_OPTIONS.filter((name) => name !== 'toolCalling')]
const MANAGED: readonly string[] = MANAGER_OPTIONS

export interface AgentTask {
  readonly output: OutputSource
  readonly context: readonly AgentMessage[]
}

export async function startSession(
  where: string,
  config: AgentConfig,
  { output, context }: AgentTask,
): Promise<AgentSession> {
  checkOptions(`The config of ${where}`, config ?? null, OWN_OPTIONS)
  checkKinds(`The config of ${where}`, config, CLIENT_KINDS)
  checkLimit('maxTurns', config.maxTurns)
  checkModelOptions(config)
  if (!Array.isArray(context))
    throw new AgentError(
      'agent-context',
      `The context of ${where} is ${describeValue(context)}; it takes a list of messages.`,
    )
  const registered = (config.registry ?? defaultRegistry()).snapshot()
  const { tools, toolNames, resolver, clock = systemClock, limits, signal, onEvent } = config
  const ms = normalLimits(limits).toolTimeoutMs
  const callbacks = await resolveTools({ tools, toolNames }, resolver, {
    clock,
    ms,
    signal,
    notice: (...told) => onEvent?.(notice(...told)),
  })
  const { registry, offered } = withCallbacks(registered, callbacks)
  const composition = { reasoning: 'optional' as const, ...pick(config, COMPOSITION_OPTIONS) }
  const settings = { config, output, registry, offered, composition }
  const session = new AgentSession(settings, context, recordIn(config))
  const { tools: composedTools, schema } = session.compose()
  if (composedTools.size === 0 && schema.properties?.output === undefined)
    throw new AgentError(
      'agent-request',
      `${where} was given neither tools nor an output schema: there is nothing to answer.`,
    )
  return session
}

interface WithCallbacks {
  readonly registry: RegistrySnapshot
  readonly offered: readonly ToolMap[]
}

const bridges = new ComposedCache<WithCallbacks>()

/**
 * Adds callbacks as tools that come before those of the context, and their code to the registered
 * activities.
 */
function withCallbacks(
  registry: RegistrySnapshot,
  callbacks: readonly ToolCallback[],
): WithCallbacks {
  if (callbacks.length === 0) return { registry, offered: [] }
  return bridges.get([registry, ...callbacks], '', () => {
    const bridgedTools = callbacks.map(fromToolCallback)
    const activities = bridgedTools.map(
      ({ name, activity }) => [name, { run: activity, options: {} }] as const,
    )
    return {
      registry: { ...registry, activities: new Map([...registry.activities, ...activities]) },
      offered: [Object.fromEntries(bridgedTools.map(({ name, schema }) => [name, schema]))],
    }
  })
}

/**
 * Copies the record out of a suspended state: the caller owns the state and may use it again if the resume
 * is refused.
 */
function recordIn({ resume }: AgentConfig): AgentRecord | undefined {
  const record = resume?.state?.context?.agent
  return isObject(record) && Array.isArray(record.messages)
    ? (structuredClone(record) as unknown as AgentRecord)
    : undefined
}

/** The options of the client: those of neither the agent nor the manager, and the options of the model. */
export function clientOptions(config: AgentConfig): ChatClientOptions {
  const handledElsewhere = [
    ...AGENT_OPTIONS,
    ...MANAGED,
    'manager',
    'tools',
    'toolNames',
    'advisors',
  ]
  const others = Object.entries(config).filter(([name]) => !handledElsewhere.includes(name))
  return {
    ...Object.fromEntries(others),
    options: { ...config.options, ...modelOptions(config) },
  }
}

/** Applies the config's conversation and signal to a request. */
export function withConversationAndSignal(
  request: ChatRequest,
  { conversation, signal }: AgentConfig,
): ChatRequest {
  const inConversation = conversation === undefined ? request : request.conversation(conversation)
  return signal ? inConversation.signal(signal) : inConversation
}

/** The manager that finally runs the calls. */
export const innerManager = (config: AgentConfig): ToolCallingManager =>
  config.manager ?? toolCallingManager(pick(config, MANAGER_OPTIONS) as ToolCallingManagerOptions)

export function withoutManagerOptions(config: AgentConfig): AgentConfig {
  return Object.fromEntries(
    Object.entries(config).filter(([name]) => !MANAGED.includes(name)),
  ) as unknown as AgentConfig
}
