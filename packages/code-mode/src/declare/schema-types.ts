/**
 * JSON Schema as TypeScript types. What TypeScript cannot say, such as ranges and patterns, is left open; the schema itself
 * still checks every call. Schemas that are referred to get names, so that they may hold themselves.
 */
import type { Json, JsonSchema, JsonSchemaNode } from 'toolwright'
import { docComment, LONGEST_PARAMETER_WORDS } from './doc-comment.ts'
import { inParentheses, intersection, keyOf, literalType, union } from './literal-type.ts'

/** Longer lists of values say what kind they are. */
const MOST_VALUES = 100
/** Deeper levels are left open. */
const DEEPEST = 16
/** Names that TypeScript or a program's own world has already. */
const TAKEN = ['Array', 'Date', 'Error', 'Function', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Promise', 'Record', 'RegExp', 'Set', 'String', 'Symbol', 'ToolError'] // prettier-ignore

/** Where a schema stands. */
interface Place {
  /** The schema that references are resolved in. */
  readonly root: JsonSchema
  readonly indent: string
  readonly depth: number
}

/** The keywords of earlier drafts and of OpenAPI that are still met. */
type AnySchema = Omit<JsonSchema, 'items'> & {
  readonly items?: JsonSchemaNode | readonly JsonSchemaNode[]
  readonly nullable?: boolean
}

/** The types of many schemas, with the names that they share. */
export class SchemaTypes {
  readonly #names = new Set(TAKEN)
  /** By what they mean, so that tools that bring the same definitions share them. */
  readonly #named = new Map<string, string>()
  readonly #declarations: string[] = []

  /** `type Name = …`, one for each schema that is referred to. */
  get declarations(): readonly string[] {
    return this.#declarations
  }

  /** The type of a whole schema; `indent` is that of the line it stands on. */
  of(schema: JsonSchema, indent: string): string {
    return this.#type(schema, { root: schema, indent, depth: 0 })
  }

  #type(node: JsonSchemaNode | undefined, place: Place): string {
    if (node === false) return 'never'
    if (typeof node !== 'object' || node === null || place.depth > DEEPEST) return 'unknown'
    const schema = node as AnySchema
    const type = intersection([
      this.#own(schema, place),
      ...(schema.$ref === undefined ? [] : [this.#referred(schema.$ref, place)]),
      ...[schema.anyOf, schema.oneOf].flatMap((choices) =>
        choices === undefined ? [] : [this.#choice(choices, place)],
      ),
      ...(schema.allOf ?? []).map((part) => this.#type(part, deeper(place))),
    ])
    return schema.nullable === true ? union([type, 'null']) : type
  }

  #choice(choices: readonly JsonSchemaNode[], place: Place): string {
    return union(choices.map((choice) => this.#type(choice, deeper(place))))
  }

  /** What the schema itself says, without those that it refers to or is made of. */
  #own(schema: AnySchema, place: Place): string {
    if ('const' in schema) return literalType(schema.const)
    if (Array.isArray(schema.enum)) return valuesType(schema.enum as readonly Json[])
    const kinds = [schema.type ?? kindOf(schema)].flat()
    return union(kinds.map((kind) => this.#kind(kind, schema, place)))
  }

  #kind(kind: string | undefined, schema: AnySchema, place: Place): string {
    if (kind === 'object') return this.#object(schema, place)
    if (kind === 'array') return this.#array(schema, place)
    if (kind === 'integer' || kind === 'number') return 'number'
    return kind === 'string' || kind === 'boolean' || kind === 'null' ? kind : 'unknown'
  }

  #array({ items, prefixItems, minItems = 0 }: AnySchema, place: Place): string {
    const first = prefixItems ?? (Array.isArray(items) ? (items as JsonSchemaNode[]) : undefined)
    const rest = Array.isArray(items) ? true : (items as JsonSchemaNode | undefined)
    const others = inParentheses(this.#type(rest ?? true, deeper(place)))
    if (!first) return `${others}[]`
    const types = first.map((one, at) => {
      const type = this.#type(one, deeper(place))
      return at < minItems ? type : `${inParentheses(type)}?`
    })
    return `[${[...types, ...(others === 'never' ? [] : [`...${others}[]`])].join(', ')}]`
  }

  #object(schema: AnySchema, place: Place): string {
    const { properties = {}, required = [] } = schema
    const inside = deeper(place)
    const members = Object.entries(properties).map(([name, property]) => {
      const comment = docComment(wordsOf(property), {
        longest: LONGEST_PARAMETER_WORDS,
        indent: inside.indent,
      })
      const mark = required.includes(name) ? '' : '?'
      return `${comment}${inside.indent}${keyOf(name)}${mark}: ${this.#type(property, inside)}`
    })
    const others = this.#others(schema, inside)
    if (members.length === 0) return others === undefined ? '{}' : `{ [key: string]: ${others} }`
    // Known members need not be of the type that others have.
    if (others !== undefined && isSaid(schema))
      members.push(`${inside.indent}[key: string]: unknown`)
    return `{\n${members.join('\n')}\n${place.indent}}`
  }

  /** The type of members that have no name in the schema; `undefined`: there are none. */
  #others({ additionalProperties, patternProperties = {} }: AnySchema, place: Place) {
    const patterns = Object.values(patternProperties).map((one) => this.#type(one, place))
    if (additionalProperties === false) return patterns.length === 0 ? undefined : union(patterns)
    return union([...patterns, this.#type(additionalProperties, place)])
  }

  /** The name of a schema that is referred to, which is declared the first time. */
  #referred(reference: string, { root }: Place): string {
    const target = resolved(reference, root)
    if (target === undefined) return 'unknown'
    if (typeof target === 'boolean') return target ? 'unknown' : 'never'
    const meaning = JSON.stringify([reference, target, root.$defs, root.definitions])
    const known = this.#named.get(meaning)
    if (known !== undefined) return known
    const name = this.#claim(reference)
    this.#named.set(meaning, name)
    const at = this.#declarations.push('') - 1
    const type = this.#type(target, { root, indent: '', depth: 0 })
    // A type that is nothing but itself is none that TypeScript knows.
    this.#declarations[at] = `type ${name} = ${type === name ? 'unknown' : type}`
    return name
  }

  #claim(reference: string): string {
    const last = decodeURIComponentSafely(reference).split('/').at(-1) ?? ''
    const plain = last.replace(/[^\w$]+/g, '_').replace(/^[#_]+|_+$/g, '') || 'Node'
    const wanted = /^[0-9]/.test(plain) ? `T${plain}` : plain[0]!.toUpperCase() + plain.slice(1)
    let name = wanted.slice(0, 60)
    for (let count = 2; this.#names.has(name); count++) name = `${wanted.slice(0, 60)}${count}`
    this.#names.add(name)
    return name
  }
}

const deeper = ({ root, indent, depth }: Place): Place => ({
  root,
  indent: `${indent}  `,
  depth: depth + 1,
})

/** Whether the schema itself says that there are others, and does not only leave it open. */
const isSaid = ({ additionalProperties, patternProperties }: AnySchema): boolean =>
  (additionalProperties !== undefined && additionalProperties !== false) ||
  patternProperties !== undefined

function kindOf({ properties, additionalProperties, items, prefixItems }: AnySchema) {
  if (properties !== undefined || additionalProperties !== undefined) return 'object'
  return items !== undefined || prefixItems !== undefined ? 'array' : undefined
}

function valuesType(values: readonly Json[]): string {
  if (values.length <= MOST_VALUES) return union(values.map(literalType))
  const kinds = values.map((value) => (value === null ? 'null' : typeof value))
  return kinds.includes('object') ? 'unknown' : union(kinds)
}

/** What to know about a parameter: its description, its format, and what it is when it is left out. */
function wordsOf(property: JsonSchemaNode): string {
  const { description, format, default: usual } = property as JsonSchema
  const isShort = usual !== undefined && (usual === null || typeof usual !== 'object')
  const notes = [
    ...(typeof format === 'string' ? [format] : []),
    ...(isShort ? [`default ${JSON.stringify(usual)}`] : []),
  ]
  const words = typeof description === 'string' ? description : ''
  return notes.length === 0 ? words : `${words} (${notes.join(', ')})`
}

/** Follows a reference within its own schema. One that leads elsewhere is not followed. */
function resolved(reference: string, root: JsonSchema): JsonSchemaNode | undefined {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let node: unknown = root
  for (const part of decodeURIComponentSafely(reference.slice(2)).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined
    node = (node as Record<string, unknown>)[key]
  }
  return typeof node === 'boolean' || (typeof node === 'object' && node !== null) ? node : undefined
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
