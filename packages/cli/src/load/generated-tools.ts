/**
 * Finds the files written by `toolwright generate`: which belongs to which source, and which export makes
 * the tools of which class.
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { ToolSource } from 'toolwright'
import { CommandError } from '../command/command-error.ts'
import { factoryNameOf, generatedFrom, outputOf } from '../generate/files/generated-file.ts'
import type { Exports } from './module-loader.ts'

/** Makes the tools of an instance: `alarmTools(new AlarmTools())`. */
export type ToolFactory = (instance: object) => ToolSource

export interface SourcePair {
  readonly source: string
  /** The generated file beside the source. */
  readonly generated?: string
}

const DOC_COMMENT = /\/\*\*[\s\S]*?\*\//g
const TOOL_TAG = /^[\s/*]*@tool\b/m

/** The source and its generated file, whichever of the two was named. */
export function pairOf(file: string, cwd: string): SourcePair {
  const text = readFileSync(file, 'utf8')
  const from = generatedFrom(text)
  const source = from && join(dirname(file), from)
  if (source && existsSync(source)) return { source, generated: file }
  const generated = outputOf(file)
  if (isGenerated(generated)) return { source: file, generated }
  const comments = text.match(DOC_COMMENT) ?? []
  if (comments.some((comment) => TOOL_TAG.test(comment))) throw notGenerated(relative(cwd, file))
  return { source: file }
}

function notGenerated(file: string): CommandError {
  return new CommandError(
    `${file} has @tool tags, but there is no ${basename(outputOf(file))} beside it. Run toolwright generate ${file}.`,
  )
}

function isGenerated(file: string): boolean {
  return existsSync(file) && generatedFrom(readFileSync(file, 'utf8')) !== undefined
}

/** The factories that a generated file exports, by the classes of its source. */
export function factoriesOf(exports: Exports, generated: Exports): Map<unknown, ToolFactory> {
  const factories = new Map<unknown, ToolFactory>()
  for (const [name, value] of Object.entries(exports)) {
    if (typeof value !== 'function') continue
    // A default export has only the name of its class.
    const factory = generated[factoryNameOf(name)] ?? generated[factoryNameOf(value.name)]
    if (typeof factory === 'function') factories.set(value, factory as ToolFactory)
  }
  return factories
}
