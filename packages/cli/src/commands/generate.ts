/**
 * `toolwright generate`: writes `x.tools.ts` beside every `x.ts` that has tools. The generator, and with it
 * the compiler, is loaded only if the cache cannot answer.
 */
import { command, type CommandInput, type CommandIo } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import {
  describeOutputs,
  describeProblems,
  describeWarnings,
  summaryOf,
} from '../generate/files/describe-plan.ts'
import { findSources, type Where } from '../generate/files/find-sources.ts'
import type { Generator } from '../generate/generation.ts'
import { GenerationCache } from '../generate/files/generation-cache.ts'
import { keepFresh } from '../generate/files/keep-fresh.ts'
import { planOutputs, type Plan, type Planning } from '../generate/files/plan-outputs.ts'
import { writeOutputs } from '../generate/files/write-outputs.ts'

const options = {
  check: { type: 'boolean', help: 'Write nothing; exit code 1 when a file is not up to date' },
  watch: { type: 'boolean', short: 'w', help: 'Generate again whenever something changes' },
  'allow-any': { type: 'boolean', help: 'Let a parameter of type any take every JSON value' },
} as const

type Options = CommandInput<typeof options>['options']

export const generate = command({
  name: 'generate',
  takes: '<globs...>',
  arity: [1, Infinity],
  summary: 'Write tools from TypeScript signatures and their doc comments',
  options,
  notes: `
Reads the methods and exported functions that are tagged @tool in their doc comment and writes
x.tools.ts beside x.ts. A folder means everything in it; a glob that starts with ! leaves out.

  toolwright generate src
  toolwright generate 'src/**/*.ts' '!src/legacy/**' --check

What a source says and the file leaves out is a warning on stderr; it changes no exit code.

Exit codes: 0 done; 1 problems in sources, or with --check files that are not up to date;
2 nothing found, or a file that cannot be read or written.`,
  async run({ arguments: words, options }, io) {
    if (options.check && options.watch)
      throw new CommandError('--check writes nothing and --watch writes on. Give one of them.')
    const plan = planner(options, io)
    const where = { words, cwd: io.cwd }
    if (options.watch) return await watchFor(where, plan, io)
    return options.check ? await check(where, plan, io) : await write(where, plan, io)
  },
})

type Planner = (what: Pick<Planning, 'found' | 'warm'>) => Promise<Plan>

/** Keeps the cache and the generator from one plan to the next. */
function planner(options: Options, { cwd }: CommandIo): Planner {
  const allowAny = options['allow-any'] ?? false
  const cache = new GenerationCache({ cwd, settings: JSON.stringify({ allowAny }) })
  let loaded: Promise<Generator> | undefined
  const load = async (): Promise<Generator> => {
    const { createGenerator } = await import('../generate/generator.ts')
    return createGenerator({ cwd, allowAny })
  }
  return async (what) => {
    const plan = await planOutputs({ ...what, cache, generator: () => (loaded ??= load()) })
    cache.save()
    return plan
  }
}

async function write(where: Where, plan: Planner, io: CommandIo): Promise<number> {
  const planned = await plan({ found: findSources(where) })
  writeOutputs(planned.outputs)
  print(io.stderr, findingsOf(planned, io.cwd))
  print(io.stdout, [...describeOutputs(planned, io.cwd), summaryOf(planned)])
  return planned.problems.length > 0 ? 1 : 0
}

async function check(where: Where, plan: Planner, io: CommandIo): Promise<number> {
  const planned = await plan({ found: findSources(where) })
  const behind = describeOutputs(planned, io.cwd, true)
  print(io.stderr, findingsOf(planned, io.cwd))
  print(io.stdout, [...behind, summaryOf(planned, true)])
  if (behind.length > 0)
    io.stderr.write(
      `Bring them up to date: toolwright generate ${where.words.map(quoted).join(' ')}\n`,
    )
  return behind.length + planned.problems.length > 0 ? 1 : 0
}

async function watchFor(where: Where, plan: Planner, io: CommandIo): Promise<number> {
  let lastReport = ''
  await keepFresh({
    where,
    signal: interruption(),
    async generate(what) {
      const planned = await plan(what)
      writeOutputs(planned.outputs)
      const findings = findingsOf(planned, io.cwd)
      if (findings.join('\n') !== lastReport)
        print(io.stderr, findings.length > 0 ? findings : [SOLVED])
      lastReport = findings.join('\n')
      print(io.stdout, [
        ...describeOutputs(planned, io.cwd),
        ...(what.warm ? [summaryOf(planned)] : []),
      ])
      return planned
    },
    ready: (folders) =>
      print(io.stdout, [
        `Watching ${folders} ${folders === 1 ? 'folder' : 'folders'}. Ctrl-C ends.`,
      ]),
    failed: (error) => print(io.stderr, [`toolwright: ${error.message}`]),
  })
  return 0
}

/** Problems, then warnings. */
const findingsOf = ({ problems, warnings }: Plan, cwd: string): readonly string[] => [
  ...describeProblems(problems, cwd),
  ...describeWarnings(warnings, cwd),
]

const SOLVED = 'No problems any more.'

function interruption(): AbortSignal {
  const ends = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ends.abort())
  return ends.signal
}

function print(stream: NodeJS.WriteStream, lines: readonly string[]): void {
  if (lines.length > 0) stream.write(`${lines.join('\n')}\n`)
}

const quoted = (word: string): string => (/^[\w./-]+$/.test(word) ? word : `'${word}'`)
