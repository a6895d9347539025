/**
 * What a small program with one zod tool takes from the library as it is published, minified and gzipped; zod
 * itself is not counted, and what is loaded only on demand (`import()`, the work of observers and loggers) apart.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Metafile, type Plugin } from 'esbuild'
import { bundlePackage } from '../build/bundle-package.ts'
import { PACKAGES } from '../doors/table.js'

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

interface Bundled {
  readonly code: Uint8Array
  readonly inputs: Metafile['outputs'][string]['inputs']
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
  const folder = mkdtempSync(join(tmpdir(), 'bundle-size-'))
  try {
    const row = PACKAGES.find(({ name }) => name === 'toolwright')!
    await bundlePackage(row, join(root, 'packages/toolwright'), join(folder, 'dist'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "sideEffects": false }')
    const published = join(folder, 'dist/index.js')
    const atOnce = await bundle(root, published, [onDemand])
    const all = await bundle(root, published, [])
    // Published files hold several folders each, so the shares are those of the sources.
    const source = join(root, 'packages/toolwright/src/index.ts')
    const { inputs } = await bundle(root, source, [onDemand])
    return {
      minifiedBytes: atOnce.code.length,
      gzipBytes: gzipped(atOnce),
      gzipBytesWithOnDemand: gzipped(all),
      folders: byFolder(inputs),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const gzipped = ({ code }: Bundled): number => gzipSync(code, { level: 9 }).length

async function bundle(root: string, library: string, plugins: Plugin[]): Promise<Bundled> {
  const { outputFiles, metafile } = await build({
    plugins,
    stdin: { contents: PROGRAM, resolveDir: root, loader: 'ts' },
    alias: { toolwright: library },
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
  const [output] = Object.values(metafile.outputs)
  return { code: outputFiles[0]!.contents, inputs: output!.inputs }
}

function byFolder(inputs: Bundled['inputs']) {
  const folders = new Map<string, number>()
  for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
    const folder = /src\/([^/]+)\//.exec(file)?.[1] ?? 'the program'
    folders.set(folder, (folders.get(folder) ?? 0) + bytesInOutput)
  }
  return [...folders].sort((a, b) => b[1] - a[1])
}
