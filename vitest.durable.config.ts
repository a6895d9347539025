/** Durable runs whose workers are killed, stopped and cut off. TOOLWRIGHT_DURABLE_FULL=1 does all of it. */
import { defineConfig } from 'vitest/config'
import { SkipReporter } from './scripts/skip-reporter.ts'
import { FiguresReporter } from './test/durable/figures-reporter.ts'
import { base, DURABLE, NO_SOURCES } from './vitest.config.ts'

/** All kills take so long, on two cores. */
const HANG_GUARD_MS = 4 * 3_600_000

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: [DURABLE],
    exclude: NO_SOURCES,
    reporters: ['default', new SkipReporter(), new FiguresReporter()],
    // Each starts several processes of its own.
    fileParallelism: false,
    testTimeout: HANG_GUARD_MS,
    hookTimeout: HANG_GUARD_MS,
  },
})
