/**
 * Finds the exports of a module that are tool sources. It checks the public shape of tools and registered
 * symbols, because the module may use another copy of the library.
 */
import { toolsOf, type ToolSource } from 'toolwright'
import { CommandError, messageOfThrown } from '../command/command-error.ts'
import type { ToolFactory } from './generated-tools.ts'
import type { Exports } from './module-loader.ts'

export interface ExportedSource {
  readonly exportName: string
  readonly source: ToolSource
  /** Tools that the generated file made for this object. They replace tools of the same name. */
  readonly generated?: ToolSource
}

/** A class, or something that looks like one. */
export type Class = (abstract new () => object) & { readonly prototype: object }

const CLASS_TOOLS = Symbol.for('toolwright.class-tools')
const METADATA = Symbol.for('Symbol.metadata')

/** Each value once, under its first name. A class is instantiated, unless an instance of it is exported. */
export function exportedSources(
  exports: Exports,
  factories: ReadonlyMap<unknown, ToolFactory> = new Map(),
): readonly ExportedSource[] {
  const entries = distinct(exports)
  const kinds = entries.flatMap(([, value]) => [value, ...(Array.isArray(value) ? value : [])])
  return entries.flatMap(([exportName, value]) => {
    const source = sourceOf(value, { kinds, factories })
    if (source === undefined) return []
    const factory = factories.get(source.constructor)
    return { exportName, source, ...(factory && { generated: factory(source) }) }
  })
}

function distinct(exports: Exports): readonly (readonly [string, unknown])[] {
  const names = new Map<unknown, string>()
  for (const [name, value] of Object.entries(exports)) if (!names.has(value)) names.set(value, name)
  return Array.from(names, ([value, name]) => [name, value] as const)
}

interface Surroundings {
  /** Everything that is exported, including the items of arrays. */
  readonly kinds: readonly unknown[]
  readonly factories: ReadonlyMap<unknown, ToolFactory>
}

function sourceOf(value: unknown, around: Surroundings): ToolSource | undefined {
  if (typeof value === 'function' && !isTool(value) && !isProvider(value))
    return isToolClass(value, around.factories) ? ofClass(value as Class, around.kinds) : undefined
  if (typeof value !== 'object' || value === null) return undefined
  return isSource(value) || around.factories.has(value.constructor) ? value : undefined
}

const isTool = (x: object): boolean =>
  'definition' in x && typeof (x as { readonly call?: unknown }).call === 'function'

const isProvider = (x: object): boolean =>
  typeof (x as { readonly toolCallbacks?: unknown }).toolCallbacks === 'function'

/**
 * An array or record counts if one of its values is a source: the library then reports what is wrong with
 * the others.
 */
function isSource(x: unknown): boolean {
  if (typeof x !== 'object' || x === null) return false
  if (isTool(x) || isProvider(x) || hasClassTools(x)) return true
  if (Array.isArray(x)) return x.some(isSource)
  return Object.values(x).some((each) => typeof each === 'object' && each !== null && isTool(each))
}

const hasClassTools = (x: object): boolean =>
  CLASS_TOOLS in x || isMarked((x.constructor as { readonly tools?: unknown } | undefined)?.tools)

const isMarked = (x: unknown): boolean => CLASS_TOOLS in (Object(x) as object)

function isToolClass(x: object, factories: Surroundings['factories']): boolean {
  const { prototype, tools } = x as { readonly prototype?: unknown; readonly tools?: unknown }
  const marked = [x, prototype, tools, (x as { readonly [METADATA]?: unknown })[METADATA]]
  return factories.has(x) || marked.some(isMarked)
}

/** Returns undefined if another export is an instance of the class or of a subclass. */
function ofClass(Of: Class, kinds: readonly unknown[]): ToolSource | undefined {
  if (kinds.some((other) => isKindOf(other, Of))) return undefined
  if (!needsInstance(Of)) return Of
  if (Of.length > 0)
    throw new CommandError(
      `${Of.name} has tools, but its constructor needs arguments. ${exportInstance(Of)}`,
    )
  try {
    return new (Of as unknown as new () => object)()
  } catch (cause) {
    const message = messageOfThrown(cause)
    throw new CommandError(`new ${Of.name}() failed: ${message}. ${exportInstance(Of)}`, { cause })
  }
}

const isKindOf = (x: unknown, Of: Class): boolean =>
  x instanceof Of || (typeof x === 'function' && Object(x.prototype) instanceof Of)

/**
 * Static tools need no instance. Standard decorators leave a mark on the class; the others are found on a
 * bare object.
 */
function needsInstance(Of: Class): boolean {
  const isMarkedByDecorator = isMarked((Of as { readonly [METADATA]?: unknown })[METADATA])
  if (isMarkedByDecorator || !(CLASS_TOOLS in Of)) return true
  return countTools(Object.create(Of.prototype) as object) > countTools(Of)
}

function countTools(source: ToolSource): number {
  try {
    return toolsOf(source).length
  } catch {
    return 0
  }
}

const exportInstance = ({ name }: Class): string =>
  `Export an instance: export const tools = new ${name}(...).`
