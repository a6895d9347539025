/**
 * A declared schema as parts that hold together: `allOf`, references and what stands beside them are one list,
 * so that lowering sees all that is said about a value at once. Parts remember where they stand in the declared
 * schema, for the report of changes.
 */
import type { PathKey } from '../describe-value.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { remembered } from '../remembered.ts'
import { SchemaIndex } from '../schema-index.ts'
import { type CompiledSchema, SchemaWalk } from '../schema-walk.ts'
import { holdsByName, holdsSchemas } from '../subschemas.ts'

export type SchemaPath = readonly PathKey[]

/** A schema, or a boolean, at its place. */
export interface Part {
  readonly schema: unknown
  readonly path: SchemaPath
}

/** A part without `allOf` and references. */
export interface PlainPart extends Part {
  readonly schema: JsonObject
}

export interface Meaning {
  readonly parts: readonly PlainPart[]
  /** Where the first part stands. */
  readonly path: SchemaPath
  /** Nothing fits. */
  readonly isNever: boolean
  /** Where references stand that were followed. */
  readonly references: readonly SchemaPath[]
  /** The references that lead nowhere. */
  readonly lost: readonly { readonly keyword: string; readonly path: SchemaPath }[]
  /** The same for parts that ask the same of a value, whatever is said about it; empty if nothing is asked. */
  readonly key: string
}

/** What is said about a value, but asks nothing of it. */
const ANNOTATIONS =
  /^(?:description|title|default|examples|deprecated|readOnly|writeOnly|contentEncoding|contentMediaType|contentSchema|\$comment|\$schema|\$id|\$anchor|\$dynamicAnchor|\$vocabulary|\$defs|definitions|~.*)$/
const FOLLOWED = ['$ref', '$dynamicRef', 'allOf'] as const

/** The keywords of a schema that ask something of a value. */
export function demandsOf(schema: JsonObject): readonly string[] {
  return Object.keys(schema).filter(
    (keyword) => !ANNOTATIONS.test(keyword) && schema[keyword] !== undefined,
  )
}

export class SchemaParts {
  readonly #index: SchemaIndex
  readonly #compiled: CompiledSchema
  readonly #paths: ReadonlyMap<unknown, SchemaPath>
  readonly #ids = new Map<unknown, number>()
  readonly #without = new WeakMap<JsonObject, Map<string, JsonObject>>()

  constructor(root: JsonObject) {
    this.#index = new SchemaIndex(root, {})
    this.#compiled = {
      index: this.#index,
      formats: true,
      plans: new Map(),
      patterns: new Map(),
    }
    this.#paths = pathsIn(root)
  }

  /** All parts, outermost first. */
  meaningOf(parts: readonly Part[]): Meaning {
    const plain: PlainPart[] = []
    const lost: { keyword: string; path: SchemaPath }[] = []
    const references: SchemaPath[] = []
    const seen = new Set<unknown>()
    let isNever = false
    const todo = [...parts]
    for (let next = 0; next < todo.length; next++) {
      const { schema, path } = todo[next]!
      if (schema === false) isNever = true
      if (!isObject(schema) || seen.has(schema)) continue
      seen.add(schema)
      plain.push({ schema: this.without(schema, FOLLOWED), path })
      for (const keyword of ['$ref', '$dynamicRef']) {
        if (typeof schema[keyword] !== 'string') continue
        const target = this.targetOf(schema, schema[keyword])
        if (target) {
          todo.push(target)
          references.push(path)
        } else lost.push({ keyword, path })
      }
      const { allOf } = schema
      if (Array.isArray(allOf))
        todo.push(...allOf.map((each, at) => ({ schema: each, path: [...path, 'allOf', at] })))
    }
    return {
      parts: plain,
      path: parts[0]?.path ?? [],
      isNever,
      references,
      lost,
      key: this.#keyOf(plain),
    }
  }

  targetOf(schema: JsonObject, reference: string): Part | undefined {
    try {
      const target = this.#index.resolve(reference, schema)
      return { schema: target, path: this.#paths.get(target) ?? [] }
    } catch {
      return undefined
    }
  }

  /** The schema without some of its keywords: the same object each time. */
  without(schema: JsonObject, keywords: readonly string[]): JsonObject {
    if (!keywords.some((keyword) => Object.hasOwn(schema, keyword))) return schema
    const known = remembered(this.#without, schema, () => new Map<string, JsonObject>())
    return remembered(known, keywords.join(' '), () =>
      Object.fromEntries(Object.entries(schema).filter(([key]) => !keywords.includes(key))),
    )
  }

  /** Whether a value fits all parts, as far as that can be found out. */
  accepts(parts: readonly Part[], value: unknown): boolean {
    try {
      const walk = new SchemaWalk(this.#compiled, 'check')
      return parts.every(({ schema }) => walk.visit(schema, value).fits)
    } catch {
      return true
    }
  }

  #keyOf(parts: readonly PlainPart[]): string {
    const demanding = parts.filter(({ schema }) => demandsOf(schema).length > 0)
    const ids = demanding.map(({ schema }) =>
      remembered(this.#ids, schema, () => this.#ids.size + 1),
    )
    return ids.sort((one, other) => one - other).join(' ')
  }
}

/** Where each schema stands. No recursion: schemas may be nested deeply. */
function pathsIn(root: JsonObject): ReadonlyMap<unknown, SchemaPath> {
  const paths = new Map<unknown, SchemaPath>([[root, []]])
  const todo: JsonObject[] = [root]
  for (let schema = todo.pop(); schema; schema = todo.pop()) {
    const path = paths.get(schema)!
    for (const [keyword, operand] of Object.entries(schema)) {
      for (const [key, inner] of schemasUnder(keyword, operand)) {
        if (!isObject(inner) || paths.has(inner)) continue
        paths.set(inner, [...path, keyword, ...key])
        todo.push(inner)
      }
    }
  }
  return paths
}

function schemasUnder(
  keyword: string,
  operand: unknown,
): readonly (readonly [readonly PathKey[], unknown])[] {
  if (!holdsSchemas(keyword)) return []
  if (Array.isArray(operand)) return operand.map((inner, at) => [[at], inner])
  if (!isObject(operand)) return []
  if (!holdsByName(keyword)) return [[[], operand]]
  return Object.entries(operand).map(([name, inner]) => [[name], inner])
}
