/**
 * Holds tools, activities and saved requests by name. Tools and their code are registered apart, so either
 * can be replaced.
 */
import { AgentError } from '../../errors/errors.ts'
import { describeValue } from '../../schema/describe-value.ts'
import type { Activity, ActivityFunction, ActivityOptions } from './activity.ts'
import type { SavedRequest, ToolSchema } from '../agent-message.ts'
import { toolHandle, type RegisterActivity, type ToolHandle } from './tool-handle.ts'
import { toolSpec } from './tool-spec.ts'

/** What is registered at one moment, frozen. The object stays the same until the next registration. */
export interface RegistrySnapshot {
  readonly tools: ReadonlyMap<string, ToolSchema>
  readonly activities: ReadonlyMap<string, Activity>
  readonly delegates: ReadonlyMap<string, SavedRequest>
}

export interface AgentRegistry {
  /**
   * Registers a tool; `{ type: 'tool', tool: name }` then refers to it. Returns the schema as a handle, whose
   * `activity(run)` registers code that is typed by the schema.
   */
  tool<const Name extends string, const Schema extends ToolSchema>(
    name: Name,
    schema: Schema,
  ): ToolHandle<Schema, Name>
  /** Registers the code of the tool with this name, and of every tool that names it in `_activity`. */
  activity(name: string, run: ActivityFunction, options?: ActivityOptions): void
  /** Registers a saved request for the tools that name it in `_delegate`. */
  delegate(reference: string, request: SavedRequest): void
  /** Removes an activity: its tools become latent again. */
  removeActivity(name: string): void
  snapshot(): RegistrySnapshot
}

/**
 * @example
 * const registry = agentRegistry()
 * registry.activity('weatherCheck', async (call) => lookUp(call.location))
 */
export function agentRegistry(): AgentRegistry {
  const tools = new Map<string, ToolSchema>()
  const activities = new Map<string, Activity>()
  const delegates = new Map<string, SavedRequest>()
  let frozen: RegistrySnapshot | undefined
  const activity: RegisterActivity = (name, run, options = {}) => {
    if (typeof name !== 'string' || name === '' || typeof run !== 'function')
      throw new AgentError(
        'agent-activity',
        `An activity is a name and a function, not ${describeValue(name)} and ${describeValue(run)}.`,
      )
    activities.set(name, { run, options })
    frozen = undefined
  }
  return {
    tool(name, schema) {
      toolSpec(schema, name)
      const handle = toolHandle(name, schema, activity)
      tools.set(name, handle)
      frozen = undefined
      return handle
    },
    activity,
    delegate(reference, request) {
      checkSavedRequest(reference, request)
      delegates.set(reference, request)
      frozen = undefined
    },
    removeActivity(name) {
      activities.delete(name)
      frozen = undefined
    },
    snapshot() {
      frozen ??= Object.freeze({
        tools: new Map(tools),
        activities: new Map(activities),
        delegates: new Map(delegates),
      })
      return frozen
    },
  }
}

export function checkSavedRequest(reference: string, request: unknown): void {
  const { context, schema } = Object(request) as Partial<SavedRequest>
  if (Array.isArray(context) && typeof schema === 'object' && schema !== null) return
  throw new AgentError(
    'agent-delegate',
    `The request saved as "${reference}" is ${describeValue(request)}; it has a context and a schema.`,
  )
}

let shared: AgentRegistry | undefined

/** The registry of `Tool.register` and `Activity.register`. It is the default everywhere. */
export const defaultRegistry = (): AgentRegistry => (shared ??= agentRegistry())
