/** The beginning of a trace: a browser that draws all rows of a large one at once stands still for as long. */
import type { TraceSection } from './trace-sections.ts'

export const ROWS_AT_ONCE = 1000

export function firstRows(
  sections: readonly TraceSection[],
  most: number,
): readonly TraceSection[] {
  let before = 0
  return sections.flatMap((section) => {
    const room = most - before
    before += section.rows.length
    if (room <= 0) return []
    return section.rows.length <= room ? section : { ...section, rows: section.rows.slice(0, room) }
  })
}
