/**
 * The default test run: every unit test beside its source and everything under test/, but for the slow suites. Package names
 * resolve to sources, so that tests see what is being edited and need no build.
 */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { decorators } from './packages/toolwright/src/vite/decorators.ts'
import { bundledWorkers } from './scripts/build/worker-files.ts'
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

/**
 * Tests that leave nothing behind in their process. They share one for many files, because loading the
 * library's modules for each file costs more than a third of the whole run.
 */
const SHARING_PACKAGES = 'toolwright|ai-sdk|cli|code-mode|dbos|fault-server|mcp|otel|sql'
const SHARING_FOLDERS =
  'cli|code-mode|e2e|fault|fuzz|generate|lowering|mcp|otel|regression|sql|trace|types|ui|wire'
const SHARING = [
  `packages/@(${SHARING_PACKAGES})/**/*.test.ts`,
  `test/@(${SHARING_FOLDERS})/**/*.test.ts`,
  'test/*.test.ts',
  'examples/**/*.test.ts',
  'scripts/**/*.test.ts',
]
/**
 * What listens to the console hears late warnings of others, and what counts memory or assertions counts theirs. Steps are
 * counted whole only in functions that were compiled after the counting began.
 */
const ALONE = [
  'examples/spring/spring.test.ts',
  'test/e2e/logging.test.ts',
  'test/regression/unread-run-says-so.test.ts',
  'packages/toolwright/src/loop/pair-history.test.ts',
  'packages/toolwright/src/memory/summarising-memory.test.ts',
]
const exclude = [...NO_SOURCES, MATRICES, DURABLE]

/** What all runs of tests have. */
export const base = {
  plugins: [decorators(), bundledWorkers()],
  resolve: { alias },
  test: {
    reporters: ['default', new SkipReporter(), new SpringReporter()],
    pool: 'forks' as const,
    maxWorkers: 2,
    testTimeout: HANG_GUARD_MS,
    hookTimeout: HANG_GUARD_MS,
    // By the content of a file, so that only what has changed is compiled again in the next run.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest-modules' },
  },
}

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: [
            `packages/!(${SHARING_PACKAGES})/**/*.test.ts`,
            `test/!(${SHARING_FOLDERS})/**/*.test.ts`,
            ...ALONE,
          ],
          exclude,
        },
      },
      {
        extends: true,
        test: {
          name: 'sharing',
          include: SHARING,
          exclude: [...exclude, ...ALONE],
          isolate: false,
        },
      },
    ],
  },
})
