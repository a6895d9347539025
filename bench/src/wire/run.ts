/**
 * The wire benchmark: the same conversations, over real HTTP on loopback, through toolwright and
 * through loops written by hand, compared by the CPU time of the process that holds them. Sets exit
 * code 1 when a bar is missed. How it measures and why: bench/README.md.
 */
import { bundle } from './bundle.ts'
import type { WireCase } from './cases.ts'
import { Child } from './child.ts'
import { CONTENDERS } from './contenders.ts'
import type { Figures } from './measure.ts'
import { measure } from './measure.ts'
import type { WireOptions } from './options.ts'
import { wireOptions } from './options.ts'
import { printCase, printVerdicts } from './report.ts'
import { seededRandom } from './seeded-random.ts'
import type { Verdict } from './verdicts.ts'
import { caseVerdicts, growthVerdicts } from './verdicts.ts'

const SEED = 20

export async function run(args: string[]): Promise<void> {
  const options = wireOptions(args)
  const bundles = await bundle()
  const { child: server, port } = await Child.start('mock-server', bundles.server)
  const workers = new Map<string, Child>()
  try {
    for (const { name, worker } of CONTENDERS) {
      const { child } = await Child.start(name, bundles.worker(worker), {
        environment: { BENCH_BASE_URL: `http://127.0.0.1:${port}/v1` },
        nodeArguments: profiling(name, options),
      })
      workers.set(name, child)
    }
    const verdicts = await measureAll(options, workers)
    if (verdicts.some((verdict) => !verdict.ok)) process.exitCode = 1
  } finally {
    await Promise.all([...workers.values(), server].map((child) => child.stop()))
  }
}

async function measureAll(
  options: WireOptions,
  workers: ReadonlyMap<string, Child>,
): Promise<Verdict[]> {
  const random = seededRandom(SEED)
  const { cases, repeats, warmUps } = options
  for (const wireCase of cases) await measure(wireCase, { workers, random, repeats: warmUps })
  const results = new Map<string, Figures>()
  const verdicts: Verdict[] = []
  for (const wireCase of cases) {
    const figures = await measure(wireCase, { workers, random, repeats })
    results.set(wireCase.name, figures)
    verdicts.push(...reported(wireCase, figures))
  }
  const growth = growthVerdicts(results)
  if (growth.length > 0) console.log('\nGrowth with four times the arguments (4 is linear)')
  printVerdicts(growth)
  return [...verdicts, ...growth]
}

function reported(wireCase: WireCase, figures: Figures): Verdict[] {
  const verdicts = caseVerdicts(wireCase, figures)
  printCase(wireCase, figures)
  printVerdicts(verdicts)
  return verdicts
}

function profiling(name: string, { profileDirectory }: WireOptions): string[] {
  if (profileDirectory === undefined) return []
  return [
    '--cpu-prof',
    `--cpu-prof-dir=${profileDirectory}`,
    `--cpu-prof-name=${name.replace('#', '-')}.cpuprofile`,
  ]
}
