/** The output of `toolwright generate`: a line for every file that changes, the problems, and a summary. */
import { relative } from 'node:path'
import type { Problem } from '../generation.ts'
import type { Output, Plan } from './plan-outputs.ts'

type Standing = Output['standing']

const DONE: { readonly [standing in Exclude<Standing, 'current'>]: string } = {
  missing: 'wrote',
  'out of date': 'wrote',
  stale: 'removed',
}

/** `wrote src/alarm-tools.tools.ts` or, with `check`, what would be done: `missing …`, `stale …`. */
export function describeOutputs(plan: Plan, cwd: string, check = false): readonly string[] {
  const lines: string[] = []
  for (const output of plan.outputs) {
    if (output.standing === 'current') continue
    const what = check ? output.standing : DONE[output.standing]
    const why = output.standing === 'stale' ? ` (${output.because})` : ''
    lines.push(`${what.padEnd(check ? 11 : 7)} ${relativePath(output.file, cwd)}${why}`)
  }
  return lines
}

/** Two lines each: `file:line:column message`, which editors and terminals link, and what to do. */
export const describeProblems = (problems: readonly Problem[], cwd: string): readonly string[] =>
  problems.flatMap(({ file, line, column, message, fix }) => [
    `${relativePath(file, cwd)}:${line}:${column} ${message}`,
    `  fix: ${fix}`,
  ])

/** The same for what a generated file leaves out. */
export const describeWarnings = (warnings: readonly Problem[], cwd: string): readonly string[] =>
  describeProblems(
    warnings.map((one) => ({ ...one, message: `warning: ${one.message}` })),
    cwd,
  )

export function summaryOf({ outputs, problems, warnings }: Plan, check = false): string {
  const count = (...standings: Standing[]): number =>
    outputs.filter(({ standing }) => standings.includes(standing)).length
  const counts: [number, string][] = check
    ? [
        [count('missing'), 'missing'],
        [count('out of date'), 'out of date'],
        [count('stale'), 'stale'],
        [count('current'), 'up to date'],
      ]
    : [
        [count('missing', 'out of date'), 'written'],
        [count('stale'), 'removed'],
        [count('current'), 'unchanged'],
      ]
  const parts = counts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`)
  if (problems.length > 0)
    parts.push(`${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`)
  // Files can be up to date and leave something out, so a check does not count it.
  if (warnings.length > 0 && !check)
    parts.push(`${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}`)
  return parts.length > 0 ? parts.join(', ') : NO_TOOLS
}

const NO_TOOLS =
  'No tools found. Tag an exported function or a method of an exported class with @tool in its doc comment.'

const relativePath = (file: string, cwd: string): string => relative(cwd, file)
