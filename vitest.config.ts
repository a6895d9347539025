/**
 * The default test run: every unit test beside its source and everything under test/, but for the slow suites. Package names
 * resolve to sources, so that tests see what is being edited and need no build.
 */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { decorators } from './packages/toolwright/src/vite/decorators.ts'
import { DOOR_SOURCES } from './scripts/doors/door-sources.ts'
import { HANG_GUARD_MS } from './scripts/hang-guard.ts'
import { SkipReporter } from './scripts/skip-reporter.ts'
import { SpringReporter } from './scripts/spring/spring-reporter.ts'

export const alias = DOOR_SOURCES.map(({ name, source }) => ({
  find: new RegExp(`^${name}$`),
  replacement: fileURLToPath(new URL(source, import.meta.url)),
}))

/** Slow suites, which `npm run test:matrix` runs. */
export const MATRICES = '**/*.matrix.test.ts'
/** Kills of durable runs, which `npm run test:durable` does. */
export const DURABLE = '**/*.durable.test.ts'
export const NO_SOURCES = ['**/node_modules/**', '**/dist/**']

export default defineConfig({
  plugins: [decorators()],
  resolve: { alias },
  test: {
    include: [
      'packages/**/*.test.ts',
      'test/**/*.test.ts',
      'examples/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    exclude: [...NO_SOURCES, MATRICES, DURABLE],
    reporters: ['default', new SkipReporter(), new SpringReporter()],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: HANG_GUARD_MS,
    hookTimeout: HANG_GUARD_MS,
  },
})
