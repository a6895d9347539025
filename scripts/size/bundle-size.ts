/** What a small program with one zod tool takes from the library, minified and gzipped; zod itself is not counted. */
import { gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { build } from 'esbuild'

const PROGRAM = `
import { ChatClient, tool } from 'toolwright'
import { z } from 'zod'
const now = tool({ name: 'now', input: z.object({ zone: z.string() }), execute: ({ zone }) => zone })
export const ask = (model, text) => ChatClient.create(model).prompt(text).tools(now).call().content()
`

export interface BundleSize {
  readonly minifiedBytes: number
  readonly gzipBytes: number
  /** Minified bytes by folder of the library, largest first. */
  readonly folders: readonly (readonly [folder: string, bytes: number])[]
}

export async function bundleSize(root: string): Promise<BundleSize> {
  const { outputFiles, metafile } = await build({
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
