/** A part of a trace, from one point to another: what of it is counted, and how it is shown. */
import { ANONYMOUS } from '../size/source-sizes.ts'
import type { MarkedFunction } from './mark-functions.ts'
import type { Step } from './trace.ts'

export interface Passed {
  readonly marked: MarkedFunction
  readonly depth: number
}

/** The functions entered after the first point `from` and before the first point `to` that follows it. */
export function passedBetween(
  steps: readonly Step[],
  functions: readonly MarkedFunction[],
  { from, to }: { readonly from: string; readonly to: string },
): readonly Passed[] {
  const start = indexOfPoint(steps, from, 0)
  const end = indexOfPoint(steps, to, start + 1)
  return steps
    .slice(start, end)
    .flatMap((step) =>
      step.kind === 'function' ? [{ marked: functions[step.id]!, depth: step.depth }] : [],
    )
}

function indexOfPoint(steps: readonly Step[], name: string, after: number): number {
  const index = steps.findIndex(
    (step, at) => at >= after && step.kind === 'point' && step.name === name,
  )
  if (index >= 0) return index
  const passed = steps.flatMap((step) => (step.kind === 'point' ? [step.name] : []))
  throw new Error(`The walk never came to "${name}"; it came to: ${passed.join(', ')}.`)
}

/** Folders of values and of what is asked of them; a walk through the machinery leaves them out. */
const UNCOUNTED = ['messages', 'schema', 'tools']

export const isCounted = ({ marked: { file, name } }: Passed): boolean =>
  name !== ANONYMOUS && name !== 'constructor' && !UNCOUNTED.includes(file.split('/')[0]!)

/** Each function once, where it was entered first. */
export function firstEntries(passed: readonly Passed[]): readonly Passed[] {
  const seen = new Set<MarkedFunction>()
  return passed.filter(({ marked }) => !seen.has(marked) && seen.add(marked))
}

export const filesOf = (passed: readonly Passed[]): number =>
  new Set(passed.map(({ marked }) => marked.file)).size

/** One line for each, indented under the last line that was less deep. */
export function linesOf(passed: readonly Passed[]): readonly string[] {
  const open: number[] = []
  return passed.map(({ marked: { file, name }, depth }) => {
    while (open.length > 0 && open.at(-1)! >= depth) open.pop()
    open.push(depth)
    return `${'  '.repeat(open.length - 1)}${file}:${name}`
  })
}
