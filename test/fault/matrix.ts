/** The cells of the matrix: every scenario in every dialect and mode. */
import { FAULT_SCENARIOS, type FaultDialect } from '@toolwright/fault-server'
import { DIALECTS, MODES, type Cell } from './run-scenario.ts'

export function matrixCells(
  deadlineMs: number,
  dialects: readonly FaultDialect[] = DIALECTS,
): readonly Cell[] {
  return FAULT_SCENARIOS.flatMap((scenario) =>
    dialects.flatMap((dialect) => MODES.map((mode) => ({ scenario, dialect, mode, deadlineMs }))),
  )
}

export const columnOf = (cell: Pick<Cell, 'dialect' | 'mode'>): string =>
  `${cell.dialect} ${cell.mode}`
