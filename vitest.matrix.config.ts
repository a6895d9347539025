/** The slow suites: many combinations of one thing, compilers, packed packages. CI runs them too. */
import { defineConfig } from 'vitest/config'
import { base, MATRICES, NO_SOURCES } from './vitest.config.ts'

export default defineConfig({
  ...base,
  test: { ...base.test, include: [MATRICES], exclude: NO_SOURCES },
})
