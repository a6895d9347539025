/**
 * Checks a value with a Standard Schema and converts its issues. If `validate` throws, that is an issue
 * too.
 */
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import { describeValue, pathText, type PathKey } from './describe-value.ts'
import type { Issue } from '../errors/issue.ts'
import { valueAt } from './json-object.ts'
import type { CheckResult } from './schema-checker.ts'
import type { StandardIssue, StandardResult, StandardSchema } from './standard-schema.ts'

/** Checks a value; synchronous if the schema is. `at` is the path of the value in the issues. */
export function checkStandard(
  schema: StandardSchema,
  value: unknown,
  at: readonly PathKey[] = [],
): CheckResult | Promise<CheckResult> {
  const fromResult = (result: StandardResult<unknown>): CheckResult =>
    result.issues
      ? { ok: false, issues: result.issues.map((issue) => toIssue(issue, value, at)) }
      : { ok: true, value: result.value }
  const fromThrown = (thrown: unknown): CheckResult => ({
    ok: false,
    issues: [toIssue({ message: redact(messageOfThrown(thrown)) }, value, at)],
  })
  try {
    const result = schema['~standard'].validate(value)
    return 'then' in result
      ? Promise.resolve(result).then(fromResult, fromThrown)
      : fromResult(result)
  } catch (thrown) {
    return fromThrown(thrown)
  }
}

function toIssue(issue: StandardIssue, value: unknown, at: readonly PathKey[]): Issue {
  const keys = (issue.path ?? []).map((part) => (typeof part === 'object' ? part.key : part))
  const path = [...at, ...keys.map((key) => (typeof key === 'number' ? key : String(key)))]
  return {
    path: pathText(path),
    expected: issue.message,
    received: describeValue(valueAt(value, keys)),
    message: issue.message,
  }
}
