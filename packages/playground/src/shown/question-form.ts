/** The form that a question asks to be answered with: those of MCP servers have one, others take any answer. */
import type { JsonSchema } from 'toolwright'

export function questionForm(question: unknown): JsonSchema | undefined {
  const { mode, requestedSchema } = Object(question) as { readonly [key: string]: unknown }
  const isForm = mode === 'form' && typeof requestedSchema === 'object'
  return isForm && requestedSchema !== null ? (requestedSchema as JsonSchema) : undefined
}
