/** Import cycles of files, as the import rule counts them. */
import type { Cruise, Violation } from './cruise.ts'

export interface ImportCycles {
  readonly runtime: readonly string[]
  readonly types: readonly string[]
}

export function importCycles({ summary: { violations } }: Cruise): ImportCycles {
  return {
    runtime: cyclesOf(violations, 'no-cycles'),
    types: cyclesOf(violations, 'no-type-cycles'),
  }
}

/** One line per cycle, wherever in the circle it was entered. */
function cyclesOf(violations: readonly Violation[], rule: string): string[] {
  const cycles = new Map<string, string>()
  for (const { rule: broken, cycle = [] } of violations) {
    const names = cycle.map(({ name }) => name.replace('packages/toolwright/src/', ''))
    if (broken.name === rule) cycles.set(names.toSorted().join(), names.join(' → '))
  }
  return [...cycles.values()]
}
