/** What the parts of a schema say together, sorted by what lowering does with it. */
import { canonicalJson } from '../../internal/canonical-json.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import type { Part, PlainPart, SchemaPath } from './schema-parts.ts'

/** One keyword of one part, or of several that follow from it. */
export interface Said {
  readonly keyword: string
  readonly operand: unknown
  /** Where it stands. */
  readonly paths: readonly SchemaPath[]
}

export interface Union {
  readonly keyword: 'anyOf' | 'oneOf'
  readonly alternatives: readonly Part[]
  readonly owner: PlainPart
}

export interface SchemaFacts {
  readonly parts: readonly PlainPart[]
  /** Where the first part stands. */
  readonly path: SchemaPath
  /** The types that all parts allow; undefined if none names any. */
  readonly types: readonly string[] | undefined
  /** The values that all parts list; undefined if none lists any. */
  readonly constants: readonly unknown[] | undefined
  readonly unions: readonly Union[]
  /** Everything else, but for the keywords of objects and lists that hold schemas. */
  readonly others: readonly Said[]
}

/** Handled by what an object, a list or a union is lowered to. */
const STRUCTURE =
  /^(?:type|enum|const|anyOf|oneOf|allOf|\$ref|\$dynamicRef|properties|patternProperties|additionalProperties|unevaluatedProperties|propertyNames|required|items|prefixItems|additionalItems|description|\$defs|definitions)$/

type ByKeyword<Value> = { readonly [keyword: string]: Value }

/** The types that a keyword says something about. Pure, so that programs without lowering go without it. */
export const TYPES_OF: ByKeyword<readonly string[]> = /* @__PURE__ */ byKeyword([
  [['object'], 'properties patternProperties additionalProperties unevaluatedProperties propertyNames required minProperties maxProperties dependentRequired dependentSchemas'], // prettier-ignore
  [['array'], 'items prefixItems additionalItems contains minContains maxContains minItems maxItems uniqueItems unevaluatedItems'], // prettier-ignore
  [['string'], 'minLength maxLength pattern format contentEncoding contentMediaType'],
  [['number', 'integer'], 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'],
])

function byKeyword<Value>(
  rows: readonly (readonly [value: Value, keywords: string])[],
): ByKeyword<Value> {
  return Object.fromEntries(
    rows.flatMap(([value, keywords]) => keywords.split(' ').map((keyword) => [keyword, value])),
  )
}

export function factsOf({ parts, path }: Pick<SchemaFacts, 'parts' | 'path'>): SchemaFacts {
  return {
    parts,
    path,
    types: parts.map(({ schema }) => schema.type).reduce<Types>(commonTypes, undefined),
    constants: parts.map(({ schema }) => constantsOf(schema)).reduce(commonConstants, undefined),
    unions: parts.flatMap(unionsOf),
    others: othersOf(parts),
  }
}

type Types = readonly string[] | undefined

function commonTypes(types: Types, named: unknown): Types {
  if (named === undefined) return types
  const more = [named].flat().map(String)
  if (types === undefined)
    return more.filter((type) => type !== 'integer' || !more.includes('number'))
  return types.flatMap((type) => {
    if (more.includes(type)) return [type]
    if (type === 'integer') return more.includes('number') ? [type] : []
    return type === 'number' && more.includes('integer') ? ['integer'] : []
  })
}

function constantsOf(schema: JsonObject): readonly unknown[] | undefined {
  const { const: constant, enum: members } = schema
  const listed = Array.isArray(members) ? members : undefined
  return constant === undefined ? listed : commonConstants(listed, [constant])
}

function commonConstants(
  constants: readonly unknown[] | undefined,
  more: readonly unknown[] | undefined,
): readonly unknown[] | undefined {
  if (constants === undefined || more === undefined) return constants ?? more
  const known = new Set(more.map(canonicalJson))
  return constants.filter((constant) => known.has(canonicalJson(constant)))
}

function unionsOf(owner: PlainPart): readonly Union[] {
  return (['anyOf', 'oneOf'] as const).flatMap((keyword) => {
    const schemas = owner.schema[keyword]
    if (!Array.isArray(schemas)) return []
    const alternatives = schemas.map((schema: unknown, at) => ({
      schema,
      path: [...owner.path, keyword, at],
    }))
    return [{ keyword, alternatives, owner }]
  })
}

function othersOf(parts: readonly PlainPart[]): readonly Said[] {
  const said = parts.flatMap(({ schema, path }) =>
    Object.entries(schema)
      .filter(([keyword, operand]) => operand !== undefined && !STRUCTURE.test(keyword))
      .map(([keyword, operand]) => ({ keyword, operand, paths: [path] })),
  )
  return tightest(said)
}

/** Of several limits only the one that the others follow from. */
const TIGHTEST: ByKeyword<(one: number, other: number) => number> = /* @__PURE__ */ byKeyword([
  [Math.max, 'minimum exclusiveMinimum minLength minItems minProperties'],
  [Math.min, 'maximum exclusiveMaximum maxLength maxItems maxProperties'],
])

function tightest(said: readonly Said[]): readonly Said[] {
  const kept: Said[] = []
  for (const each of said) {
    const at = kept.findIndex(({ keyword }) => keyword === each.keyword)
    const before = kept[at]
    const operand = before && strongest(before, each)
    if (operand === undefined) kept.push(each)
    else kept[at] = { ...each, operand, paths: [...before!.paths, ...each.paths] }
  }
  return kept
}

/** The operand that the other follows from; undefined if none does. */
function strongest({ keyword, operand: one }: Said, { operand: other }: Said): unknown {
  const choose = TIGHTEST[keyword]
  if (choose && typeof one === 'number' && typeof other === 'number') return choose(one, other)
  return isEqual(one, other) ? one : undefined
}

const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || (isObject(one) && canonicalJson(one) === canonicalJson(other))
