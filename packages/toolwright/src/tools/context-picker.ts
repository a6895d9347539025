/** A tool with a `context` schema sees just the declared keys of the request's tool context, checked. */
import { ConfigurationError } from '../errors/errors.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { describeIssue, type Issue } from '../schema/issue.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { isStandardSchema, type StandardSchema } from '../schema/standard-schema.ts'
import { checkStandard } from '../schema/check-standard.ts'
import { toJsonSchema } from '../schema/to-json-schema.ts'

type Values = { readonly [key: string]: unknown }

export function contextPicker(
  toolName: string,
  schema: StandardSchema | JsonSchema,
): (values: Values) => object | Promise<object> {
  const keys = declaredKeys(schema)
  const pick = (values: Values): Values =>
    keys ? Object.fromEntries(entriesOf(values, keys)) : values
  if (!isStandardSchema(schema)) {
    const checker = compileSchema(schema, { coerce: false })
    return (values) => {
      const checked = checker.check(pick(values))
      return checked.ok ? (checked.value as object) : refuse(toolName, checked.issues)
    }
  }
  return async (values) => {
    const checked = await checkStandard(schema, pick(values))
    return checked.ok ? (checked.value as object) : refuse(toolName, checked.issues)
  }
}

/** Undefined when the schema cannot say: values such as connections have no JSON form. */
function declaredKeys(schema: StandardSchema | JsonSchema): readonly string[] | undefined {
  if (!isStandardSchema(schema)) return Object.keys(schema.properties ?? {})
  const shape = (schema as { readonly shape?: unknown }).shape
  if (typeof shape === 'object' && shape !== null) return Object.keys(shape)
  try {
    return Object.keys(toJsonSchema(schema).properties ?? {})
  } catch {
    return undefined
  }
}

const entriesOf = (values: Values, keys: readonly string[]): (readonly [string, unknown])[] =>
  keys.filter((key) => Object.hasOwn(values, key)).map((key) => [key, values[key]] as const)

function refuse(toolName: string, issues: readonly Issue[]): never {
  const problems = issues.map(describeIssue).join('; ')
  throw new ConfigurationError(
    'invalid-tool-context',
    `Tool "${toolName}" needs another toolContext than the request gave: ${problems}.`,
  )
}
