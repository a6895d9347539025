/** A problem with a value, described so that a model or a person can correct it. */
export interface Issue {
  /** The place of the problem: `$.items[2].name`; `$` is the value itself. */
  readonly path: string
  /** What was expected, e.g. `integer`, `one of "c", "f"`, `no property of this name`. */
  readonly expected: string
  /** What was received, shortened, e.g. `"soon"`, `nothing`, `array of 3`. */
  readonly received: string
  /** A whole sentence, if `expected` and `received` are not enough (a Standard Schema's own message). */
  readonly message?: string
}

/** `$.time: expected date-time, received "soon"` */
export function describeIssue(issue: Issue): string {
  return issue.message !== undefined
    ? `${issue.path}: ${issue.message}`
    : `${issue.path}: expected ${issue.expected}, received ${issue.received}`
}
