/**
 * `npm run test:fuzz [suite] [cases] [first seed]`: random cases of a suite. `memory`, the default, has a million random
 * conversations in random memories: is what is sent to the model valid? `programs` has 20,000 random programs that
 * call tools, wait, move and die: do they come to what they should? FUZZ_CASES says the number, too. Prints where it is,
 * and the seed of what fails.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { memoryCase } from '../test/fuzz/memory-case.ts'
import type { programCase } from '../test/fuzz/programs/program-case.ts'

interface Suite {
  readonly entry: string
  readonly cases: number
  /** After so many cases it says where it is. */
  readonly step: number
  /** What is wrong with a case. */
  readonly faultsIn: (module: never, seed: number) => Promise<readonly string[]>
}

const SUITES: { readonly [name: string]: Suite } = {
  memory: {
    entry: 'memory-case.ts',
    cases: 1_000_000,
    step: 10_000,
    faultsIn: (module: { memoryCase: typeof memoryCase }, seed) => module.memoryCase(seed),
  },
  programs: {
    entry: 'programs/program-case.ts',
    cases: 20_000,
    step: 500,
    async faultsIn(module: { programCase: typeof programCase }, seed) {
      const { faults, code, ...figures } = await module.programCase(seed)
      for (const [what, count] of Object.entries(figures)) told[what] = (told[what] ?? 0) + count
      return faults.length === 0 ? [] : [...faults, code]
    },
  },
}

const told: { [what: string]: number } = {}

/** Bundled first: what the library loads on demand would be asked of the loader of TypeScript in every case. */
async function bundled(entry: string): Promise<unknown> {
  // Below node_modules, so that the bundle finds what it imports.
  const folder = new URL(`../node_modules/.cache/fuzz-${process.pid}/`, import.meta.url)
  mkdirSync(folder, { recursive: true })
  const outfile = fileURLToPath(new URL('case.mjs', folder))
  try {
    await build({
      entryPoints: [fileURLToPath(new URL(`../test/fuzz/${entry}`, import.meta.url))],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      external: ['quickjs-wasi', '@swc/wasm-typescript'],
      logLevel: 'error',
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const given = process.argv.slice(2)
const name = given[0] !== undefined && given[0] in SUITES ? given.shift()! : 'memory'
const suite = SUITES[name]!
const [cases = Number(process.env['FUZZ_CASES'] ?? suite.cases), first = 1] = given.map(Number)
if (![cases, first].every((each) => Number.isInteger(each) && each >= 1)) {
  const suites = Object.keys(SUITES).join(' or ')
  console.error(
    `Give ${suites}, the number of cases and the first seed, both whole numbers from 1.`,
  )
  process.exit(2)
}

const module = await bundled(suite.entry)
const begin = performance.now()
let failed = 0
for (let done = 0; done < cases;) {
  const seed = first + done
  const faults = await suite.faultsIn(module as never, seed)
  done++
  if (faults.length > 0 && ++failed <= 10) console.log(`seed ${seed}: ${faults.join('\n')}`)
  if (done % suite.step !== 0 && done !== cases) continue
  const perSecond = Math.round((done / (performance.now() - begin)) * 1_000)
  const figures = Object.entries(told).map(([what, count]) => `, ${count} ${what}`)
  console.log(
    `${done} of ${cases} cases, ${perSecond} a second, ${failed} failed${figures.join('')}`,
  )
}
process.exitCode = failed > 0 ? 1 : 0
