/** The tools of a source file as they will be written. The finder reads them, the writer writes them. */
import type { JsonValue, Notes, ObjectShape, Property, Shape, TypeName } from './shape.ts'

/** What one export of the generated file offers. */
export interface ToolGroup {
  readonly kind: 'class' | 'function'
  /** The class or function, as the source exports it. */
  readonly from: TypeName
  /** The name of the generated file's export. */
  readonly exportName: string
  readonly tools: readonly ToolModel[]
}

export interface ToolModel {
  readonly name: string
  /** The method's name; unused for a function. */
  readonly member: string
  readonly isStatic: boolean
  /** There are several signatures, so a type cannot count the parameters. */
  readonly isOverloaded: boolean
  /** The possible numbers of arguments: 1 and 2 for one parameter and an optional one. Empty: any number. */
  readonly lengths: readonly number[]
  /** Further options of `tool()`, in the order in which they are written. */
  readonly options: { readonly [option: string]: JsonValue }
  /** In the order of the signature. */
  readonly parameters: readonly Parameter[]
  readonly output: Shape | undefined
  /** Whether an undefined result is returned as null, which tells the model more. */
  readonly orNull: 'no' | 'sync' | 'async'
}

export type Parameter = InputParameter | ContextParameter

export interface InputParameter {
  readonly kind: 'input'
  readonly name: string
  readonly shape: Shape
  readonly optional: boolean
  /** Whether the type includes undefined, whatever the tags say. */
  readonly mayBeUndefined: boolean
  /** `...names: string[]` */
  readonly rest: boolean
  readonly notes: Notes
  /** The properties that a model sends in place of a destructured parameter. */
  readonly flat?: readonly Property[] | undefined
}

/** The tool context, which no model sees. */
export interface ContextParameter {
  readonly kind: 'context'
  /** The keys that the tool needs, if its type names them. */
  readonly values: Shape | undefined
}

/** The parameters as the one object that a model sends. */
export function inputShape(parameters: readonly Parameter[]): ObjectShape {
  const properties = parameters
    .filter((parameter): parameter is InputParameter => parameter.kind === 'input')
    .flatMap(({ name, shape, optional, notes, flat }): readonly Property[] =>
      flat ? flat : [{ name, shape, optional, notes, keyWanted: false }],
    )
  return { kind: 'object', properties, keys: [], others: undefined, class: undefined }
}
