/**
 * Looks through a schema that a stranger wrote before anything else reads it: references must stay inside it, what a
 * caller has to send back must be visible, and it must not be larger than a schema is. Nothing is fetched.
 */
import { hasHidden, withoutHidden } from './hidden-text.ts'

export interface LookedAtSchema {
  /** Why the schema cannot be offered. */
  readonly fault?: string
  /** The schema without hidden characters in its words. */
  readonly schema: object
  /** Whether there were any. */
  readonly hadHidden: boolean
}

const DEEPEST = 64
const MOST_NODES = 20_000
/** Keywords whose words are for reading only. */
const WORDS = /^(?:title|description|\$comment)$/
/** Keywords whose values a caller sends back as they are. */
const VALUES = /^(?:enum|const|default|examples|pattern)$/

export function lookAtSchema(root: object): LookedAtSchema {
  const look = new SchemaLook(root)
  try {
    const schema = look.copy(root, { depth: 0, isNames: false }) as object
    return { schema, hadHidden: look.hadHidden }
  } catch (thrown) {
    if (thrown instanceof Fault)
      return { schema: root, hadHidden: look.hadHidden, fault: thrown.message }
    throw thrown
  }
}

class Fault extends Error {}

interface Place {
  readonly depth: number
  /** Whether the keys are names of properties, not keywords. */
  readonly isNames: boolean
}

class SchemaLook {
  hadHidden = false
  #nodes = 0
  readonly #root: object

  constructor(root: object) {
    this.#root = root
  }

  copy(node: unknown, { depth, isNames }: Place): unknown {
    if (typeof node !== 'object' || node === null) return node
    if (depth > DEEPEST) throw new Fault('the schema is nested too deeply')
    if (++this.#nodes > MOST_NODES) throw new Fault('the schema is too large')
    if (Array.isArray(node))
      return node.map((item) => this.copy(item, { depth: depth + 1, isNames: false }))
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => [
        key,
        this.#value(key, value, { depth, isNames }),
      ]),
    )
  }

  #value(key: string, value: unknown, { depth, isNames }: Place): unknown {
    if (hasHidden(key)) throw new Fault('a name in the schema has hidden characters')
    if (key === '__proto__') throw new Fault('the schema names a prototype')
    const inside = { depth: depth + 1, isNames: !isNames && HOLDS_NAMES.test(key) }
    if (isNames) return this.copy(asSchema(key, value), inside)
    if (FORMS.some(([keywords, isForm]) => keywords.test(key) && !isForm(value)))
      throw new Fault(`${key} is not what it has to be`)
    if (REFERENCE.test(key) && typeof value === 'string') this.#checkReference(value)
    if (WORDS.test(key) && typeof value === 'string') return this.#words(value)
    if (!VALUES.test(key)) return this.copy(value, inside)
    if (hasHidden(JSON.stringify(value) ?? '')) throw new Fault(`${key} has hidden characters`)
    return value
  }

  #words(text: string): string {
    const clean = withoutHidden(text)
    this.hadHidden ||= clean !== text
    return clean
  }

  /** Anchors are left to the checker; a pointer has to lead to something. */
  #checkReference(reference: string): void {
    if (!reference.startsWith('#'))
      throw new Fault(`it refers to another document, ${shown(reference)}`)
    if (!reference.startsWith('#/')) return
    const keys = reference.slice(2).split('/').map(unescaped)
    let found: unknown = this.#root
    for (const key of keys)
      found =
        typeof found === 'object' && found !== null && Object.hasOwn(found, key)
          ? (found as { readonly [key: string]: unknown })[key]
          : undefined
    if (found === undefined) throw new Fault(`its reference ${shown(reference)} leads nowhere`)
  }
}

function asSchema(name: string, value: unknown): unknown {
  if (isRecord(value) || typeof value === 'boolean') return value
  throw new Fault(`${shown(name)} is no schema`)
}

const isRecord = (x: unknown): boolean => typeof x === 'object' && x !== null && !Array.isArray(x)

const isSchema = (x: unknown): boolean => isRecord(x) || typeof x === 'boolean'

const isListOf = (x: unknown, isOne: (item: unknown) => boolean): boolean =>
  Array.isArray(x) && x.every((item) => isOne(item))

const TYPES: readonly unknown[] = 'string number integer boolean null array object'.split(' ')
const isType = (x: unknown): boolean => TYPES.includes(x)

/** What the value of a keyword has to be, so that those who read the schema later need not ask. */
const FORMS: readonly (readonly [RegExp, (x: unknown) => boolean])[] = [
  [/^(?:properties|patternProperties|\$defs|definitions|dependentSchemas)$/, isRecord],
  [/^(?:anyOf|oneOf|allOf|prefixItems)$/, (x) => isListOf(x, isSchema)],
  [/^(?:not|if|then|else|contains|propertyNames|additionalProperties)$/, isSchema],
  [/^items$/, (x) => isSchema(x) || isListOf(x, isSchema)],
  [/^type$/, (x) => isType(x) || isListOf(x, isType)],
  [/^enum$/, (x) => Array.isArray(x)],
  [/^required$/, (x) => isListOf(x, (name) => typeof name === 'string')],
  [/^(?:title|description|pattern|format|\$ref)$/, (x) => typeof x === 'string'],
]

const HOLDS_NAMES = /^(?:properties|patternProperties|\$defs|definitions|dependentSchemas)$/
const REFERENCE = /^\$(?:ref|dynamicRef|recursiveRef)$/

const shown = (reference: string): string => JSON.stringify(reference.slice(0, 80))

function unescaped(token: string): string {
  try {
    return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return token
  }
}
