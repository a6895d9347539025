/** The protocol's own spelling (`Tool.register`, `Activity.register`, `Agent`), over one shared registry. */
import type { ActivityFunction, ActivityOptions } from './registry/activity.ts'
import type { AgentConfig, AgentResult, OutputOf, OutputSource } from './agent-config.ts'
import type { AgentMessage, Solution, ToolSchema } from './agent-message.ts'
import { defaultRegistry } from './registry/agent-registry.ts'
import { requestAgent } from './request-agent.ts'
import { runAgent } from './run-agent.ts'

export interface ToolFacade {
  /** Registers a tool under a name. A request offers it only if its context names it. */
  register(name: string, schema: ToolSchema): ToolSchema
  /** The schema registered under a name. */
  get(name: string): ToolSchema | undefined
}

export const Tool: ToolFacade = {
  register: (name, schema) => defaultRegistry().tool(name, schema),
  get: (name) => defaultRegistry().snapshot().tools.get(name),
}

export interface ActivityFacade {
  /** Registers the code of a tool. Runs that have started keep the code they started with. */
  register(name: string, run: ActivityFunction, options?: ActivityOptions): void
}

export const Activity: ActivityFacade = {
  register: (name, run, options) => defaultRegistry().activity(name, run, options),
}

export interface AgentFacade {
  /** Runs the loop: `runAgent`. */
  <const Output extends OutputSource = undefined>(
    config: AgentConfig,
    output: Output,
    context: readonly AgentMessage[],
  ): Promise<AgentResult<OutputOf<Output>>>
  /** Asks once: `requestAgent`. */
  Request<const Output extends OutputSource = undefined>(
    config: AgentConfig,
    output: Output,
    context: readonly AgentMessage[],
  ): Promise<Solution<OutputOf<Output>>>
}

/**
 * @example
 * const { output } = await Agent({ model }, { type: 'string' }, [{ type: 'text', text: 'Say hello' }])
 */
export const Agent: AgentFacade = /* @__PURE__ */ Object.assign(
  ((config, output, context) => runAgent(config, output, context)) as typeof runAgent,
  { Request: requestAgent },
)
