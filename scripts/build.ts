/** Builds the packages: their sources, without tests, to ESM in dist; the library with its declarations. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const tsc = join(root, 'node_modules/typescript/bin/tsc')
/** In the order in which they need each other, each with the file without which it is not built. */
const PACKAGES = [
  ['packages/toolwright', 'index.js'],
  ['packages/cli', 'main.js'],
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

function buildPackage(folder: string, main: string): void {
  const started = performance.now()
  const dist = join(root, folder, 'dist')
  // What a removed source left behind must not be shipped.
  rmSync(dist, { recursive: true, force: true })
  const args = [tsc, '-p', join(root, folder, 'tsconfig.build.json')]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  if (!existsSync(join(dist, main))) {
    console.error(`The build made no ${folder}/dist/${main}: is its source there?`)
    process.exit(1)
  }
  rewriteDeclarationImports(dist)
  console.log(`built ${folder}/dist in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

for (const [folder, main] of PACKAGES) buildPackage(folder, main)
