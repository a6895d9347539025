/**
 * Builds the packages of the table: code bundled per door to ESM in dist, with declarations where there are
 * doors. `tsx scripts/build.ts <folder>` leaves the repository alone and puts packages ready to be packed there.
 */
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundlePackage } from './build/bundle-package.ts'
import { copyRest } from './build/copy-rest.ts'
import { writeDeclarations, type BuiltDoors } from './build/write-declarations.ts'
import { doorName } from './doors/door-sources.ts'
import { PACKAGES, type Package } from './doors/table.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The packages of the table come in the order in which they need each other. */
function builtDoors({ uses }: Package): BuiltDoors {
  const used = PACKAGES.filter(({ name }) => uses.includes(name))
  const entries = used.flatMap((row) =>
    row.doors.map((door) => {
      const dist = join(destination ?? join(root, 'packages'), row.folder, 'dist')
      return [doorName(row, door), join(dist, door.entry.replace(/ts$/, 'd.ts'))]
    }),
  )
  return Object.fromEntries(entries) as BuiltDoors
}

const destination = process.argv[2] === undefined ? undefined : resolve(process.argv[2])
for (const row of PACKAGES) {
  const started = performance.now()
  const source = join(root, 'packages', row.folder)
  const target = destination === undefined ? source : join(destination, row.folder)
  const { files } = await bundlePackage(row, source, join(target, 'dist'))
  if (row.doors.length > 0 && !writeDeclarations(source, join(target, 'dist'), builtDoors(row)))
    process.exit(1)
  if (target !== source) copyRest(source, target)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`built ${row.folder} in ${seconds} s: ${files.length} files`)
}
