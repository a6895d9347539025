/**
 * Plans what to do with the generated files: asks the cache first, and the generator only for what the
 * cache does not know, then compares with the files on disk. It changes nothing.
 */
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { contentOf } from './content-of.ts'
import { FileHashes } from './file-hashes.ts'
import type { FoundSources } from './find-sources.ts'
import { generatedFrom } from './generated-file.ts'
import type { Generation, Generator, Problem } from '../generation.ts'
import type { GenerationCache } from './generation-cache.ts'
import { isSameCode } from './same-code.ts'

/** A generated file, and its state relative to its source. */
export type Output =
  | { readonly standing: 'current'; readonly file: string }
  | { readonly standing: 'missing' | 'out of date'; readonly file: string; readonly text: string }
  | { readonly standing: 'stale'; readonly file: string; readonly because: string }

export interface Plan {
  readonly outputs: readonly Output[]
  /** Each problem once, in the order of the sources. */
  readonly problems: readonly Problem[]
  /** Each warning once, in the order of the sources. */
  readonly warnings: readonly Problem[]
  /** Every file that the generator read for this plan; none if the cache knew everything. */
  readonly dependencies: readonly string[]
}

export interface Planning {
  readonly found: FoundSources
  readonly cache: GenerationCache
  /** Loads the generator, and with it the compiler. Called only if needed. */
  generator(): Promise<Generator>
  /** Asks the generator about everything, so that the next change is fast. */
  readonly warm?: boolean
}

export async function planOutputs({ found, cache, generator, warm }: Planning): Promise<Plan> {
  const since = Date.now()
  const hashes = new FileHashes()
  const plan = new Planner()
  const unknown: string[] = []
  for (const source of found.sources) {
    const remembered = warm ? undefined : cache.recall(source, hashes)
    remembered?.warnings.forEach((warning) => plan.warn(warning))
    if (remembered === undefined) unknown.push(readable(source))
    else if (remembered.hasTools) plan.keep(remembered.output)
    else plan.drop(remembered.output, source)
  }
  if (unknown.length > 0) {
    const loadedGenerator = await generator()
    for (const generation of loadedGenerator.generate(unknown)) {
      cache.remember(generation, since, hashes)
      plan.add(generation)
    }
  }
  for (const file of found.orphans) plan.drop(file, join(dirname(file), sourceOf(file)))
  return plan.done()
}

/** The compiler treats a file that it may not read as missing, so that is reported here. */
function readable(source: string): string {
  contentOf(source)
  return source
}

class Planner {
  readonly #outputs: Output[] = []
  readonly #problems = new Map<string, Problem>()
  readonly #warnings = new Map<string, Problem>()
  /** The source of each file to write. */
  readonly #sources = new Map<string, string>()
  readonly #dependencies = new Set<string>()

  keep(file: string): void {
    this.#outputs.push({ standing: 'current', file })
  }

  /** Removes a generated file whose source has no more tools; other files are left alone. */
  drop(file: string, source: string): void {
    const text = contentOf(file)
    if (text === undefined || generatedFrom(text) !== basename(source)) return
    const because = existsSync(source) ? 'has no tools any more' : 'is gone'
    this.#outputs.push({ standing: 'stale', file, because: `${basename(source)} ${because}` })
  }

  warn(warning: Problem): void {
    this.#warnings.set(keyOf(warning), warning)
  }

  add({ source, output, text, problems, warnings, dependencies }: Generation): void {
    for (const file of dependencies) this.#dependencies.add(file)
    for (const problem of problems) this.#report(problem)
    for (const warning of warnings) this.warn(warning)
    if (problems.length > 0) return
    if (text === undefined) return this.drop(output, source)
    const other = this.#sources.get(output)
    if (other !== undefined) return this.#report(twoSources(source, other, output))
    this.#sources.set(output, source)
    this.#compare(output, text)
  }

  #compare(file: string, text: string): void {
    const present = contentOf(file)
    if (present === undefined) this.#outputs.push({ standing: 'missing', file, text })
    else if (generatedFrom(present) === undefined) this.#report(notOurs(file))
    else if (isSameCode(present, text)) this.keep(file)
    else this.#outputs.push({ standing: 'out of date', file, text })
  }

  /** Two sources that use one type share its problems. */
  #report(problem: Problem): void {
    this.#problems.set(keyOf(problem), problem)
  }

  done(): Plan {
    return {
      outputs: this.#outputs,
      problems: [...this.#problems.values()],
      warnings: [...this.#warnings.values()],
      dependencies: [...this.#dependencies],
    }
  }
}

const keyOf = ({ file, line, column, message }: Problem): string =>
  JSON.stringify([file, line, column, message])

const sourceOf = (output: string): string => generatedFrom(contentOf(output) ?? '') ?? ''

const notOurs = (file: string): Problem => ({
  file,
  line: 1,
  column: 1,
  message: `${basename(file)} was not written by toolwright generate, and is not overwritten.`,
  fix: 'Rename or delete it, then generate again.',
})

const twoSources = (source: string, other: string, output: string): Problem => ({
  file: source,
  line: 1,
  column: 1,
  message: `${basename(other)} has tools too, and both would be written to ${basename(output)}.`,
  fix: 'Rename one of them.',
})
