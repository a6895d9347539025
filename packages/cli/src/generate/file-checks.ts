/**
 * What TypeScript would not notice by itself when the source changes: a parameter that may be left out,
 * a property more or less. Each becomes a line of types in the generated file.
 */
import { valueCode, type Code } from './code.ts'
import type { Names } from './names.ts'
import type { Definition } from './shape.ts'
import { definitionsIn } from './shape-walk.ts'
import type { ToolGroup, ToolModel } from './tool-model.ts'
import { inputShape } from './tool-reader.ts'

export function checksOf(groups: readonly ToolGroup[], names: Names): readonly Code[] {
  const tools = groups.flatMap((group) => group.tools.map((tool) => ({ group, tool })))
  const definitions = new Set(
    tools.flatMap(({ tool }) => [...definitionsIn(inputShape(tool.parameters)).keys()]),
  )
  return [
    ...tools.flatMap(({ group, tool }) => parameterCheck(group, tool, names)),
    ...[...definitions].flatMap((definition) => propertyCheck(definition, names)),
  ]
}

/** How many parameters there may be: `1 | 2` for one and an optional one. */
function parameterCheck(group: ToolGroup, tool: ToolModel, names: Names): Code[] {
  if (tool.isOverloaded || tool.parameters.some((one) => one.kind === 'input' && one.rest))
    return []
  const local = names.use(group.from, 'type')
  const method =
    group.kind === 'function'
      ? ['typeof ', local]
      : [tool.isStatic ? '(typeof ' : '', local, tool.isStatic ? ')' : '', '[', valueCode(tool.member), ']'] // prettier-ignore
  return [['Same<Parameters<', method, ">['length'], ", lengthsOf(tool), '>']]
}

function lengthsOf({ lengths }: ToolModel): string {
  return lengths.join(' | ')
}

function propertyCheck({ type, shape }: Definition, names: Names): Code[] {
  if (!type || shape.kind !== 'object' || shape.others || shape.class) return []
  const keys = shape.properties.map(({ name }) => valueCode(name))
  const union = keys.flatMap((key, index) => (index > 0 ? [' | ', key] : [key]))
  return [['Same<keyof ', names.use(type, 'type'), ', ', keys.length > 0 ? union : 'never', '>']]
}
