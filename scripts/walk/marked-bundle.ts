/** The walk and the library in one file, every function of the library marked. */
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { ENTER, markFunctions, type MarkedFunction } from './mark-functions.ts'

export interface MarkedBundle {
  readonly code: string
  readonly functions: readonly MarkedFunction[]
}

export async function markedBundle(root: string): Promise<MarkedBundle> {
  const library = join(root, 'packages/toolwright/src')
  const functions: MarkedFunction[] = []
  const trace = join(root, 'scripts/walk/trace.ts')
  const marks: Plugin = {
    name: 'marks',
    setup(building) {
      building.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const file = relative(library, path)
        if (file.startsWith('..')) return undefined
        const marked = markFunctions(await readFile(path, 'utf8'), file, functions)
        const importing = `import { enter as ${ENTER} } from ${JSON.stringify(trace)};`
        return { contents: importing + marked, loader: 'ts' }
      })
    },
  }
  const { outputFiles } = await build({
    entryPoints: [join(root, 'scripts/walk/scenario.ts')],
    absWorkingDir: root,
    plugins: [marks],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  })
  return { code: outputFiles[0]!.text, functions }
}
