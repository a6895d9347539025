/** Prints the fault matrix of every contender at the end of a run, and why a cell failed. */
import type { Reporter, TestModule } from 'vitest/node'
import { matrixTable, type ReportedCell } from './matrix-table.ts'

export class MatrixReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const cells: ReportedCell[] = []
    for (const module of modules)
      for (const test of module.children.allTests()) {
        const cell = test.meta().fault
        if (cell) cells.push(test.result().state === 'failed' ? { ...cell, mark: 'FAIL' } : cell)
      }
    for (const contender of [...new Set(cells.map((cell) => cell.contender))].sort())
      print(
        contender,
        cells.filter((cell) => cell.contender === contender),
      )
  }
}

function print(contender: string, cells: readonly ReportedCell[]): void {
  const reasons = cells.filter((cell) => cell.mark === 'FAIL' && cell.why !== '')
  console.log(`\n${matrixTable(contender, cells)}`)
  if (process.env.FAULT_REASONS)
    for (const { scenario, column, why } of reasons) console.log(`  ${scenario}, ${column}: ${why}`)
}
