/**
 * The options of a tool whose method is known: their types follow from the method, so schemas, converter
 * and predicates must match it. Types only.
 */
import type { JsonSchema, JsonSchemaNode } from '../schema/json-schema.ts'
import type { StandardJsonSchema, StandardSchema } from '../schema/standard-schema.ts'
import type { ContextSource, InputSource, ResultOf, SchemaSource, ToolSettings } from './tool.ts'
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

/**
 * The schema of the input. It may be omitted only if the method takes no parameters; `'none'` is for methods
 * that only take the context.
 */
export type InputOption<Method> = Method extends (input: infer Taken, context: never) => unknown
  ? Method extends (...parameters: infer Parameters) => unknown
    ? // Of a method of type `any` nothing is known.
      Parameters extends readonly [] | (0 extends 1 & Method ? unknown : never)
      ? OptionalInput
      : object extends Taken
        ? RequiredInput<SchemaFor<Taken> | 'none'>
        : RequiredInput<SchemaFor<Taken>>
    : never
  : never

interface OptionalInput {
  /** The schema of the arguments, which the method does not read. */
  readonly input?: InputSource
}

interface RequiredInput<Schema> {
  /** The schema of what the method takes; `'none'` if it only takes the context. Describe every field. */
  readonly input: Schema
}

/**
 * A schema of what a method takes. A Standard Schema is checked completely; of a JSON Schema only the
 * property names are.
 */
export type SchemaFor<Taken> =
  StandardJsonSchema<unknown, Taken> | (Taken extends object ? ObjectSchemaFor<Taken> : JsonSchema)

type OtherKeywords = Omit<JsonSchema, 'type' | 'properties'>

export interface ObjectSchemaFor<Taken> extends OtherKeywords {
  readonly type: 'object'
  readonly properties: { readonly [Name in keyof Taken]: JsonSchemaNode }
}

type ContextOption<Needed> = ToolContext extends Needed
  ? OptionalContext
  : RequiredContext<StandardSchema<unknown, ValuesOf<Needed>> | JsonSchema>

interface OptionalContext {
  /** The keys of the request's `toolContext` that the method gets, checked. Default: all of them. */
  readonly context?: ContextSource
}

interface RequiredContext<Schema> {
  /** The keys of the request's `toolContext` that the method needs. It gets only those, checked. */
  readonly context: Schema
}

type ValuesOf<Needed> =
  Needed extends ToolContext<infer Values> ? Values : { readonly [key: string]: unknown }
