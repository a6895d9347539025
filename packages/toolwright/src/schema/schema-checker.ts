/** The contract of checking: a value goes in, the coerced value or the issues come out. Never throws for any JSON value. */
import type { Issue } from '../errors/issue.ts'

export type CheckResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] }

export interface SchemaChecker {
  check(value: unknown): CheckResult
}
