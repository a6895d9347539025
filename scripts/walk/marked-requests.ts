/** The requests of the walk on a copy of the library whose functions are marked. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { ENTER, markFunctions, type MarkedFunction } from './mark-functions.ts'

export interface MarkedRequests {
  readonly requests: typeof import('./requests.ts')
  /** What the ids of a trace stand for. */
  readonly functions: readonly MarkedFunction[]
}

export async function markedRequests(root: string): Promise<MarkedRequests> {
  const functions: MarkedFunction[] = []
  const { outputFiles } = await build({
    entryPoints: [join(root, 'scripts/walk/requests.ts')],
    absWorkingDir: root,
    plugins: [marks(root, functions)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  })
  const requests = (await imported(outputFiles[0]!.text)) as MarkedRequests['requests']
  return { requests, functions }
}

function marks(root: string, functions: MarkedFunction[]): Plugin {
  const library = join(root, 'packages/toolwright/src')
  const trace = JSON.stringify(join(root, 'scripts/walk/trace.ts'))
  return {
    name: 'marks',
    setup(building) {
      building.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!path.startsWith(library)) return undefined
        const text = await readFile(path, 'utf8')
        const marked = markFunctions(text, relative(library, path), functions)
        return { contents: `import { enter as ${ENTER} } from ${trace};${marked}`, loader: 'ts' }
      })
    },
  }
}

async function imported(code: string): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-walk-'))
  try {
    const file = join(folder, 'requests.mjs')
    await writeFile(file, code)
    return await import(pathToFileURL(file).href)
  } finally {
    await rm(folder, { recursive: true })
  }
}
