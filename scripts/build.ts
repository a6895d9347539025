/**
 * Builds the packages: their sources, without tests, to ESM in dist; the library with its declarations.
 * `tsx scripts/build.ts <folder>` leaves the repository alone and puts packages ready to be packed there.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const tsc = join(root, 'node_modules/typescript/bin/tsc')
/** Each with the file without which it is not built. */
const PACKAGES = [
  ['toolwright', 'index.js'],
  ['cli', 'main.js'],
] as const

/** The compiler leaves `./x.ts` in declarations, which only newer compilers resolve to `./x.d.ts`. */
function rewriteDeclarationImports(dist: string): void {
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

function compile(source: string, dist: string): void {
  // What a removed source left behind must not be shipped.
  rmSync(dist, { recursive: true, force: true })
  const args = [tsc, '-p', join(source, 'tsconfig.build.json'), '--outDir', dist]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  rewriteDeclarationImports(dist)
}

/** What a package holds besides its code. */
function copyRest(source: string, target: string): void {
  for (const name of ['package.json', 'bin', 'README.md']) {
    if (existsSync(join(source, name)))
      cpSync(join(source, name), join(target, name), { recursive: true })
  }
}

const destination = process.argv[2]
for (const [name, main] of PACKAGES) {
  const started = performance.now()
  const source = join(root, 'packages', name)
  const target = destination === undefined ? source : join(destination, name)
  compile(source, join(target, 'dist'))
  if (!existsSync(join(target, 'dist', main))) {
    console.error(`The build made no ${name}/dist/${main}: is its source there?`)
    process.exit(1)
  }
  if (target !== source) copyRest(source, target)
  console.log(`built ${name} in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}
