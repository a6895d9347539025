/**
 * Finds the tools that a context offers, and who runs each. The last definition of a name replaces earlier
 * ones.
 */
import { AgentError } from '../../errors/errors.ts'
import { notice } from '../../errors/notices.ts'
import { didYouMean } from '../../internal/nearest-names.ts'
import type { Activity } from '../registry/activity.ts'
import type { AgentNotice, ToolDefinitionMessage, ToolMap, ToolSchema } from '../agent-message.ts'
import type { RegistrySnapshot } from '../registry/agent-registry.ts'
import { handleName } from '../registry/tool-handle.ts'
import { toolSpec, type ToolSpec } from '../registry/tool-spec.ts'

/** `latent`: the model writes the result. */
export type Execution =
  | { readonly kind: 'latent' }
  | { readonly kind: 'activity'; readonly activity: Activity }
  | { readonly kind: 'delegate'; readonly reference: string }

export interface CollectedTool {
  readonly spec: ToolSpec
  readonly execution: Execution
}

export interface CollectOptions {
  readonly registry: RegistrySnapshot
  readonly missingActivity: 'latent' | 'error'
  readonly onNotice: (notice: AgentNotice) => void
}

export function collectTools(
  definitions: readonly ToolDefinitionMessage['tool'][],
  options: CollectOptions,
): readonly CollectedTool[] {
  const specs = new Map<string, ToolSpec>()
  for (const definition of definitions) {
    for (const spec of specsOf(definition, options.registry)) {
      // A redefined tool takes the position of its last definition.
      specs.delete(spec.name)
      specs.set(spec.name, spec)
    }
  }
  return Array.from(specs.values(), (spec) => ({ spec, execution: executionOf(spec, options) }))
}

function specsOf(
  definition: ToolDefinitionMessage['tool'],
  { tools }: RegistrySnapshot,
): readonly ToolSpec[] {
  if (typeof definition === 'string') {
    const name = definition.replace(/^Tool\./, '')
    const schema = tools.get(name)
    if (schema) return [toolSpec(schema, name)]
    const hint = didYouMean(name, tools.keys())
    throw new AgentError('agent-tool', `No tool is registered as "${name}".${hint}`)
  }
  // A string under `type` means one schema: in a map of tools, a tool named "type" would be an object.
  if (typeof definition.type === 'string')
    return [toolSpec(definition as ToolSchema, handleName(definition))]
  return Object.entries(definition as ToolMap).map(([name, schema]) => toolSpec(schema, name))
}

/**
 * The activity that the tool names; if it names none, the activity of the tool's own name; otherwise
 * latent.
 */
function executionOf(spec: ToolSpec, options: CollectOptions): Execution {
  const { name, activity: named, delegate } = spec
  const { activities } = options.registry
  if (delegate !== undefined && !named) return { kind: 'delegate', reference: delegate }
  const activity = activities.get(named ?? name)
  if (activity) return { kind: 'activity', activity }
  if (named) reportMissing(spec, options)
  return { kind: 'latent' }
}

function reportMissing({ name, activity = '' }: ToolSpec, options: CollectOptions): void {
  const { missingActivity, onNotice, registry } = options
  const hint = didYouMean(activity, registry.activities.keys())
  const problem = `Tool "${name}" names the activity "${activity}", which is not registered.${hint}`
  if (missingActivity === 'error') throw new AgentError('agent-activity', problem)
  const message = `${problem} The model writes its result.`
  onNotice(notice('agent-missing-activity', message, { tool: name }))
}
