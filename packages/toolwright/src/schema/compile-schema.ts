/**
 * Checks values against JSON Schema, draft 2020-12, without generating code; step 3 of a tool call.
 * A value that does not fit may be coerced first, if nothing is lost by it. The engine is decision 0015.
 */
import { CheckRun, TooComplex, type SchemaNode } from './check-run.ts'
import { describeValue } from './describe-value.ts'
import type { Issue } from './issue.ts'
import type { JsonSchema } from './json-schema.ts'
import type { CheckResult, SchemaChecker } from './schema-checker.ts'
import { schemaCompiler } from './schema-compiler.ts'
import { SchemaIndex, type Remotes } from './schema-index.ts'

export interface CompileSchemaOptions {
  /** Repair types where nothing is lost, e.g. "42" to 42. Default true. */
  readonly coerce?: boolean
  /** Assert `format`. Default true. */
  readonly formats?: boolean
  /** Other documents that `$ref` may point to, by their absolute URI. Nothing is ever fetched. */
  readonly remotes?: Remotes
}

/**
 * Compiles on the first check, and only what that check reaches. The value given is never changed:
 * a coerced one is a copy. A schema that is itself wrong (a `$ref` to nothing, a pattern that is no
 * regular expression) throws a `ConfigurationError` when a check reaches it.
 */
export function compileSchema(
  schema: JsonSchema | boolean,
  options: CompileSchemaOptions = {},
): SchemaChecker {
  const { coerce = true, formats = true, remotes = {} } = options
  let root: SchemaNode | undefined
  return {
    check(value) {
      root ??= schemaCompiler(new SchemaIndex(schema, remotes), formats).node(schema)
      try {
        return checkWith(root, value, coerce)
      } catch (thrown) {
        if (thrown instanceof TooComplex) return refusal(thrown.expected, value)
        // Whoever called us may have left little of the stack.
        if (thrown instanceof RangeError)
          return refusal('a value that is nested less deeply', value)
        throw thrown
      }
    },
  }
}

function checkWith(root: SchemaNode, value: unknown, coerce: boolean): CheckResult {
  const run = new CheckRun()
  if (root.check(value, run)) return { ok: true, value }
  const coerced = coerce ? root.coerce(value, run) : value
  run.silent = false
  if (root.check(coerced, run)) return { ok: true, value: coerced }
  return run.issues.length > 0 ? { ok: false, issues: run.issues } : refusal('another value', value)
}

function refusal(expected: string, value: unknown): CheckResult {
  const issue: Issue = { path: '$', expected, received: describeValue(value) }
  return { ok: false, issues: [issue] }
}
