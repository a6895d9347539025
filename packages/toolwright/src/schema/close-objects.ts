/**
 * Adds `additionalProperties: false` to every object schema that names properties and says nothing about
 * others, at every depth, so that unexpected arguments of a model are errors. An object schema without
 * properties is a map and stays open.
 */
import { invalidSchema } from './invalid-schema.ts'
import { has, isObject, type JsonObject } from './json-object.ts'
import type { JsonSchema } from './json-schema.ts'
import { mapSubschemas } from './subschemas.ts'

/**
 * These keywords test a value instead of describing what to send. Closing them would change their meaning.
 */
const TEST = /^(?:not|if|contains|propertyNames|contentSchema)$/
const PART = /^(?:allOf|then|else|dependentSchemas)$/

export function closeObjects(schema: JsonSchema): JsonSchema {
  try {
    const closer = new Closer()
    closer.findBases(schema as JsonObject, false)
    return closer.close(schema as JsonObject, false)
  } catch (cause) {
    throw invalidSchema('The schema is nested too deeply.', cause)
  }
}

class Closer {
  /** References that another schema extends: their targets stay open, and the extending schema is closed. */
  readonly #bases = new Set<unknown>()
  readonly #targets = new Map<unknown, unknown>()

  findBases(node: JsonObject, isPart: boolean): void {
    if (isPart || namesProperties(node)) this.#bases.add(node.$ref)
    mapSubschemas(node, (inner, keyword, name) => {
      this.#targets.set(`#/${keyword}/${name}`, inner)
      if (isObject(inner)) this.findBases(inner, extendsNode(node, keyword))
    })
  }

  close(node: JsonObject, isPart: boolean): JsonObject {
    const closed = mapSubschemas(node, (inner, keyword, name) => {
      const isOpen = extendsNode(node, keyword) || this.#bases.has(`#/${keyword}/${name}`)
      return isObject(inner) && !TEST.test(keyword) ? this.close(inner, isOpen) : inner
    })
    if (isPart || has(node, 'additionalProperties') || has(node, 'unevaluatedProperties')) {
      return closed
    }
    if (this.#partsOf(node).some((part) => this.#isRecord(part))) {
      return { ...closed, unevaluatedProperties: false }
    }
    return namesProperties(node) ? { ...closed, additionalProperties: false } : closed
  }

  /** Whether a schema, or a schema it is composed of, names properties. */
  #isRecord(schema: unknown): boolean {
    return (
      isObject(schema) &&
      (namesProperties(schema) || this.#partsOf(schema).some((part) => this.#isRecord(part)))
    )
  }

  /** The schemas that may add properties to those that the node names itself. */
  #partsOf(node: JsonObject): unknown[] {
    const parts = this.#bases.has(node.$ref) ? [this.#targets.get(node.$ref)] : []
    mapSubschemas(node, (inner, keyword) => extendsNode(node, keyword) && parts.push(inner))
    return parts
  }
}

function namesProperties(schema: JsonObject): boolean {
  return has(schema, 'properties') || has(schema, 'patternProperties')
}

/**
 * Whether the schemas under a keyword describe the same value as the node, so that only the node knows all
 * properties. Alternatives do so only if the node has properties of its own.
 */
function extendsNode(node: JsonObject, keyword: string): boolean {
  const isAlternative = keyword === 'anyOf' || keyword === 'oneOf'
  return isAlternative ? namesProperties(node) : PART.test(keyword)
}
