/** A call that waits, as the page shows it: with the form of what a person may give. */
import type { JsonSchema, PendingCall, ToolCallback } from 'toolwright'
import type { ShownPending } from '../protocol/shown-content.ts'
import { questionForm } from './question-form.ts'
import { shownJson } from './shown-content.ts'

/** The input is whole, because whoever decides must see it. What tools keep for themselves is not here. */
export function shownPending(pending: PendingCall, tools: readonly ToolCallback[]): ShownPending {
  const { callId, parentCallId, line, toolName, kind, input, reason, preview, question } = pending
  const tool = tools.find(({ definition }) => definition.name === toolName)
  const schema = SCHEMAS[kind](pending, tool)
  return {
    callId,
    ...(parentCallId !== undefined && { parentCallId }),
    ...(line !== undefined && { line }),
    toolName,
    kind,
    input,
    ...(reason !== undefined && { reason }),
    ...(preview !== undefined && { preview: shownJson(preview) }),
    ...(question !== undefined && { question: shownJson(question) }),
    ...(schema !== undefined && { schema }),
  }
}

type SchemaOf = (pending: PendingCall, tool: ToolCallback | undefined) => JsonSchema | undefined

const resultOf: SchemaOf = (_pending, tool) => tool?.definition.outputSchema

const SCHEMAS: { readonly [kind in PendingCall['kind']]: SchemaOf } = {
  approval: (_pending, tool) => tool?.definition.inputSchema,
  result: resultOf,
  'unknown-outcome': resultOf,
  question: ({ question }) => questionForm(question),
}
