/**
 * `npm run test:fuzz [cases] [first seed]`: random conversations in random memories, and whether what is sent to the
 * model is valid. FUZZ_CASES says the same; the default is a million. Prints where it is, and the seed of what fails.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Bundled first: what the library loads on demand would be asked of the loader of TypeScript in every case. */
async function bundledCase(): Promise<(seed: number) => Promise<readonly string[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-fuzz-'))
  const outfile = join(folder, 'memory-case.mjs')
  const entry = fileURLToPath(new URL('../test/fuzz/memory-case.ts', import.meta.url))
  try {
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'error',
    })
    const { memoryCase } = (await import(
      pathToFileURL(outfile).href
    )) as typeof import('../test/fuzz/memory-case.ts')
    return memoryCase
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const [cases = Number(process.env['FUZZ_CASES'] ?? 1_000_000), first = 1] = process.argv
  .slice(2)
  .map(Number)
if (![cases, first].every((each) => Number.isInteger(each) && each >= 1)) {
  console.error('Give the number of cases and the first seed, both whole numbers from 1.')
  process.exit(2)
}

const memoryCase = await bundledCase()
const STEP = 10_000
const begin = performance.now()
let failed = 0
for (let done = 0; done < cases;) {
  const seed = first + done
  const faults = await memoryCase(seed)
  done++
  if (faults.length > 0 && ++failed <= 10) console.log(`seed ${seed}: ${faults.join(' ')}`)
  if (done % STEP !== 0 && done !== cases) continue
  const perSecond = Math.round((done / (performance.now() - begin)) * 1_000)
  console.log(`${done} of ${cases} cases, ${perSecond} a second, ${failed} failed`)
}
process.exitCode = failed > 0 ? 1 : 0
