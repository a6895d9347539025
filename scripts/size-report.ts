/**
 * Prints how large the library is: longest functions, largest files, THE loop, cycles of files and of rooms,
 * the bundle of a small program and the compiler's work per tool. Exits with 1 when a figure passes its bar.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleSize } from './size/bundle-size.ts'
import { cruise } from './size/cruise.ts'
import { importCycles } from './size/import-cycles.ts'
import { roomCycles } from './size/room-cycles.ts'
import { fileSizes, functionSizes, type Size } from './size/source-sizes.ts'
import { measureTypeCosts } from './size/type-cost.ts'

const BARS = {
  loopLines: 45,
  cycles: 0,
  gzipBytes: 25_000,
  instantiationsPerTool: { 'tool()': 600, '@Tool()': 1_300, 'defineTools()': 900 } as {
    readonly [form: string]: number
  },
  growth: 1.3,
}
const SHOWN = 12

const root = fileURLToPath(new URL('..', import.meta.url))
const library = join(root, 'packages/toolwright/src')
let missed = 0

/** One figure with its bar. */
function bar(what: string, figure: number, limit: number): void {
  const ok = figure <= limit
  if (!ok) missed += 1
  console.log(`${ok ? 'ok  ' : 'OVER'} ${what}: ${round(figure)} (bar ${round(limit)})`)
}

const round = (x: number): string => (Number.isInteger(x) ? String(x) : x.toFixed(2))

function list(title: string, sizes: readonly Size[]): void {
  console.log(`\n${title}`)
  const largest = [...sizes].sort((a, b) => b.lines - a.lines).slice(0, SHOWN)
  for (const { lines, name, place } of largest) {
    console.log(`${String(lines).padStart(6)}  ${name === place ? name : `${name}  ${place}`}`)
  }
  console.log(`        median ${median(sizes.map((size) => size.lines))} of ${sizes.length}`)
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** THE loop is the function of that name, in its room; were there several, the longest. */
function reportLoop(functions: readonly Size[]): void {
  const [loop] = functions
    .filter(({ name, place }) => /^#?loop$/.test(name) && /^(loop|advisors)\//.test(place))
    .sort((a, b) => b.lines - a.lines)
  if (loop) return bar(`lines of the loop (${loop.place})`, loop.lines, BARS.loopLines)
  missed += 1
  console.log('OVER lines of the loop: no function named loop in loop/')
}

function reportCycles(): void {
  const found = cruise(root)
  const { runtime, types } = importCycles(found)
  bar('import cycles of files', runtime.length, BARS.cycles)
  for (const cycle of runtime) console.log(`     ${cycle}`)
  bar('import cycles of files that only types make', types.length, BARS.cycles)
  for (const cycle of types) console.log(`     ${cycle}`)
  const rooms = roomCycles(found.modules)
  bar('import cycles of rooms, types included', rooms.length, BARS.cycles)
  for (const cycle of rooms)
    console.log(`     ${cycle.rooms.join(' ⇄ ')}: ${cycle.examples.join(', ')}`)
}

async function reportBundle(): Promise<void> {
  const { gzipBytes, minifiedBytes, folders, gzipBytesWithOnDemand } = await bundleSize(root)
  bar('bytes of ChatClient and one tool, loaded at once, gzipped', gzipBytes, BARS.gzipBytes)
  const shares = folders.map(([folder, bytes]) => `${folder} ${bytes}`)
  console.log(`     minified ${minifiedBytes}: ${shares.join(', ')}`)
  console.log(`     with what is loaded on demand: ${gzipBytesWithOnDemand}`)
}

function reportTypeCosts(): void {
  for (const { form, early, late, checkSeconds, schemaSeconds } of measureTypeCosts(root)) {
    bar(`type instantiations per ${form}`, late, BARS.instantiationsPerTool[form]!)
    bar('growth from 200 to 1,000 tools', late / early, BARS.growth)
    console.log(
      `     checking 1,000 tools takes ${checkSeconds} s, their schemas alone ${schemaSeconds} s`,
    )
  }
}

const functions = functionSizes(library)
list('Longest functions', functions)
list('Largest files', fileSizes(library))
console.log('\nBars')
reportLoop(functions)
reportCycles()
await reportBundle()
reportTypeCosts()
console.log(missed === 0 ? '\nEvery bar is met.' : `\n${missed} bars are missed.`)
process.exitCode = missed === 0 ? 0 : 1
