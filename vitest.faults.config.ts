/** Runs the fault matrix alone and prints it as a table. FAULT_REASONS=1 adds why each cell failed. */
import { defineConfig } from 'vitest/config'
import { HANG_GUARD_MS } from './scripts/hang-guard.ts'
import { MatrixReporter } from './test/fault/matrix-reporter.ts'
import { alias } from './vitest.config.ts'

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['test/fault/**/*.test.ts'],
    reporters: ['dot', new MatrixReporter()],
    pool: 'forks',
    // Memory is part of the verdict, so nothing runs beside.
    fileParallelism: false,
    testTimeout: HANG_GUARD_MS,
  },
})
