/**
 * The code of a package as it is published: one file per door, what doors share in chunks that exist once, and
 * what is imported on demand in chunks of its own. Hundreds of small files cost a program 70 ms at its start,
 * a dozen cost 20. Not minified, with names, comments and source maps.
 */
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { CONTRACTS, SHARED_ROOMS, type Package } from '../doors/table.js'
import { buildPage } from './build-page.ts'
import { workerFiles } from './worker-files.ts'

export interface Bundle {
  readonly files: readonly BundledFile[]
}

export interface BundledFile {
  /** Below the folder it was written to. */
  readonly name: string
  /** The sources in it. */
  readonly sources: readonly string[]
  /** Other files of the bundle that are loaded with it. */
  readonly imports: readonly string[]
  /** Other files of the bundle that it loads on demand. */
  readonly onDemand: readonly string[]
}

/** What nearly every door needs is one file, whichever of it each needs: fewer files start faster. */
const GROUPS = [
  { name: 'contracts', test: sourcesIn(CONTRACTS) },
  ...Object.keys(SHARED_ROOMS).map((room) => ({
    name: room.replaceAll('/', '-'),
    test: sourcesIn([room]),
  })),
]

function sourcesIn(rooms: readonly string[]): RegExp {
  return new RegExp(`/packages/toolwright/src/(${rooms.join('|')})/`)
}

/** `packageFolder` holds `src`; `dist` is emptied first. */
export async function bundlePackage(
  row: Package,
  packageFolder: string,
  dist: string,
): Promise<Bundle> {
  const entries = [...row.doors.map((door) => door.entry), ...(row.command ? [row.command] : [])]
  const bundle = await rolldown({
    cwd: packageFolder,
    input: Object.fromEntries(
      entries.map((entry) => [entry.replace(/\.ts$/, ''), join(packageFolder, 'src', entry)]),
    ),
    // Whatever is no path is another package, or Node itself.
    external: (id) => !/^[./]/.test(id),
    platform: 'neutral',
    plugins: [workerFiles()],
    tsconfig: false,
    transform: { target: 'es2022', typescript: { onlyRemoveTypeImports: true } },
  })
  const { output } = await bundle.write({
    dir: dist,
    cleanDir: true,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups: GROUPS },
  })
  await bundle.close()
  if (row.hasPage) await buildPage(packageFolder, join(dist, 'page'))
  const chunks = output.filter((file) => file.type === 'chunk')
  const names = new Set(chunks.map(({ fileName }) => fileName))
  return {
    files: chunks.map(({ fileName, moduleIds, imports, dynamicImports }) => ({
      name: fileName,
      sources: moduleIds,
      imports: imports.filter((name) => names.has(name)),
      onDemand: dynamicImports.filter((name) => names.has(name)),
    })),
  }
}
