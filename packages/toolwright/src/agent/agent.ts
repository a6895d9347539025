/** The protocol's own spelling (`Tool.register`, `Activity.register`, `Agent`), over one shared registry. */
import type { ActivityFunction, ActivityOptions } from './registry/activity.ts'
import type { AgentConfig, AgentResult, OutputOf, OutputSource } from './agent-config.ts'
import type { AgentMessage, Solution, ToolSchema } from './agent-message.ts'
import { defaultRegistry } from './registry/agent-registry.ts'
import type { CallOf, ToolHandle, TypedActivity } from './registry/tool-handle.ts'
import { requestAgent } from './request-agent.ts'
import { runAgent } from './run-agent.ts'
import { streamAgent, type AgentStream } from './stream-agent.ts'

export interface ToolFacade {
  /**
   * Registers a tool under a name. A request offers it only if its context names it. Returns the schema as a
   * handle: its `activity(run)` registers code that is typed by the schema.
   */
  register<const Name extends string, const Schema extends ToolSchema>(
    name: Name,
    schema: Schema,
  ): ToolHandle<Schema, Name>
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
  /** The same for a registered tool: the call and its result are typed by the tool's schema. */
  register<Schema extends ToolSchema, Name extends string>(
    tool: ToolHandle<Schema, Name>,
    run: TypedActivity<Schema, Name>,
    options?: ActivityOptions<CallOf<ToolHandle<Schema, Name>>>,
  ): void
}

export const Activity: ActivityFacade = {
  register(tool: string | ToolHandle, run: unknown, options?: unknown) {
    const activity = run as ActivityFunction
    const running = options as ActivityOptions | undefined
    const isHandle = typeof (tool as ToolHandle | undefined)?.activity === 'function'
    if (isHandle) (tool as ToolHandle).activity(activity as never, running)
    else defaultRegistry().activity(tool as string, activity, running)
  },
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
  /** Runs the loop and shows its output while it arrives: `streamAgent`. */
  stream<const Output extends OutputSource = undefined>(
    config: AgentConfig,
    output: Output,
    context: readonly AgentMessage[],
  ): AgentStream<Output>
}

/**
 * @example
 * const { output } = await Agent({ model }, { type: 'string' }, [{ type: 'text', text: 'Say hello' }])
 */
export const Agent: AgentFacade = /* @__PURE__ */ Object.assign(
  ((config, output, context) => runAgent(config, output, context)) as typeof runAgent,
  { Request: requestAgent, stream: streamAgent },
)
