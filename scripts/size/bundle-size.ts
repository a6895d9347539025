/**
 * What a small program with one zod tool takes from the library, minified and gzipped; zod itself is not
 * counted, and what is loaded only on demand (`import()`, the work of observers and loggers) apart.
 */
import { gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'

const PROGRAM = `
import { ChatClient, tool } from 'toolwright'
import { z } from 'zod'
const now = tool({ name: 'now', input: z.object({ zone: z.string() }), execute: ({ zone }) => zone })
export const ask = (model, text) => ChatClient.create(model).prompt(text).tools(now).call().content()
`

export interface BundleSize {
  /** The same with everything that can be loaded on demand. */
  readonly gzipBytesWithOnDemand: number
  readonly minifiedBytes: number
  readonly gzipBytes: number
  /** Minified bytes by folder of the library, largest first. */
  readonly folders: readonly (readonly [folder: string, bytes: number])[]
}

const onDemand: Plugin = {
  name: 'on-demand',
  setup(building) {
    building.onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    )
  },
}

export async function bundleSize(root: string): Promise<BundleSize> {
  const atOnce = await bundle(root, [onDemand])
  const all = await bundle(root, [])
  return { ...atOnce, gzipBytesWithOnDemand: all.gzipBytes }
}

async function bundle(
  root: string,
  plugins: Plugin[],
): Promise<Omit<BundleSize, 'gzipBytesWithOnDemand'>> {
  const { outputFiles, metafile } = await build({
    plugins,
    stdin: { contents: PROGRAM, resolveDir: root, loader: 'ts' },
    alias: { toolwright: join(root, 'packages/toolwright/src/index.ts') },
    absWorkingDir: root,
    external: ['zod'],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
  })
  const code = outputFiles[0]!.contents
  const [output] = Object.values(metafile.outputs)
  return {
    minifiedBytes: code.length,
    gzipBytes: gzipSync(code, { level: 9 }).length,
    folders: byFolder(output!.inputs),
  }
}

function byFolder(inputs: { readonly [file: string]: { readonly bytesInOutput: number } }) {
  const folders = new Map<string, number>()
  for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
    const folder = /src\/([^/]+)\//.exec(file)?.[1] ?? 'the program'
    folders.set(folder, (folders.get(folder) ?? 0) + bytesInOutput)
  }
  return [...folders].sort((a, b) => b[1] - a[1])
}
