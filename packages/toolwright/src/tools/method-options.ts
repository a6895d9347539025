/**
 * The options of a tool whose method is known: their types follow from the method, so schemas, converter
 * and predicates must match it. Types only.
 */
import type { JsonSchema, JsonSchemaNode } from '../schema/json-schema.ts'
import type { StandardSchema } from '../schema/standard-schema.ts'
import type { ResultOf, SchemaSource, ToolSettings } from './tool.ts'
import type { ToolContext } from './tool-context.ts'

/** A method that can be called as a tool. */
export type AnyMethod = (input: never, context: never) => unknown

/** The names of the methods of an object that can be called as tools. */
export type MethodName<T> = {
  [Key in keyof T]: T[Key] extends AnyMethod ? Key : never
}[keyof T] &
  string

/** All options except the input's schema. */
export type MethodSettings<Method> = Method extends (
  input: infer Taken,
  context: infer Needed,
) => infer Returned
  ? ToolSettings<Taken, ResultOf<Returned>, ValuesOf<Needed>> & OutputOption & ContextOption<Needed>
  : never

interface OutputOption {
  /** The schema of the result. It is sent to the model where the provider supports it, and checked. */
  readonly output?: SchemaSource
}

/** The schema of the input. It may be omitted only if the method takes no input. */
export type InputOption<Method> = Method extends (input: infer Taken, context: never) => unknown
  ? object extends Taken
    ? { readonly input?: SchemaFor<Taken> }
    : { readonly input: SchemaFor<Taken> }
  : never

/**
 * A schema of what a method takes. A Standard Schema is checked completely; of a JSON Schema only the
 * property names are.
 */
export type SchemaFor<Taken> =
  StandardSchema<unknown, Taken> | (Taken extends object ? ObjectSchemaFor<Taken> : JsonSchema)

type OtherKeywords = Omit<JsonSchema, 'type' | 'properties'>

export interface ObjectSchemaFor<Taken> extends OtherKeywords {
  readonly type: 'object'
  readonly properties: { readonly [Name in keyof Taken]: JsonSchemaNode }
}

type ContextOption<Needed> = ToolContext extends Needed
  ? { readonly context?: SchemaSource }
  : /** The keys of the request's `toolContext` that the method needs. */
    { readonly context: StandardSchema<unknown, ValuesOf<Needed>> | JsonSchema }

type ValuesOf<Needed> =
  Needed extends ToolContext<infer Values> ? Values : { readonly [key: string]: unknown }
