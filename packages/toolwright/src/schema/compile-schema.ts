/**
 * Checks values against JSON Schema, draft 2020-12, without generating code; step 3 of a tool call. A value
 * that does not fit is coerced first, if that loses nothing. The engine is decision 0015.
 */
import { describeValue, pathText } from './describe-value.ts'
import type { Issue } from '../errors/issue.ts'
import type { JsonSchema } from './json-schema.ts'
import type { Finding, Mode, Visit } from './keyword.ts'
import type { CheckResult, SchemaChecker } from './schema-checker.ts'
import { SchemaIndex, type Remotes } from './schema-index.ts'
import { SchemaWalk, type CompiledSchema } from './schema-walk.ts'

export interface CompileSchemaOptions {
  /** Repairs types if that loses nothing, e.g. "42" to 42. Default true. */
  readonly coerce?: boolean
  /** Checks `format`. Default true. */
  readonly formats?: boolean
  /** Other documents that `$ref` may point to, by their absolute URI. Nothing is fetched. */
  readonly remotes?: Remotes
}

/**
 * Compiles with the first check, and only the parts that a check reaches. The given value is never changed:
 * a coerced value is a copy. A schema that is itself wrong (a `$ref` to nothing, an invalid pattern) throws
 * a `ConfigurationError` when a check reaches it.
 */
export function compileSchema(
  schema: JsonSchema | boolean,
  options: CompileSchemaOptions = {},
): SchemaChecker {
  const { coerce = true, formats = true, remotes = {} } = options
  let compiled: CompiledSchema | undefined
  const walk = (mode: Mode, value: unknown): Visit => {
    compiled ??= {
      index: new SchemaIndex(schema, remotes),
      formats,
      plans: new Map(),
      patterns: new Map(),
    }
    return new SchemaWalk(compiled, mode).visit(schema, value)
  }
  const checked = (value: unknown): CheckResult => {
    if (walk('check', value).fits) return { ok: true, value }
    const coerced = coerce ? walk('coerce', value).value : value
    const { fits, issues } = walk('explain', coerced)
    return fits ? { ok: true, value: coerced } : { ok: false, issues: issues.map(toIssue) }
  }
  return {
    check(value) {
      try {
        return checked(value)
      } catch (thrown) {
        if (!(thrown instanceof RangeError)) throw thrown
        // The value was too deep or too much work, or the caller left too little of the stack.
        compiled = undefined
        const expected = (): string => 'a simpler value, nested less deeply'
        return { ok: false, issues: [toIssue({ path: [], expected, value })] }
      }
    },
  }
}

function toIssue({ path, expected, value }: Finding): Issue {
  return { path: pathText(path), expected: expected(), received: describeValue(value) }
}
