/**
 * All packages as npm would install them, for processes that tests and examples start: from sources each start
 * would compile hundreds of files. A build is kept under the hash of everything it is made of, so it is never
 * older than the sources, and whoever comes first makes it. It appears at once and whole: several processes may ask.
 */
import { randomUUID } from 'node:crypto'
import {
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { doorName } from '../doors/door-sources.ts'
import { PACKAGES } from '../doors/table.js'
import { bundlePackage } from './bundle-package.ts'
import { copyRest } from './copy-rest.ts'
import { sourcesHash } from './sources-hash.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Inside `node_modules`, so that the packages find what they depend on. */
const builds = join(root, 'node_modules/.cache/built-packages')
const KEPT_MS = 24 * 3_600_000

export interface BuiltPackages {
  /** The file that starts the command. */
  readonly command: string
  /** The repository's, but that the doors are those of the build. For `tsx --tsconfig`. */
  readonly tsconfig: string
}

export async function builtPackages(): Promise<BuiltPackages> {
  for (;;) {
    const hash = sourcesHash(root)
    const folder = join(builds, hash)
    if (!existsSync(folder)) await build(folder)
    utimesSync(folder, new Date(), new Date())
    // What was written while it was built may be in it or not.
    if (sourcesHash(root) === hash)
      return {
        command: join(folder, 'node_modules/@toolwright/cli/bin/toolwright.js'),
        tsconfig: join(folder, 'tsconfig.json'),
      }
    rmSync(folder, { recursive: true, force: true })
  }
}

async function build(folder: string): Promise<void> {
  const unfinished = `${folder}-${randomUUID()}`
  for (const row of PACKAGES) {
    const source = join(root, 'packages', row.folder)
    const target = join(unfinished, 'node_modules', row.name)
    await bundlePackage(row, source, join(target, 'dist'))
    copyRest(source, target)
  }
  writeFileSync(join(unfinished, 'tsconfig.json'), JSON.stringify(configIn(folder)))
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true })
    // Somebody else was faster.
    if (!existsSync(folder)) throw error
  }
  removeOld()
}

function configIn(folder: string): object {
  const paths = PACKAGES.flatMap((row) =>
    row.doors.map((door) => [
      doorName(row, door),
      [join(folder, 'node_modules', row.name, 'dist', door.entry.replace(/ts$/, 'js'))],
    ]),
  )
  return {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { paths: Object.fromEntries(paths) as object },
  }
}

/** Those that nobody has asked for lately. */
function removeOld(): void {
  for (const name of readdirSync(builds)) {
    const folder = join(builds, name)
    const { mtimeMs = Infinity } = statSync(folder, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs < Date.now() - KEPT_MS) rmSync(folder, { recursive: true, force: true })
  }
}
