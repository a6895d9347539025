/** Converts tools of a chat client for use in an agent, and tools of an agent for use in a chat client. */
import { AgentError } from '../../errors/errors.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { remembered } from '../../schema/remembered.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolContext } from '../../tools/tool-context.ts'
import { tool } from '../../tools/tool.ts'
import type { ActivityFunction, ActivityOptions } from './activity.ts'
import type { Call, ToolSchema } from '../agent-message.ts'
import { toolSpec } from './tool-spec.ts'

/** A tool's schema and its code, apart. */
export interface ToolWithActivity {
  readonly name: string
  readonly schema: ToolSchema
  readonly activity: ActivityFunction
  readonly options?: ActivityOptions
}

const CALLBACK: unique symbol = Symbol.for('toolwright.agent-callback') as never

/** The callback that an activity was made from, if any. */
export const callbackOf = (activity: ActivityFunction): ToolCallback | undefined =>
  (activity as { readonly [CALLBACK]?: ToolCallback })[CALLBACK]

const bridged = new WeakMap<ToolCallback, ToolWithActivity>()

/**
 * Converts a callback to a tool and its activity. In an agent it still runs with its own checks and
 * settings: approval, timeouts, locks, retries.
 *
 * @example
 * const { name, schema, activity } = fromToolCallback(weather)
 * registry.tool(name, schema)
 * registry.activity(name, activity)
 */
export function fromToolCallback(callback: ToolCallback): ToolWithActivity {
  return remembered(bridged, callback, () => {
    const { definition } = callback
    const call: ActivityFunction = (...[{ _tool, ...input }, , , run]) =>
      callback.call(JSON.stringify(input), run)
    const activity = Object.assign(call, { [CALLBACK]: callback })
    return { name: definition.name, schema: schemaOf(definition), activity }
  })
}

function schemaOf({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
}: ToolCallback['definition']): ToolSchema {
  const { properties, required, ...rest } = inputSchema
  return {
    ...rest,
    type: 'object',
    ...(title !== undefined && { title }),
    description,
    properties: {
      _tool: { type: 'string', const: name },
      ...properties,
      ...(outputSchema && { _output: outputSchema }),
    },
    ...(required && { required }),
  }
}

/**
 * Converts a tool and its activity to a callback for a chat client. The parameters become the input and
 * `_output` becomes the output schema; the activity gets no messages.
 *
 * @example
 * const weather = toToolCallback({ name: 'weatherCheck', schema, activity: (call) => lookUp(call.location) })
 */
export function toToolCallback({
  name,
  schema,
  activity,
  options,
}: ToolWithActivity): ToolCallback {
  const original = typeof activity === 'function' ? callbackOf(activity) : undefined
  if (original) return original
  if (typeof activity !== 'function')
    throw new AgentError('agent-activity', `Tool "${name}" is latent: only an agent can offer it.`)
  const spec = toolSpec(schema, name)
  const { title, description, properties = {}, required, ...rest } = spec.schema
  const parameters = Object.entries(properties).filter(([field]) => !field.startsWith('_'))
  const requiredParameters = required?.filter((field) => !field.startsWith('_'))
  const input: JsonSchema = {
    ...rest,
    properties: Object.fromEntries(parameters),
    ...(requiredParameters && { required: requiredParameters }),
  }
  const { mayDefineTools: _messages, ...running } = options ?? {}
  return tool({
    ...(running as object),
    name: spec.name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    input,
    ...(typeof spec.output === 'object' && { output: spec.output as JsonSchema }),
    execute: (values: unknown, context: ToolContext) =>
      activity({ _tool: spec.name, ...(values as object) } as Call, spec.schema, [], context),
  })
}
