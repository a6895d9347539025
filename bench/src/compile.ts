/**
 * Compiles programs to plain JavaScript before anything is measured: no TypeScript loader runs inside a
 * measured process. Packages stay outside, so that the built ones are used as an application would use them.
 */
import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'

const BENCH = fileURLToPath(new URL('..', import.meta.url))

/**
 * Takes sources below `src` of a folder; gives the file that each became, below its `dist`: programs look their packages
 * up from where they are.
 */
export async function compile(
  sources: readonly string[],
  folder = BENCH,
): Promise<(source: string) => string> {
  await build({
    entryPoints: sources.map((source) => `${folder}src/${source}`),
    outdir: `${folder}dist`,
    outbase: `${folder}src`,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    // The repository's path aliases would pull toolwright's source into the bundle.
    tsconfigRaw: {},
  })
  return (source) => `${folder}dist/${source.replace(/\.ts$/, '.mjs')}`
}
