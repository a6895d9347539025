/**
 * The JSON form of a TypeScript type, and how to get the real value back. The shape reader makes shapes
 * from types; schemas, JSON types and revival are all written from them, so that the three cannot disagree.
 * Types only.
 */

/** A JSON value. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

export type Shape =
  | SimpleShape
  | TemplateShape
  | LiteralsShape
  | EnumShape
  | { readonly kind: 'array' | 'set'; readonly item: Shape }
  | MapShape
  | TupleShape
  | RecordShape
  | ObjectShape
  | UnionShape
  | NamedShape

/**
 * `unknown`: any JSON, typed unknown. `json`: any JSON, typed as JSON. `undefined`: only as a member of a
 * union inside a list, where JSON has null.
 */
export interface SimpleShape {
  readonly kind: 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'bigint' | 'date' | 'url' | 'bytes' | 'buffer' | 'unknown' | 'json' | 'any-object' // prettier-ignore
}

/** Text of a template literal type. */
export interface TemplateShape {
  readonly kind: 'template'
  /** The type as TypeScript writes it. */
  readonly text: string
  /** The pattern of the text; undefined if no pattern can express it. */
  readonly pattern: string | undefined
}

export type Literal = string | number | boolean

export interface LiteralsShape {
  readonly kind: 'literals'
  readonly values: readonly Literal[]
}

export interface EnumShape {
  readonly kind: 'enum'
  readonly members: readonly { readonly name: string; readonly value: string | number }[]
  /** Where to import the enum from; undefined if it is not exported. */
  readonly type: TypeName | undefined
}

/** An object if every key is text, otherwise a list of pairs. */
export interface MapShape {
  readonly kind: 'map'
  readonly key: Shape
  readonly value: Shape
}

export interface TupleShape {
  readonly kind: 'tuple'
  readonly items: readonly { readonly shape: Shape; readonly optional: boolean }[]
  readonly rest: Shape | undefined
}

/** An object with unknown keys. */
export interface RecordShape {
  readonly kind: 'record'
  /** The pattern of the keys; undefined if any text is allowed. */
  readonly keyPattern: string | undefined
  readonly value: Shape
}

export interface ObjectShape {
  readonly kind: 'object'
  readonly properties: readonly Property[]
  /** The names that `keyof` gives, including those without a JSON form. */
  readonly keys: readonly string[]
  /** The shape of further properties, if they are allowed. */
  readonly others: Shape | undefined
  /** A class with methods: revival gives the value its prototype back. */
  readonly class: TypeName | undefined
}

export interface Property {
  readonly name: string
  readonly shape: Shape
  /** The key may be missing in JSON. */
  readonly optional: boolean
  /** The real type requires the key even if its value is undefined. */
  readonly keyWanted: boolean
  readonly notes: Notes
}

export interface UnionShape {
  readonly kind: 'union'
  readonly members: readonly Shape[]
}

/** A type with a name, or one that contains itself. */
export interface NamedShape {
  readonly kind: 'named'
  readonly definition: Definition
}

export interface Definition {
  /** The type's name, with its arguments: `PageOfOrder`. */
  readonly name: string
  /** How the generated file can import the real type; undefined if it cannot. */
  readonly type: TypeName | undefined
  /** Set when the type has been read completely. */
  shape: Shape
  /** Whether the type contains itself. */
  recursive: boolean
  readonly notes: Notes
}

/** A name that can be imported. */
export interface TypeName {
  readonly name: string
  /** Absolute path of the module, or the specifier of a package. */
  readonly from: { readonly file: string } | { readonly specifier: string }
  /** Its local name, if it is not its own. */
  readonly as?: string
}

/** What doc comments say about a value: JSON Schema keywords, in the order in which they are written. */
export type Notes = { readonly [keyword: string]: JsonValue }
