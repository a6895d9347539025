/** The declarations of a package, one file for each source, checked on the way. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/** Says whether it compiled; what did not is on the terminal. */
export function writeDeclarations(packageFolder: string, dist: string): boolean {
  const args = [tsc, '-p', join(packageFolder, 'tsconfig.build.json'), '--outDir', dist]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status === 0) rewriteImports(dist)
  return status === 0
}

/** The compiler leaves `./x.ts` in declarations, which only newer compilers resolve to `./x.d.ts`. */
function rewriteImports(dist: string): void {
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const file = join(dist, name)
    const text = readFileSync(file, 'utf8')
    writeFileSync(
      file,
      text.replace(/((?:from|import\()\s*['"]\.{1,2}\/[^'"]*)\.ts(['"])/g, '$1.js$2'),
    )
  }
}
