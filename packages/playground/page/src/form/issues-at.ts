/** Which messages of the server stand at which field. */
import type { FieldIssue } from '../../../src/protocol/routes.ts'
import { type Path, pathText, startsWith } from './path.ts'

/** About this field itself. */
export const issuesAt = (issues: readonly FieldIssue[], path: Path): readonly string[] =>
  issues
    .filter((issue) => issue.path.length === path.length && startsWith(issue.path, path))
    .map(({ message }) => message)

/** About this field and all inside, with their places: where the inside has no fields of its own. */
export const issuesWithin = (issues: readonly FieldIssue[], path: Path): readonly string[] =>
  issues
    .filter((issue) => startsWith(issue.path, path))
    .map(({ path: full, message }) => {
      const inside = pathText(full.slice(path.length))
      return inside === '' ? message : `${inside}: ${message}`
    })

/** About this field, and about names that have no field in it. */
export function issuesOfObject(
  issues: readonly FieldIssue[],
  path: Path,
  names: readonly string[],
): readonly string[] {
  const elsewhere = issues.filter((issue) => {
    const name = issue.path[path.length]
    return name === undefined || !names.includes(String(name))
  })
  return issuesWithin(elsewhere, path)
}
