/** Which messages of the server stand at which field. */
import type { Json } from 'toolwright'
import type { FieldIssue } from '../../../src/protocol/shown-content.ts'
import { isJsonObject, isSame } from './fit-of.ts'
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

/** Those about what is still as it was when they were found. A change inside of a field is one of the field too. */
export const openIssues = (
  issues: readonly FieldIssue[],
  { judged, now }: { readonly judged: Json | undefined; readonly now: Json | undefined },
): readonly FieldIssue[] =>
  isSame(judged, now)
    ? issues
    : issues.filter(({ path }) => isSame(valueAt(judged, path), valueAt(now, path)))

const valueAt = (value: Json | undefined, path: Path): Json | undefined =>
  path.reduce<Json | undefined>((inside, step) => {
    if (Array.isArray(inside)) return (inside as readonly Json[])[Number(step)]
    return isJsonObject(inside) && Object.hasOwn(inside, step) ? inside[step] : undefined
  }, value)
