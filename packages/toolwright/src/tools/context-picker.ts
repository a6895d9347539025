/** Gives a tool with a `context` schema only the declared keys of the request's tool context, checked. */
import { ConfigurationError } from '../errors/errors.ts'
import { describeIssue } from '../errors/issue.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { CheckResult } from '../schema/schema-checker.ts'
import { isStandardSchema, type StandardSchema } from '../schema/standard-schema.ts'
import { plainJsonSchema } from '../schema/plain-json-schema.ts'
import { checkOf } from './output-check.ts'
import { pick } from './pick.ts'

type Values = { readonly [key: string]: unknown }

export function contextPicker(
  toolName: string,
  schema: StandardSchema | JsonSchema,
): (values: Values) => object | Promise<object> {
  const keys = declaredKeys(schema)
  const check = checkOf(schema)
  const picked = (checked: CheckResult): object => {
    if (checked.ok) return Object.freeze({ ...(checked.value as object) })
    const problems = checked.issues.map(describeIssue).join('; ')
    throw new ConfigurationError(
      'invalid-tool-context',
      `Tool "${toolName}" needs another toolContext: ${problems}.`,
    )
  }
  return (values) => {
    const checking = check(keys ? pick(values, keys) : values)
    return checking instanceof Promise ? checking.then(picked) : picked(checking)
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
