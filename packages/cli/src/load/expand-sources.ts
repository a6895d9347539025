/** Expands exported tool sources to a flat list of tools, by the library's rules; errors name the export. */
import { toolsOf, ToolwrightError, type ToolCallback, type ToolSource } from 'toolwright'
import { CommandError, messageOfThrown } from '../command/command-error.ts'
import type { ExportedSource } from './exported-sources.ts'

export interface ExpandedSources {
  readonly tools: readonly ToolCallback[]
  /** The export of each tool, by the tool's name. */
  readonly exportNames: ReadonlyMap<string, string>
}

/** A tool that is exported twice counts once; two tools with one name are an error. */
export async function expandSources(
  sources: readonly ExportedSource[],
  file: string,
): Promise<ExpandedSources> {
  const tools = new Map<string, ToolCallback>()
  const exportNames = new Map<string, string>()
  for (const source of sources) {
    for (const tool of await expandExport(source, file)) {
      const { name } = tool.definition
      if (tools.get(name) === tool) continue
      if (tools.has(name)) throw twice(name, file, [exportNames.get(name)!, source.exportName])
      tools.set(name, tool)
      exportNames.set(name, source.exportName)
    }
  }
  return { tools: [...tools.values()], exportNames }
}

async function expandExport(
  source: ExportedSource,
  file: string,
): Promise<readonly ToolCallback[]> {
  try {
    return await expand(source)
  } catch (cause) {
    const message = messageOfThrown(cause)
    const fix = ToolwrightError.is(cause) ? '' : ' Mend it and try again.'
    throw new CommandError(`${file}, export ${source.exportName}: ${message}${fix}`, { cause })
  }
}

async function expand({ exportName, source, generated }: ExportedSource): Promise<ToolCallback[]> {
  if (generated === undefined) return callbacksOf(source, exportName)
  const generatedTools = await callbacksOf(generated, exportName)
  const names = new Set(generatedTools.map(({ definition }) => definition.name))
  const otherTools = toolsIfAny(source).filter(({ definition }) => !names.has(definition.name))
  return [...generatedTools, ...otherTools]
}

/** The class of a generated tool may have no tools of its own. */
function toolsIfAny(source: ToolSource): readonly ToolCallback[] {
  try {
    return toolsOf(source)
  } catch {
    return []
  }
}

/** Asks providers now. A tool without a name gets the name of its export. */
async function callbacksOf(source: ToolSource, exportName: string): Promise<ToolCallback[]> {
  if (Array.isArray(source)) {
    const lists = (source as readonly ToolSource[]).map((each) => callbacksOf(each, ''))
    return (await Promise.all(lists)).flat()
  }
  const { toolCallbacks, definition } = source as {
    readonly toolCallbacks?: () => ToolSource | Promise<ToolSource>
    readonly definition?: { readonly name?: unknown }
  }
  if (typeof toolCallbacks === 'function')
    return callbacksOf(await toolCallbacks.call(source), exportName)
  const isNameless = definition?.name === '' && exportName !== 'default' && exportName !== ''
  return [...toolsOf(isNameless ? { [exportName]: source as ToolCallback } : source)]
}

function twice(
  name: string,
  file: string,
  [first, second]: readonly [string, string],
): CommandError {
  const where =
    first === second ? `both from the export ${first}` : `from the exports ${first} and ${second}`
  return new CommandError(`${file} has two tools called "${name}", ${where}. Rename one of them.`)
}
