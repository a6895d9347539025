/** Runs the recorded traffic of real providers through every adapter, and prints how much of it was read right. */
import { defineConfig } from 'vitest/config'
import { HANG_GUARD_MS } from './scripts/hang-guard.ts'
import { RecordingsReporter } from './test/wire/recordings-reporter.ts'
import { alias } from './vitest.config.ts'

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['packages/**/recordings.test.ts'],
    reporters: ['dot', new RecordingsReporter()],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: HANG_GUARD_MS,
  },
})
