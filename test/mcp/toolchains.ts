/** What `.ci/toolchains` fetches for these tests: another Node, the conformance suite, and servers of others. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL('../../node_modules/.cache/toolchains/node_modules/', import.meta.url)

export const toolchain = (path: string): string => fileURLToPath(new URL(path, FOLDER))

export const HINT = 'bash .ci/toolchains fetches what it needs'

export const isMissing = (...paths: readonly string[]): boolean =>
  paths.some((path) => !existsSync(toolchain(path)))
