/** Checks JSON against a JSON Schema, for packages that get both from elsewhere. */
import { compileSchema } from './compile-schema.ts'
import type { JsonSchema } from './json-schema.ts'
import { remembered } from './remembered.ts'
import type { CheckResult, SchemaChecker } from './schema-checker.ts'

const checkers = new WeakMap<object, SchemaChecker>()

/**
 * Whether a value fits, without coercion. The schema is compiled once, without generating code, and nothing is fetched;
 * one that is itself wrong throws a `ConfigurationError`.
 *
 * @example
 * const checked = checkJson({ type: 'object', required: ['city'] }, answer)
 * if (!checked.ok) console.log(checked.issues)
 */
export const checkJson = (schema: JsonSchema, value: unknown): CheckResult =>
  remembered(checkers, schema, () => compileSchema(schema, { coerce: false })).check(value)
