/**
 * Refers to a type that cannot be imported by the path that leads to it:
 * `Parameters<Shop['order']>[0]['lines'][number]`.
 */
import { conditional, END, keyCode, valueCode, type Code } from './code.ts'
import type { Property, TupleShape } from '../shape/shape.ts'
import type { ToolGroup, ToolModel } from '../shape/tool-model.ts'

/** Undefined if no path leads to the type. */
export type TypePath = Code | undefined

/** A method or function: `Shop['order']`, `typeof order`. */
export function methodPath({ kind }: ToolGroup, tool: ToolModel, local: string): Code {
  if (kind === 'function') return ['typeof ', local]
  return [tool.isStatic ? `(typeof ${local})` : local, '[', valueCode(tool.member), ']']
}

/**
 * The parameter at an index. With several signatures it is unknown which one `Parameters` uses, so there is
 * no path.
 */
export function parameterPath(method: Code, tool: ToolModel, index: number): TypePath {
  const parameter = tool.parameters[index]
  if (tool.isOverloaded || parameter?.kind !== 'input') return undefined
  const path = ['Parameters<', method, `>[${index}]`]
  if (parameter.rest) return parameter.shape.kind === 'array' ? [...path, '[]'] : undefined
  return parameter.mayBeUndefined ? withoutNull(path) : path
}

export function withoutNull(path: TypePath): TypePath {
  const isDone = Array.isArray(path) && path[0] === NON_NULLABLE
  return path === undefined || isDone ? path : [NON_NULLABLE, path, '>']
}

const NON_NULLABLE = 'NonNullable<'

export function propertyPath(path: TypePath, { name, optional }: Property): TypePath {
  const inner = path && [path, '[', valueCode(name), ']']
  return optional ? withoutNull(inner) : inner
}

export const itemPath = (path: TypePath, index = 'number'): TypePath => path && [path, `[${index}]`]

/** An item of a tuple; beyond its last item, the type of its rest. */
export function tuplePath(path: TypePath, { items }: TupleShape, index: number): TypePath {
  const inner = itemPath(path, String(index))
  return items[index]?.optional ? withoutNull(inner) : inner
}

/** The values of a Map, a Set or a Record. */
export const valuePath = (path: TypePath): TypePath => path && [VALUE_IN, path, '>']
export const keyPath = (path: TypePath): TypePath => path && [KEY_IN, path, '>']

const VALUE_IN = 'ValueIn<'
const KEY_IN = 'KeyIn<'

/** The helper types of the paths in this text. */
export const pathTypes = (text: string): readonly Code[] => [
  ...(text.includes(VALUE_IN) ? [VALUE_TYPE] : []),
  ...(text.includes(KEY_IN) ? [KEY_TYPE] : []),
]

const VALUE_TYPE: Code = [
  'type ValueIn<Type> = ',
  conditional(
    'Type extends ReadonlyMap<unknown, infer Value>',
    'Value',
    conditional('Type extends ReadonlySet<infer Value>', 'Value', 'Type[keyof Type]'),
  ),
  END,
]
const KEY_TYPE: Code = [
  'type KeyIn<Type> = Type extends ReadonlyMap<infer Key, unknown> ? Key : never',
  END,
]

/** The members of a union that have this constant. */
export const memberPath = (path: TypePath, name: string, constant: Code): TypePath =>
  path && ['Extract<', path, ', { ', keyCode(name), ': ', constant, ' }>']
