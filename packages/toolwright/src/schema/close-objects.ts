/**
 * Says `additionalProperties: false` wherever a schema names an object's properties and says nothing
 * about others, at every depth: what a model sends and nobody asked for shall be an error. An object
 * that names no properties at all is a map and stays open.
 */
import { ConfigurationError } from '../errors/errors.ts'
import type { JsonSchema } from './json-schema.ts'
import { isObject, mapSubschemas, type SchemaObject } from './subschemas.ts'

/** Tests rather than descriptions of what to send: closing them would change what they mean. */
const TESTS = new Set(['not', 'if', 'contains', 'propertyNames', 'contentSchema'])
/** Schemas for the very same value: only the node that holds them knows all the properties. */
const EXTENSIONS = new Set(['allOf', 'then', 'else', 'dependentSchemas'])
const ALTERNATIVES = new Set(['anyOf', 'oneOf'])
const DEEPEST = 500

export function closeObjects(schema: JsonSchema): JsonSchema {
  const root = schema as SchemaObject
  const closer = new Closer(root)
  closer.findBases(root)
  return closer.close(root) as JsonSchema
}

class Closer {
  readonly #root: SchemaObject
  /** References that some other schema extends: their targets stay open, whoever uses them closes. */
  readonly #bases = new Set<unknown>()
  #depth = 0

  constructor(root: SchemaObject) {
    this.#root = root
  }

  findBases(schema: unknown, isExtension = false): void {
    this.#guarded(schema, (node) => {
      if (node.$ref !== undefined && (isExtension || namesProperties(node))) {
        this.#bases.add(node.$ref)
      }
      for (const [keyword, value] of Object.entries(node)) {
        const isPart = extendsNode(node, keyword)
        mapSubschemas(keyword, value, (inner) => this.findBases(inner, isPart))
      }
      return undefined
    })
  }

  close(schema: unknown, isExtension = false): unknown {
    return this.#guarded(schema, (node) => {
      const entries = Object.entries(node).map(([keyword, value]) => [
        keyword,
        this.#closeKeyword(node, keyword, value),
      ])
      const closed = Object.fromEntries(entries) as SchemaObject
      return isExtension ? closed : { ...closed, ...this.#closing(node) }
    })
  }

  #closeKeyword(node: SchemaObject, keyword: string, value: unknown): unknown {
    if (TESTS.has(keyword)) return value
    if ((keyword === '$defs' || keyword === 'definitions') && isObject(value)) {
      const entries = Object.entries(value).map(([name, schema]) => [
        name,
        this.close(schema, this.#bases.has(`#/${keyword}/${name}`)),
      ])
      return Object.fromEntries(entries)
    }
    return mapSubschemas(keyword, value, (inner) => this.close(inner, extendsNode(node, keyword)))
  }

  #closing(node: SchemaObject): SchemaObject {
    const says = node.additionalProperties !== undefined || node.unevaluatedProperties !== undefined
    if (says) return {}
    const extensions = extensionsOf(node)
    const isExtended = extensions.some((inner) => this.#isRecord(inner, 0))
    if (isExtended) return { unevaluatedProperties: false }
    return namesProperties(node) ? { additionalProperties: false } : {}
  }

  /** Whether a schema, or what it refers to and is made of, names properties. */
  #isRecord(schema: unknown, hops: number): boolean {
    if (!isObject(schema) || hops > 20) return false
    if (namesProperties(schema)) return true
    const target = this.#bases.has(schema.$ref) ? lookUp(this.#root, schema.$ref) : undefined
    return [target, ...extensionsOf(schema)].some((inner) => this.#isRecord(inner, hops + 1))
  }

  #guarded(schema: unknown, change: (node: SchemaObject) => unknown): unknown {
    if (!isObject(schema)) return schema
    if (++this.#depth > DEEPEST) {
      throw new ConfigurationError('invalid-schema', `The schema is nested over ${DEEPEST} levels.`)
    }
    const changed = change(schema)
    this.#depth--
    return changed
  }
}

function namesProperties(schema: SchemaObject): boolean {
  return schema.properties !== undefined || schema.patternProperties !== undefined
}

/** Alternatives extend a node that has properties of its own; otherwise each stands for itself. */
function extendsNode(node: SchemaObject, keyword: string): boolean {
  return EXTENSIONS.has(keyword) || (ALTERNATIVES.has(keyword) && namesProperties(node))
}

/** The schemas that may add properties to those a node names itself, its own reference included. */
function extensionsOf(node: SchemaObject): unknown[] {
  const inner: unknown[] = node.$ref === undefined ? [] : [{ $ref: node.$ref }]
  for (const [keyword, value] of Object.entries(node)) {
    if (extendsNode(node, keyword)) mapSubschemas(keyword, value, (schema) => inner.push(schema))
  }
  return inner
}

function lookUp(root: SchemaObject, reference: unknown): unknown {
  const [, keyword, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(reference)) ?? []
  const map = keyword === undefined ? undefined : root[keyword]
  return isObject(map) && name !== undefined && Object.hasOwn(map, name) ? map[name] : undefined
}
