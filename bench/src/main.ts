/**
 * The door of `npm run bench -- <name> [options]`: finds the benchmark by its name and runs it with
 * the remaining arguments. Each benchmark prints its own table and sets the exit code itself.
 */
type Benchmark = { readonly run: (args: string[]) => Promise<void> }

const BENCHMARKS: { readonly [name: string]: () => Promise<Benchmark> } = {
  wire: () => import('./wire/run.ts'),
  schema: () => import('./schema.ts'),
  agent: () => import('./agent.ts'),
  search: () => import('./search/run.ts'),
  generate: () => import('./generate.ts'),
  cold: () => import('./cold.ts'),
  parked: () => import('./parked.ts'),
  memory: () => import('./memory/run.ts'),
  durable: () => import('./durable/run.ts'),
  mcp: () => import('./mcp/run.ts'),
  observe: () => import('./observe/run.ts'),
  code: () => import('./code/run.ts'),
  bypass: () => import('./bypass/run.ts'),
  ui: () => import('./ui/run.ts'),
  page: () => import('./page.ts'),
  readers: () => import('./readers.ts'),
}

const [name = '', ...args] = process.argv.slice(2)
const load = Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name] : undefined

if (load === undefined) {
  const names = Object.keys(BENCHMARKS).join(', ')
  console.error(
    `${name === '' ? 'No benchmark named' : `Unknown benchmark "${name}"`}. There are: ${names}.`,
  )
  console.error('Example: npm run bench -- wire --quick')
  process.exitCode = 2
} else {
  await (await load()).run(args)
}
