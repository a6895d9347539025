/** The form of what pages send; what the fields mean stands in `protocol/routes`. */
import type { JsonSchema } from 'toolwright'

const requestId: JsonSchema = { type: 'string', minLength: 1, maxLength: 200 }
const name: JsonSchema = { type: 'string', minLength: 1, maxLength: 500 }

const object = (
  properties: { readonly [name: string]: JsonSchema },
  optional: string[] = [],
): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((key) => !optional.includes(key)),
  additionalProperties: false,
})

export const START_CALL = object(
  { requestId, tool: name, input: {}, context: { type: 'object' } },
  ['context'],
)
export const START_TURN = object({
  requestId,
  text: { type: 'string', pattern: '\\S' },
  model: name,
})
export const START_AGAIN = object({ requestId, model: name })
export const DECIDE = object({
  requestId,
  decisions: { type: 'object', minProperties: 1, maxProperties: 1000 },
})
