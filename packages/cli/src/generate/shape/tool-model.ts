/** The tools of a source file as they will be written: read by the finder, written by the writer. */
import type { JsonValue, Notes, ObjectShape, Shape, TypeName } from './shape.ts'

/** What one export of the generated file offers. */
export interface ToolGroup {
  readonly kind: 'class' | 'function'
  /** The class or function, as the source exports it. */
  readonly from: TypeName
  /** What the generated file exports. */
  readonly exportName: string
  readonly tools: readonly ToolModel[]
}

export interface ToolModel {
  readonly name: string
  /** The method; unused for a function. */
  readonly member: string
  readonly isStatic: boolean
  /** More than one signature: its parameters cannot be counted by a type. */
  readonly isOverloaded: boolean
  /** How many arguments a call may have: one and an optional one are 1 and 2. Empty: any number. */
  readonly lengths: readonly number[]
  /** Further options of `tool()`, in the order in which they are shown. */
  readonly options: { readonly [option: string]: JsonValue }
  /** In the order of the signature. */
  readonly parameters: readonly Parameter[]
  readonly output: Shape | undefined
  /** A result that may be undefined is given as null, which says more than nothing. */
  readonly orNull: 'no' | 'sync' | 'async'
}

export type Parameter = InputParameter | ContextParameter

export interface InputParameter {
  readonly kind: 'input'
  readonly name: string
  readonly shape: Shape
  readonly optional: boolean
  /** Its type has undefined, whatever the tags say. */
  readonly mayBeUndefined: boolean
  /** `...names: string[]` */
  readonly rest: boolean
  readonly notes: Notes
}

/** The tool context, which no model sees. */
export interface ContextParameter {
  readonly kind: 'context'
  /** The keys the tool needs, when its type names them. */
  readonly values: Shape | undefined
}

/** The parameters as the one object that a model sends. */
export function inputShape(parameters: readonly Parameter[]): ObjectShape {
  const properties = parameters
    .filter((parameter): parameter is InputParameter => parameter.kind === 'input')
    .map(({ name, shape, optional, notes }) => ({ name, shape, optional, notes, keyWanted: false }))
  return { kind: 'object', properties, keys: [], others: undefined, class: undefined }
}
