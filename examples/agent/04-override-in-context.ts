/** The last definition of a name wins: a conversation refines a tool, and the earlier one leaves no trace. */
import assert from 'node:assert/strict'
import { composeSchema, type AgentMessage, type ToolSchema } from 'toolwright/agent'

const search: ToolSchema = {
  type: 'object',
  description: 'Searches everything',
  properties: { query: { type: 'string' } },
  required: ['query'],
}
const searchLaws: ToolSchema = {
  type: 'object',
  description: 'Searches laws of one country',
  properties: { query: { type: 'string' }, country: { enum: ['NO', 'SE'] } },
  required: ['query', 'country'],
}
const translate: ToolSchema = { type: 'object', properties: { text: { type: 'string' } } }
const start: readonly AgentMessage[] = [{ type: 'tool', tool: { search, translate } }]
const later: readonly AgentMessage[] = [
  ...start,
  { type: 'text', text: 'From here on we only talk about Nordic law.' },
  { type: 'tool', tool: { search: searchLaws } },
]

const before = JSON.stringify(composeSchema({ context: start }))
const after = JSON.stringify(composeSchema({ context: later }))
console.log(after)
assert.ok(before.includes('everything') && !before.includes('country'))
assert.ok(after.includes('country') && !after.includes('everything'))
assert.ok(after.indexOf('translate') < after.indexOf('search'))
