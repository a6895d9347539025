/**
 * Compiles the server and the workers to plain JavaScript before anything is measured: no TypeScript
 * loader runs inside a measured process. toolwright and zod stay outside, so that the built packages
 * are used as an application would use them.
 */
import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'
import { CONTENDERS } from './contenders.ts'

// Inside the workspace, because the bundles look their packages up from where they are.
const OUT_DIRECTORY = fileURLToPath(new URL('../../dist/wire', import.meta.url))

export async function bundle(): Promise<{ server: string; worker(name: string): string }> {
  const workers = [...new Set(CONTENDERS.map((contender) => contender.worker))]
  const sources = ['mock-server.ts', ...workers.map((worker) => `workers/${worker}.ts`)]
  await build({
    entryPoints: sources.map((source) => fileURLToPath(new URL(source, import.meta.url))),
    outdir: OUT_DIRECTORY,
    outbase: fileURLToPath(new URL('.', import.meta.url)),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['toolwright', 'toolwright/*', 'zod'],
    // The repository's path aliases would pull toolwright's source into the bundle.
    tsconfigRaw: {},
  })
  return {
    server: `${OUT_DIRECTORY}/mock-server.mjs`,
    worker: (name) => `${OUT_DIRECTORY}/workers/${name}.mjs`,
  }
}
