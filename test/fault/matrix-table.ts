/** What a test hands to the reporter, and the table made of it. Read by the config, so it imports nothing. */

/** One cell, as a test puts it on its `task.meta.fault`. */
export interface ReportedCell {
  readonly contender: string
  readonly scenario: string
  readonly column: string
  readonly mark: string
  readonly why: string
}

declare module 'vitest' {
  interface TaskMeta {
    fault?: ReportedCell
  }
}

/** The table of one contender, ending with its totals. */
export function matrixTable(contender: string, cells: readonly ReportedCell[]): string {
  const columns = [...new Set(cells.map((cell) => cell.column))]
  const scenarios = [...new Set(cells.map((cell) => cell.scenario))]
  const width = Math.max(...scenarios.map((name) => name.length))
  const line = (name: string, marks: readonly string[]): string =>
    `  ${name.padEnd(width)}  ${marks.map((mark, at) => mark.padEnd(columns[at]!.length)).join('  ')}`.trimEnd()
  const rows = scenarios.map((scenario) => {
    const own = cells.filter((cell) => cell.scenario === scenario)
    const marks = columns.map((column) => own.find((cell) => cell.column === column)?.mark ?? '-')
    return line(scenario, marks)
  })
  const failed = cells.filter((cell) => cell.mark === 'FAIL').length
  const totals = `  ${scenarios.length} scenarios, ${cells.length} runs: ${cells.length - failed} passed, ${failed} failed`
  return [contender, line('', columns), ...rows, totals].join('\n')
}
