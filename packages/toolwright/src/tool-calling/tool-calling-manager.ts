/**
 * The contract of running a model's tool calls, and its default. One batch is: prepare every call
 * (find, parse, check, permit), then run what may run, in parallel, and answer in call order.
 */
import { ConfigurationError } from '../errors/errors.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { Json } from '../messages/json.ts'
import type { Message, ToolResponse } from '../messages/message.ts'
import { toolCallsOf } from '../messages/reading.ts'
import type { CallCounters, Decisions, PendingCall, RunState } from '../messages/run-state.ts'
import type { ChatOptions, Prompt } from '../model/chat-model.ts'
import type { Durability } from '../ports/durability.ts'
import { resolveTools } from '../tools/resolve-tools.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import { CallGates } from './call-gates.ts'
import { executeBatch } from './execute-batch.ts'
import {
  managerSettings,
  type ManagerSettings,
  type ToolCallingManagerOptions,
} from './manager-settings.ts'
import type { LimitName } from './limits.ts'

export interface ToolExecutionRun {
  readonly signal?: AbortSignal
  readonly emit?: (event: ChatEvent) => void
  /** A suspended run that goes on; used up once every decision was found good. */
  readonly state?: RunState
  readonly decisions?: Decisions
  /** Responses of this batch that are already there. */
  readonly answered?: readonly ToolResponse[]
  /** What this user turn has counted so far. */
  readonly counters?: CallCounters
  /** Names the run in idempotency keys. */
  readonly runId?: string
  /** The run's scoped durability; default: the manager's. */
  readonly step?: Durability['step']
}

export interface ToolExecutionResult {
  /** In call order. With `pending`, only those that are there. */
  readonly responses: readonly ToolResponse[]
  /** The prompt's messages, the assistant message and, when nothing is pending, its tool message. */
  readonly conversationHistory: readonly Message[]
  /** Every call asked for return direct and none failed. */
  readonly returnDirect: boolean
  readonly pending?: readonly PendingCall[]
  readonly counters?: CallCounters
  /** The call limit this batch met. */
  readonly limit?: LimitName
  /** Answers given to tools that ask again, by call id. */
  readonly answers?: { readonly [callId: string]: readonly Json[] }
}

export interface ToolCallingManager {
  /** Its normalised options; a manager without them gets the defaults. */
  readonly settings?: ManagerSettings
  /** The definitions a model would get for these options. */
  resolveToolDefinitions(options: ChatOptions): Promise<readonly ToolDefinition[]>
  /**
   * Runs the calls of the first generation that has some. `prompt` is the round's own, so that only what was
   * offered runs. Tool failures are responses; it rejects for wrong configuration, aborts, and what the
   * exception processor throws.
   */
  executeToolCalls(
    prompt: Prompt,
    response: ChatResponse,
    run?: ToolExecutionRun,
  ): Promise<ToolExecutionResult>
}

/** The default manager. */
export function toolCallingManager(options: ToolCallingManagerOptions = {}): ToolCallingManager {
  const settings = managerSettings(options)
  const gates = new CallGates(settings.clock)
  return {
    settings,
    async resolveToolDefinitions(chatOptions) {
      const tools = await resolveTools(chatOptions, settings.resolver)
      return tools.map((tool) => tool.definition)
    },
    async executeToolCalls(prompt, response, run = {}) {
      const generation = response.results.find((candidate) => toolCallsOf(candidate).length > 0)
      if (!generation)
        throw new ConfigurationError('no-tool-call', 'The response asks for no tool.')
      const tools = await resolveTools(prompt.options ?? {}, settings.resolver)
      return executeBatch({ settings, gates, tools, prompt, generation, run })
    },
  }
}

let defaults: ManagerSettings | undefined

/** A manager of somebody else's making may have no settings. */
export const settingsOf = (manager: ToolCallingManager): ManagerSettings =>
  manager.settings ?? (defaults ??= managerSettings())
