/**
 * Checks that TypeScript would not make by itself when the source changes: an optional parameter, an added
 * or removed property. Each becomes a line of types in the generated file.
 */
import { valueCode, type Code } from './code.ts'
import type { Names } from './names.ts'
import type { Definition, ObjectShape, Shape, TupleShape } from '../shape/shape.ts'
import type { ToolGroup, ToolModel } from '../shape/tool-model.ts'
import { itemPath, keyPath, memberPath, methodPath, parameterPath, propertyPath, tuplePath, valuePath, withoutNull, type TypePath } from './type-path.ts' // prettier-ignore
import { constantOf } from './union-tests.ts'

export interface Checks {
  /** Checks of the number of parameters. */
  readonly counts: readonly Code[]
  /** Checks of property names. */
  readonly keys: readonly Code[]
}

export function checksOf(groups: readonly ToolGroup[], names: Names): Checks {
  const counts: Code[] = []
  const checks: Code[] = []
  const seen = new Set<Definition>()
  for (const group of groups)
    for (const tool of group.tools) {
      const method = methodPath(group, tool, names.use(group.from, 'type'))
      counts.push(...parameterCheck(method, tool))
      for (const [index, parameter] of tool.parameters.entries())
        if (parameter.kind === 'input')
          propertyChecks(parameter.shape, parameterPath(method, tool, index), {
            checks,
            seen,
            names,
          })
    }
  return { counts, keys: checks }
}

/** The allowed number of parameters: `1 | 2` for one and an optional one. */
function parameterCheck(method: Code, tool: ToolModel): Code[] {
  const isCountable =
    !tool.isOverloaded && tool.parameters.every((one) => one.kind === 'context' || !one.rest)
  return isCountable
    ? [
        [
          'Same<Parameters<',
          method,
          '>[',
          valueCode('length'),
          '], ',
          tool.lengths.join(' | '),
          '>',
        ],
      ]
    : []
}

interface Walk {
  readonly checks: Code[]
  readonly seen: Set<Definition>
  readonly names: Names
}

/** The property names of every object that can be named, or reached by a type path. */
function propertyChecks(shape: Shape, path: TypePath, walk: Walk): void {
  if (shape.kind === 'named') return namedChecks(shape.definition, path, walk)
  if (shape.kind === 'array') return propertyChecks(shape.item, itemPath(path), walk)
  if (shape.kind === 'object') return objectChecks(shape, path, walk)
  if (shape.kind === 'union') return unionChecks(shape.members, path, walk)
  if (shape.kind === 'tuple') return tupleChecks(shape, path, walk)
  if (shape.kind === 'map') propertyChecks(shape.key, keyPath(path), walk)
  if (shape.kind === 'map' || shape.kind === 'record')
    return propertyChecks(shape.value, valuePath(path), walk)
  if (shape.kind === 'set') return propertyChecks(shape.item, valuePath(path), walk)
}

function tupleChecks(shape: TupleShape, path: TypePath, walk: Walk): void {
  const parts = [...shape.items.map((item) => item.shape), ...(shape.rest ? [shape.rest] : [])]
  for (const [index, part] of parts.entries())
    propertyChecks(part, tuplePath(path, shape, index), walk)
}

function namedChecks(definition: Definition, path: TypePath, walk: Walk): void {
  if (walk.seen.has(definition)) return
  walk.seen.add(definition)
  const { type, shape } = definition
  propertyChecks(shape, type ? walk.names.use(type, 'type') : path, walk)
}

function objectChecks(shape: ObjectShape, path: TypePath, walk: Walk): void {
  if (path && !shape.others) {
    const keys = shape.keys.map(valueCode)
    const union = keys.flatMap((key, index) => (index > 0 ? [' | ', key] : [key]))
    walk.checks.push(['Same<Keys<', path, '>, ', keys.length > 0 ? union : 'never', '>'])
  }
  for (const property of shape.properties)
    propertyChecks(property.shape, propertyPath(path, property), walk)
}

/** A single member besides null is reached by the union's path; several by their constants. */
function unionChecks(members: readonly Shape[], path: TypePath, walk: Walk): void {
  const rest = members.filter(({ kind }) => kind !== 'null' && kind !== 'undefined')
  const bare = rest.length < members.length ? withoutNull(path) : path
  for (const member of rest) {
    const constant = constantOf(member)
    const inner = constant && memberPath(bare, constant.name, valueCode(constant.value))
    propertyChecks(member, rest.length === 1 ? bare : inner, walk)
  }
}
