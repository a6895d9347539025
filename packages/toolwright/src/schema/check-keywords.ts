/**
 * Refuses mistakes in a JSON Schema that a program wrote by hand and that nothing else would notice: a type
 * that does not exist, a misspelt keyword, a required key without a property. What libraries produce is not
 * checked.
 */
import { didYouMean, likeness } from '../internal/nearest-names.ts'
import { describeValue, pathText, type PathKey } from './describe-value.ts'
import { invalidSchema } from './invalid-schema.ts'
import { isObject, keysOf, type JsonObject } from './json-object.ts'
import { KEYWORDS } from './schema-walk.ts'
import { holdsByName, mapSubschemas } from './subschemas.ts'

const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']
const ANNOTATIONS =
  '$schema $id $anchor $dynamicAnchor $vocabulary $comment $defs definitions title description default examples deprecated readOnly writeOnly contentEncoding contentMediaType contentSchema minContains maxContains then else'.split(
    ' ',
  )
/** Of other vocabularies and older drafts, and so like a keyword that they would count as misspelt. */
const FOREIGN = /^(?:id|comment|anchor|example|dependencies)$/
const COMPOSING = /^(?:allOf|anyOf|oneOf|if|then|else|not|dependentSchemas)$/
const DEEPEST = 200

/** The keywords that mean nothing here, each once. Throws a `ConfigurationError` for a mistake. */
export function checkKeywords(schema: object): readonly string[] {
  const unknown = new Set<string>()
  check(schema as JsonObject, { path: [], isWhole: true, unknown })
  return [...unknown]
}

interface Place {
  readonly path: readonly PathKey[]
  /** Whether no schema around it may name properties of the same object. */
  readonly isWhole: boolean
  readonly unknown: Set<string>
}

function check(node: JsonObject, place: Place): void {
  const { path, isWhole, unknown } = place
  const wrong = (message: string, ...more: PathKey[]): Error =>
    invalidSchema(`${pathText([...path, ...more])} of the schema ${message}`)
  for (const keyword of keysOf(node)) {
    if (KEYWORDS.includes(keyword) || ANNOTATIONS.includes(keyword)) continue
    const meant = FOREIGN.test(keyword) ? undefined : misspelt(keyword)
    if (meant) throw wrong(`is no keyword. Did you mean "${meant}"?`, keyword)
    if (!keyword.startsWith('~')) unknown.add(keyword)
  }
  for (const type of [node.type ?? []].flat())
    if (!TYPES.includes(type as string))
      throw wrong(`is ${describeValue(type)}.${didYouMean(String(type), TYPES)} It is one of ${TYPES.join(', ')}.`, 'type') // prettier-ignore
  const { required = [], enum: constants = [] } = node
  if (!Array.isArray(required)) throw wrong('is a list of names, beside properties.', 'required')
  if (!Array.isArray(constants)) throw wrong('is a list.', 'enum')
  const names = isWhole && namesIn(node)
  const missing = names && required.find((name: string) => !names.includes(name))
  if (missing !== undefined && missing !== false)
    throw wrong(`names ${describeValue(missing)}, which is no property.${didYouMean(String(missing), names || [])} Name it in properties, or say additionalProperties: true.`, 'required') // prettier-ignore
  if (path.length > DEEPEST) return
  for (const keyword of keysOf(node))
    if (holdsByName(keyword) && !isObject(node[keyword]))
      throw wrong('is an object of schemas.', keyword)
  mapSubschemas(node, (inner, keyword, name) => {
    const at = name === '' ? [keyword] : [keyword, name]
    if (typeof inner === 'boolean') return
    if (!isObject(inner)) throw wrong(`is ${describeValue(inner)}; a schema is an object.`, ...at)
    // Definitions and alternatives may be parts of an object that is described elsewhere.
    const mayBePart = /^(?:anyOf|oneOf|\$defs|definitions)$/.test(keyword)
    const isPart = mayBePart ? !inner.properties || node.properties : COMPOSING.test(keyword)
    check(inner, { path: [...path, ...at], isWhole: !isPart, unknown })
  })
}

/** The properties that a schema and its parts name; undefined if there may be others. */
function namesIn(node: JsonObject): readonly string[] | undefined {
  const isOpen = (node.additionalProperties ?? node.unevaluatedProperties ?? false) !== false
  if (isOpen || node.$ref || node.$dynamicRef || node.patternProperties) return undefined
  let names: readonly string[] | undefined = keysOf(node.properties)
  mapSubschemas(node, (part, keyword) => {
    if (!COMPOSING.test(keyword) || !isObject(part)) return
    const more = namesIn(part)
    names = names && more && [...names, ...more]
  })
  return names
}

/**
 * The keyword that was probably meant: the same letters, or most of them. Short words are often others, so
 * there only the order of the letters may differ.
 */
function misspelt(word: string): string | undefined {
  const folded = fold(word)
  return [...KEYWORDS, ...ANNOTATIONS].find((keyword) => {
    const right = fold(keyword)
    const isNear = right.length > 5 && Math.abs(right.length - folded.length) < 3
    return sorted(folded) === sorted(right) || (isNear && likeness(folded, right) > 0.7)
  })
}

const sorted = (word: string): string => [...word].sort().join('')

/** The letters of a word in the singular. */
const fold = (word: string): string =>
  word
    .toLowerCase()
    .replace(/[^a-z]|s$/g, '')
    .replace(/ie$/, 'y')
