/** What is wrong with a value, said so that a model or a person can mend it. */
export interface Issue {
  /** Where: `$.items[2].name`; `$` is the value itself. */
  readonly path: string
  /** What should be there, e.g. `integer`, `one of "c", "f"`, `no property of this name`. */
  readonly expected: string
  /** What was there, shortened, e.g. `"soon"`, `nothing`, `array of 3`. */
  readonly received: string
  /** A whole sentence, when `expected` and `received` do not say it all (a Standard Schema's own message). */
  readonly message?: string
}

/** `$.time: expected date-time, received "soon"` */
export function describeIssue(issue: Issue): string {
  return issue.message !== undefined
    ? `${issue.path}: ${issue.message}`
    : `${issue.path}: expected ${issue.expected}, received ${issue.received}`
}
