/**
 * Builds the packages of the table: code bundled per door to ESM in dist, with declarations where there are
 * doors. `tsx scripts/build.ts <folder>` leaves the repository alone and puts packages ready to be packed there.
 */
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundlePackage } from './build/bundle-package.ts'
import { writeDeclarations } from './build/write-declarations.ts'
import { PACKAGES } from './doors/table.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What a package holds besides its code. */
function copyRest(source: string, target: string): void {
  for (const name of ['package.json', 'bin', 'README.md', 'LICENSE']) {
    if (existsSync(join(source, name)))
      cpSync(join(source, name), join(target, name), { recursive: true })
  }
}

const destination = process.argv[2]
for (const row of PACKAGES) {
  const started = performance.now()
  const source = join(root, 'packages', row.folder)
  const target = destination === undefined ? source : join(destination, row.folder)
  const { files } = await bundlePackage(row, source, join(target, 'dist'))
  if (row.doors.length > 0 && !writeDeclarations(source, join(target, 'dist'))) process.exit(1)
  if (target !== source) copyRest(source, target)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`built ${row.folder} in ${seconds} s: ${files.length} files`)
}
