/**
 * The TypeScript type of a schema, for the parameters of `execute`. It is exact for a Standard Schema and
 * approximate for a JSON Schema literal; what cannot be inferred is `unknown`. Types only.
 */
import type { StandardSchema } from './standard-schema.ts'

/** The type that a tool with this input schema gets. */
export type InferInput<Schema> = [Schema] extends ['none' | undefined]
  ? Record<string, never>
  : Schema extends StandardSchema
    ? NonNullable<Schema['~standard']['types']>['output']
    : '~type' extends keyof Schema
      ? NonNullable<Schema['~type']>
      : // Only what the compiler takes in place of a schema that is wrong is `'none'` here. The schema has its
        // error; that the function does not fit is no second one.
        Schema extends 'none'
        ? // eslint-disable-next-line @typescript-eslint/no-explicit-any -- with unknown it would be
          any
        : InferJsonSchema<Schema>

/**
 * The type that a tool with this output schema returns. Constants are as wide as their type, because the
 * compiler widens those of a returned literal; the check is exact. The check of a JSON Schema reads the JSON
 * form of the result, so dates, sets and the like may stand for what they become.
 */
export type InferOutput<Schema> = Schema extends StandardSchema
  ? Widened<NonNullable<Schema['~standard']['types']>['input']>
  : '~type' extends keyof Schema
    ? BeforeJson<NonNullable<Schema['~type']>>
    : BeforeJson<InferJsonSchema<Schema>>

type Widened<T> = unknown extends T
  ? unknown
  : T extends string
    ? string
    : T extends number
      ? number
      : T extends boolean
        ? boolean
        : T extends object
          ? { readonly [Key in keyof T]: Widened<T[Key]> }
          : T

type BeforeJson<T> = unknown extends T
  ? unknown
  : T extends string
    ? string | bigint | { toJSON(): string }
    : T extends readonly (infer Item)[]
      ? { readonly [Key in keyof T]: BeforeJson<T[Key]> } | ReadonlySet<BeforeJson<Item>>
      : T extends object
        ? | { readonly [Key in keyof T]: BeforeJson<T[Key]> }
          | ReadonlyMap<string, BeforeJson<T[keyof T]>>
        : Widened<T>

interface SimpleTypes {
  string: string
  number: number
  integer: number
  boolean: boolean
  null: null
}

/** The type a JSON Schema literal describes. */
export type InferJsonSchema<Schema> = Schema extends { readonly const: infer Constant }
  ? Constant
  : Schema extends { readonly enum: readonly (infer Member)[] }
    ? Member
    : Schema extends { readonly anyOf: readonly (infer Branch)[] }
      ? InferEach<Branch>
      : Schema extends { readonly oneOf: readonly (infer Branch)[] }
        ? InferEach<Branch>
        : Schema extends { readonly type: readonly (infer Type)[] }
          ? InferTyped<Type, Schema>
          : Schema extends { readonly type: infer Type }
            ? InferTyped<Type, Schema>
            : unknown

type InferEach<Branch> = Branch extends unknown ? InferJsonSchema<Branch> : never

type InferTyped<Type, Schema> = Type extends keyof SimpleTypes
  ? SimpleTypes[Type]
  : Type extends 'object'
    ? InferObject<Schema>
    : Type extends 'array'
      ? InferArray<Schema>
      : unknown

type InferArray<Schema> = Schema extends {
  readonly prefixItems: infer Prefix extends readonly unknown[]
}
  ? [...{ -readonly [Index in keyof Prefix]: InferJsonSchema<Prefix[Index]> }, ...InferRest<Schema>]
  : Schema extends { readonly items: infer Items }
    ? InferJsonSchema<Items>[]
    : unknown[]

type InferRest<Schema> = Schema extends { readonly items: infer Items }
  ? Items extends false
    ? []
    : InferJsonSchema<Items>[]
  : unknown[]

type InferObject<Schema> = Schema extends { readonly properties: infer Properties }
  ? InferProperties<Properties, RequiredKeys<Schema>> & InferOthers<Schema>
  : Schema extends { readonly additionalProperties: infer Others }
    ? Others extends false
      ? Record<string, never>
      : Others extends true
        ? Record<string, unknown>
        : Record<string, InferJsonSchema<Others>>
    : Record<string, unknown>

type RequiredKeys<Schema> = Schema extends { readonly required: readonly (infer Key)[] }
  ? Key
  : never

type InferProperties<Properties, Required> = {
  -readonly [Key in keyof Properties as Key extends Required ? Key : never]: InferJsonSchema<
    Properties[Key]
  >
} & {
  -readonly [Key in keyof Properties as Key extends Required ? never : Key]?: InferJsonSchema<
    Properties[Key]
  >
}

/** Additional properties. Their type would have to hold for the named properties too. */
type InferOthers<Schema> = Schema extends { readonly additionalProperties: infer Others }
  ? Others extends false
    ? unknown
    : { [key: string]: unknown }
  : unknown
