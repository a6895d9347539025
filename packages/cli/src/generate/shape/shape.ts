/**
 * What a TypeScript type looks like in JSON, and what has to be done to get the real value back. Read
 * from types by the shape reader; schemas, JSON-side types and revival are all written from it, so that
 * the three cannot disagree. Types only.
 */

/** Data as JSON has it. */
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
 * union inside a list, where JSON says null.
 */
export interface SimpleShape {
  readonly kind: 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'bigint' | 'date' | 'url' | 'bytes' | 'buffer' | 'unknown' | 'json' | 'any-object' // prettier-ignore
}

/** Text of a template literal type. */
export interface TemplateShape {
  readonly kind: 'template'
  /** As TypeScript writes the type. */
  readonly text: string
  /** What the text matches; undefined when no pattern says it. */
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
  /** Where the enum comes from; undefined when it is exported nowhere. */
  readonly type: TypeName | undefined
}

/** An object when every key is text, else a list of pairs. */
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

/** An object whose keys are not known. */
export interface RecordShape {
  readonly kind: 'record'
  /** What keys must match; undefined when any text will do. */
  readonly keyPattern: string | undefined
  readonly value: Shape
}

export interface ObjectShape {
  readonly kind: 'object'
  readonly properties: readonly Property[]
  /** The names `keyof` gives, those without JSON form included. */
  readonly keys: readonly string[]
  /** What other properties hold, if there may be any. */
  readonly others: Shape | undefined
  /** Data with methods: gets its prototype back. */
  readonly class: TypeName | undefined
}

export interface Property {
  readonly name: string
  readonly shape: Shape
  /** The key may be left out of the JSON. */
  readonly optional: boolean
  /** The real type wants the key even when its value is undefined. */
  readonly keyWanted: boolean
  readonly notes: Notes
}

export interface UnionShape {
  readonly kind: 'union'
  readonly members: readonly Shape[]
}

/** A type that has a name, or that contains itself. */
export interface NamedShape {
  readonly kind: 'named'
  readonly definition: Definition
}

export interface Definition {
  /** The type's name, with its arguments: `PageOfOrder`. */
  readonly name: string
  /** How the generated file can name the real type; undefined when it cannot. */
  readonly type: TypeName | undefined
  /** Set once the type has been read to its end. */
  shape: Shape
  /** Contains itself. */
  recursive: boolean
  readonly notes: Notes
}

/** A name that can be imported. */
export interface TypeName {
  readonly name: string
  /** Absolute path of the module, or the specifier of a package. */
  readonly from: { readonly file: string } | { readonly specifier: string }
  /** What it is called where it is imported, if not by its own name. */
  readonly as?: string
}

/** What doc comments say about a value: keywords of JSON Schema, in the order in which they are shown. */
export type Notes = { readonly [keyword: string]: JsonValue }
