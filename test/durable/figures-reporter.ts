/** Prints what the suites of durable runs did, as one table at the end. */
import type { Reporter, TestModule } from 'vitest/node'

/** As a test puts them on its `task.meta.durable`. */
export interface DurableFigures {
  readonly [what: string]: number
}

declare module 'vitest' {
  interface TaskMeta {
    durable?: DurableFigures
  }
}

export class FiguresReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows: { [test: string]: { [what: string]: number } } = {}
    const total: { [what: string]: number } = {}
    for (const module of modules)
      for (const test of module.children.allTests()) {
        const figures = test.meta().durable
        if (!figures) continue
        const seconds = Math.round((test.diagnostic()?.duration ?? 0) / 1_000)
        rows[test.name] = { ...figures, seconds }
        for (const [what, count] of Object.entries(rows[test.name]!))
          total[what] = (total[what] ?? 0) + count
      }
    console.table({ ...rows, total })
  }
}
