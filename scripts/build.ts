/** Builds the library: its sources, without tests, to ESM and declarations in packages/toolwright/dist. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const library = join(root, 'packages/toolwright')
const dist = join(library, 'dist')

/** The compiler leaves `./x.ts` in declarations, which only newer compilers resolve to `./x.d.ts`. */
function rewriteDeclarationImports(): void {
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

const started = performance.now()
// What a removed source left behind must not be shipped.
rmSync(dist, { recursive: true, force: true })

const tsc = join(root, 'node_modules/typescript/bin/tsc')
const args = [tsc, '-p', join(library, 'tsconfig.build.json')]
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
if (!existsSync(join(dist, 'index.js'))) {
  console.error('The build made no dist/index.js: is src/index.ts there?')
  process.exit(1)
}
rewriteDeclarationImports()
console.log(
  `built packages/toolwright/dist in ${((performance.now() - started) / 1000).toFixed(1)} s`,
)
