/** The declarations of a package, one file for each source, checked on the way. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const typeRoots = [fileURLToPath(new URL('../../node_modules/@types', import.meta.url))]
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/** The declarations of the packages it imports, by the name of the package. */
export type BuiltDoors = { readonly [name: string]: string }

/** Says whether it compiled; what did not is on the terminal. */
export function writeDeclarations(packageFolder: string, dist: string, built: BuiltDoors): boolean {
  const config = join(dist, 'tsconfig.json')
  writeFileSync(config, JSON.stringify(configOf(packageFolder, dist, built)))
  const { status } = spawnSync(process.execPath, [tsc, '-p', config], { stdio: 'inherit' })
  rmSync(config)
  if (status === 0) rewriteImports(dist)
  return status === 0
}

/** The package's own, with the other packages as they have just been built, wherever that is. */
function configOf(packageFolder: string, dist: string, built: BuiltDoors): object {
  const paths = Object.entries(built).map(([name, file]) => [name, [file]] as const)
  return {
    extends: join(packageFolder, 'tsconfig.build.json'),
    compilerOptions: { outDir: dist, paths: Object.fromEntries(paths), typeRoots },
  }
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
