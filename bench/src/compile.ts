/**
 * Compiles programs to plain JavaScript before anything is measured: no TypeScript loader runs inside a
 * measured process. Packages stay outside, so that the built ones are used as an application would use them.
 */
import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'

// Inside the workspace, because the programs look their packages up from where they are.
const OUT_DIRECTORY = fileURLToPath(new URL('../dist', import.meta.url))
const SOURCES = fileURLToPath(new URL('.', import.meta.url))

/** Takes sources below bench/src; gives the file that each became. */
export async function compile(sources: readonly string[]): Promise<(source: string) => string> {
  await build({
    entryPoints: sources.map((source) => `${SOURCES}${source}`),
    outdir: OUT_DIRECTORY,
    outbase: SOURCES,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    // The repository's path aliases would pull toolwright's source into the bundle.
    tsconfigRaw: {},
  })
  return (source) => `${OUT_DIRECTORY}/${source.replace(/\.ts$/, '.mjs')}`
}
