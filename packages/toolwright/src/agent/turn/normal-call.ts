/**
 * Prepares a call for running: sets the tool's constants, and drops the fields that the model may not set,
 * with a notice.
 */
import { notice } from '../../errors/notices.ts'
import type { Json } from '../../messages/json.ts'
import { has } from '../../schema/json-object.ts'
import type { AgentNotice, Call } from '../agent-message.ts'
import type { ComposedTool } from '../compose/composed.ts'
import { isParameter } from '../registry/tool-spec.ts'

/** Meta fields that a model may always set; they are checked before the call runs. */
const ALWAYS_ALLOWED: readonly string[] = [
  '_tool',
  '_reasoningForCall',
  '_outputPath',
  '_outputMethod',
  '_instance',
]

export interface NormalCall {
  readonly call: Call
  readonly notices: readonly AgentNotice[]
}

/** The call without meta fields that are null: that is how a model leaves a field out that it may leave out. */
export function withoutNullFields(call: Call): Call {
  const isLeftOut = (field: string): boolean =>
    call[field] === null && ALWAYS_ALLOWED.includes(field)
  if (!ALWAYS_ALLOWED.some(isLeftOut)) return call
  const entries = Object.entries(call).filter(([field]) => !isLeftOut(field))
  return Object.fromEntries(entries) as unknown as Call
}

export function normalCall(call: Call, tool: ComposedTool): NormalCall {
  const { name, schema, constants } = tool.spec
  const mayHave = (field: string): boolean =>
    isParameter(field) ||
    ALWAYS_ALLOWED.includes(field) ||
    (field === '_output' ? tool.execution.kind === 'latent' : has(schema.properties, field))
  const entries = Object.entries(call)
  const allowedEntries = entries.filter(([field]) => mayHave(field))
  const ignored = entries.flatMap(([field, value]) => {
    const isFixed =
      has(constants, field) && JSON.stringify(constants[field]) !== JSON.stringify(value)
    return isFixed || !mayHave(field) ? [field] : []
  })
  return {
    call: {
      ...(Object.fromEntries(allowedEntries) as { readonly [field: string]: Json }),
      ...constants,
      _tool: name,
    },
    notices: ignored.map((field) =>
      notice(
        'agent-ignored-field',
        `The model set ${field} in a call of "${name}", which is not its to say; it was ignored.`,
        { tool: name, field },
      ),
    ),
  }
}
