/** Gives a tool with a `context` schema only the declared keys of the request's tool context, checked. */
import { ConfigurationError } from '../errors/errors.ts'
import { describeIssue } from '../errors/issue.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { isStandardSchema, type StandardSchema } from '../schema/standard-schema.ts'
import { plainJsonSchema } from '../schema/plain-json-schema.ts'
import { checkOf } from './output-check.ts'
import { pick } from './pick.ts'

type Values = { readonly [key: string]: unknown }

export function contextPicker(
  toolName: string,
  schema: StandardSchema | JsonSchema,
): (values: Values) => Promise<object> {
  const keys = declaredKeys(schema)
  const check = checkOf(schema)
  return async (values) => {
    const checked = await check(keys ? pick(values, keys) : values)
    if (checked.ok) return Object.freeze({ ...(checked.value as object) })
    const problems = checked.issues.map(describeIssue).join('; ')
    throw new ConfigurationError(
      'invalid-tool-context',
      `Tool "${toolName}" needs another toolContext: ${problems}.`,
    )
  }
}

/** Undefined if the schema cannot be converted: values such as connections have no JSON form. */
function declaredKeys(schema: StandardSchema | JsonSchema): readonly string[] | undefined {
  const { shape } = schema as { readonly shape?: object }
  if (isStandardSchema(schema) && typeof shape === 'object') return Object.keys(shape)
  try {
    return Object.keys(plainJsonSchema(schema, 'input').properties ?? {})
  } catch {
    return undefined
  }
}
