/**
 * The generator: reads the signatures and doc comments of source files and returns the text of the
 * generated files. The command decides which files to read and what to do with the texts.
 */
import type ts from 'typescript'
import { styleOf } from './write/code-style.ts'
import { dependenciesOf } from './read/dependencies-of.ts'
import { outputOf } from './files/generated-file.ts'
import type { Generation, Generator } from './generation.ts'
import { Problems } from './read/problems.ts'
import { configOf, Project } from './read/project.ts'
import { checkUnions } from './check-unions.ts'
import type { ReaderOptions } from './read/reading.ts'
import { checkSource } from './read/source-check.ts'
import { ToolFinder } from './read/tool-finder.ts'
import { ToolReader } from './read/tool-reader.ts'
import { writeToolsFile } from './write/tools-file.ts'
import { TypeNames } from './read/type-names.ts'

export interface GeneratorOptions {
  /** The compiler's working folder for a source without a tsconfig.json. */
  readonly cwd: string
  /** Accepts `any` as any JSON instead of reporting it. Default false. */
  readonly allowAny?: boolean
}

export function createGenerator({ cwd, allowAny = false }: GeneratorOptions): Generator {
  const projects = new Map<string, Project>()
  return {
    generate(sources) {
      const byConfig = new Map<string, string[]>()
      for (const source of sources) {
        const config = configOf(source) ?? ''
        byConfig.set(config, [...(byConfig.get(config) ?? []), source])
      }
      const generations = new Map<string, Generation>()
      for (const [config, files] of byConfig) {
        const project = projects.get(config)?.fresh() ?? new Project(config || undefined, cwd)
        projects.set(config, project)
        const program = project.program(files)
        for (const file of files)
          generations.set(file, generateFile(file, { program, project, allowAny }))
      }
      return sources.map((source) => generations.get(source)!)
    },
  }
}

interface Context {
  readonly program: ts.Program
  readonly project: Project
  readonly allowAny: boolean
}

function generateFile(file: string, { program, project, allowAny }: Context): Generation {
  const problems = new Problems()
  const source = program.getSourceFile(file)
  const output = outputOf(file)
  if (!source)
    return {
      source: file,
      output,
      text: undefined,
      problems: [],
      warnings: [],
      dependencies: [file],
    }
  const text = checkSource(source, program, problems)
    ? textOf(source, { program, project, problems, allowAny })
    : undefined
  return {
    source: file,
    output,
    text: problems.all.length > 0 ? undefined : text,
    problems: problems.all,
    warnings: problems.warnings,
    dependencies: dependenciesOf(source, program, project),
  }
}

function textOf(
  source: ts.SourceFile,
  { program, project, problems, allowAny }: Context & { problems: Problems },
): string | undefined {
  const names = new TypeNames(program.getTypeChecker(), source)
  const options: ReaderOptions = { program, names, problems, mode: 'input', allowAny }
  const reader = new ToolReader(options)
  const groups = new ToolFinder(source, reader, options).groups()
  checkUnions(reader.unions, problems)
  if (groups.length === 0 || problems.all.length > 0) return undefined
  return writeToolsFile(groups, { source, options: project.options, style: styleOf(source) })
}

/** `alarm-tools.ts` → `alarm-tools.tools.ts`; JSX is never needed. */
