/**
 * Threads start with a file of their own, which code names by `new URL('./worker.ts', import.meta.url)`. In a bundle it
 * becomes a file beside the others; for tests, which run from the sources, it is bundled by itself, because a thread of
 * Node 20 reads no TypeScript.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown, type Plugin } from 'rolldown'
import type { VitestPluginContext } from 'vitest/node'
import { PACKAGES } from '../doors/table.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Below node_modules, so that a bundle finds what it imports. */
const cache = join(root, 'node_modules/.cache/workers')

const WORKERS = PACKAGES.flatMap(({ folder, workers = [] }) =>
  workers.map((worker) => join(root, 'packages', folder, 'src', worker)),
)
const NAMED = /new URL\('(\.\/[\w-]+\.ts)', import\.meta\.url\)/g

/** Those of our workers that the code of a file names, with the words that name them. */
const workersIn = (
  code: string,
  id: string,
): readonly (readonly [whole: string, worker: string])[] =>
  [...code.matchAll(NAMED)]
    .map(([whole, relative]) => [whole, join(dirname(id), relative!)] as const)
    .filter(([, worker]) => WORKERS.includes(worker))

/** The code with what is put for each worker that it names. */
async function replaced(code: string, id: string, put: (worker: string) => Promise<string>) {
  let after = code
  for (const [whole, worker] of workersIn(code, id)) after = after.replace(whole, await put(worker))
  return after === code ? undefined : { code: after, map: null }
}

/** For packages as they are published. */
export const workerFiles = (): Plugin => ({
  name: 'worker-files',
  transform(code, id) {
    return replaced(code, id, async (worker) => {
      const file = this.emitFile({ type: 'chunk', id: worker })
      return `new URL(import.meta.ROLLUP_FILE_URL_${file})`
    })
  },
})

/** For tests. */
export const bundledWorkers = () => ({
  name: 'bundled-workers',
  enforce: 'pre' as const,
  // What such a file becomes depends on all files of its worker, so it is not kept from run to run.
  configureVitest({ experimental_defineCacheKeyGenerator: define }: VitestPluginContext) {
    define(({ sourceCode, id }) => (workersIn(sourceCode, id).length > 0 ? false : undefined))
  },
  transform(code: string, id: string) {
    return replaced(code, id, async (worker) => `new URL('${await bundled(worker)}')`)
  },
})

async function bundled(worker: string): Promise<string> {
  const bundle = await rolldown({
    input: worker,
    external: (id) => !/^[./]/.test(id),
    platform: 'node',
    tsconfig: false,
    transform: { target: 'es2022' },
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  const { code } = output[0]
  const file = join(cache, `${createHash('sha256').update(code).digest('hex').slice(0, 16)}.mjs`)
  if (!existsSync(file)) {
    mkdirSync(cache, { recursive: true })
    const written = `${file}.${process.pid}`
    writeFileSync(written, code)
    renameSync(written, file)
  }
  return pathToFileURL(file).href
}
