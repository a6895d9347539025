/**
 * The contract of checking: takes a value, returns the coerced value or the issues. It never throws for a
 * JSON value.
 */
import type { Issue } from '../errors/issue.ts'

export type CheckResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] }

export interface SchemaChecker {
  check(value: unknown): CheckResult
}
