/**
 * Builds the page. Plain JavaScript, because a checkout of the repository builds it when the playground is first served,
 * in whatever process that is. A package that is installed has it built.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))
const library = fileURLToPath(new URL('../../toolwright/src/', import.meta.url))
/** Of the library the page takes this door, from its sources: what it does not use of them is left out. */
const trace = join(library, 'trace/')
/** What the page is made of. */
const sources = [root, fileURLToPath(new URL('../src/protocol/', import.meta.url)), trace]
const cache = fileURLToPath(
  new URL('../../../node_modules/.cache/playground-page', import.meta.url),
)

/** @param {string} outDir is emptied first */
export async function buildPage(outDir) {
  const { build } = await import('vite')
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    resolve: { alias: { 'toolwright/trace': join(trace, 'index.ts') } },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      // What is inlined would need a looser content security policy.
      assetsInlineLimit: 0,
      modulePreload: false,
      sourcemap: false,
      rolldownOptions: {
        // As its package.json says, which is not asked about a file that is named by its path.
        treeshake: { moduleSideEffects: (id) => !id.startsWith(library) },
        output: {
          entryFileNames: 'page.js',
          assetFileNames: 'page[extname]',
          codeSplitting: false,
        },
      },
    },
  })
}

/** The page of these sources, kept under their hash. @returns {Promise<string>} its folder */
export async function builtPage() {
  const folder = join(cache, sourcesHash())
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const unfinished = `${folder}-${process.pid}`
  await buildPage(unfinished)
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Somebody else was faster.
    if (!existsSync(folder)) throw error
  }
  return folder
}

function sourcesHash() {
  const digest = createHash('sha256')
  const files = sources
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  for (const file of files) digest.update(`${relative(root, file)}\n`).update(readFileSync(file))
  return digest.digest('hex').slice(0, 32)
}
