/**
 * The default test run: every unit test beside its source and everything under test/. Package names
 * resolve to sources, so that tests see what is being edited and need no build.
 */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { decorators } from './packages/toolwright/src/vite/decorators.ts'
import { SkipReporter } from './scripts/skip-reporter.ts'
import { SpringReporter } from './scripts/spring/spring-reporter.ts'

const source = (path: string): string =>
  fileURLToPath(new URL(`./packages/toolwright/src/${path}`, import.meta.url))

export const alias = [
  { find: /^toolwright$/, replacement: source('index.ts') },
  { find: /^toolwright\/(testing|agent|tool-search|vite)$/, replacement: source('$1/index.ts') },
  { find: /^toolwright\/(openai|anthropic|ollama)$/, replacement: source('providers/$1/index.ts') },
]

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
    exclude: ['**/node_modules/**', '**/dist/**'],
    reporters: ['default', new SkipReporter(), new SpringReporter()],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
