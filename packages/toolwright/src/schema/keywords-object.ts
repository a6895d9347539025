/** What a schema says about the members of an object. Only own keys count, whatever they are called. */
import type { Check, Coerce, SchemaNode } from './check-run.ts'
import { typesNamedBy } from './json-type.ts'
import { atLeast, atMost } from './keywords-value.ts'
import { patternOf } from './pattern-of.ts'
import type { Compiler, Keyword } from './keyword.ts'
import { isObject, type SchemaObject } from './subschemas.ts'

/** An own key with `undefined` is absent: it would not survive JSON. */
const has = (value: SchemaObject, key: string): boolean =>
  Object.hasOwn(value, key) && value[key] !== undefined

const keysOf = (value: SchemaObject): string[] =>
  Object.keys(value).filter((key) => value[key] !== undefined)

const required: Keyword = (schema) => requires(schema.required, schema.properties)

function requires(names: unknown, properties?: unknown): Check | undefined {
  if (!Array.isArray(names)) return undefined
  return (value, run) => {
    if (!isObject(value)) return true
    let ok = true
    for (const name of names as readonly string[]) {
      if (has(value, name)) continue
      ok = false
      run.path.push(name)
      run.fail(`${expectation(properties, name)} (required)`, undefined)
      run.path.pop()
    }
    return ok
  }
}

function expectation(properties: unknown, name: string): string {
  const schema =
    isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
  return (isObject(schema) && typesNamedBy(schema)?.join(' or ')) || 'a value'
}

function size(
  keyword: string,
  expected: string,
  fits: (value: number, limit: number) => boolean,
): Keyword {
  return (schema) => {
    const limit = schema[keyword]
    if (typeof limit !== 'number') return undefined
    return (value, run) =>
      !isObject(value) ||
      fits(keysOf(value).length, limit) ||
      run.fail(`${expected} ${limit} properties`, value)
  }
}

const dependentRequired: Keyword = ({ dependentRequired: dependencies }) => {
  if (!isObject(dependencies)) return undefined
  const checks = Object.entries(dependencies).map(([key, names]) => ({
    key,
    check: requires(names),
  }))
  return (value, run) => {
    if (!isObject(value)) return true
    let ok = true
    for (const { key, check } of checks)
      if (check && has(value, key) && !check(value, run)) ok = false
    return ok
  }
}

const dependentSchemas: Keyword = ({ dependentSchemas: dependencies }, compiler) => {
  const nodes = nodesOf(dependencies, compiler)
  if (!nodes) return undefined
  return (value, run) => {
    if (!isObject(value)) return true
    let ok = true
    for (const [key, node] of nodes) if (has(value, key) && !node.check(value, run)) ok = false
    return ok
  }
}

const propertyNames: Keyword = ({ propertyNames: schema }, compiler) => {
  if (schema === undefined) return undefined
  const node = compiler.node(schema)
  return (value, run) => {
    if (!isObject(value)) return true
    let ok = true
    for (const key of keysOf(value)) if (!run.descend(node, key, key)) ok = false
    return ok
  }
}

function nodesOf(schemas: unknown, compiler: Compiler): Map<string, SchemaNode> | undefined {
  if (!isObject(schemas)) return undefined
  return new Map(Object.entries(schemas).map(([key, schema]) => [key, compiler.node(schema)]))
}

/** The schemas that hold for a member: `properties`, `patternProperties`, else `additionalProperties`. */
function membersOf(
  schema: SchemaObject,
  compiler: Compiler,
): ((key: string) => readonly SchemaNode[]) | undefined {
  const named = nodesOf(schema.properties, compiler)
  const patterns = [...(nodesOf(schema.patternProperties, compiler) ?? [])].map(
    ([source, node]) => [patternOf(source), [node]] as const,
  )
  const rest =
    schema.additionalProperties === undefined ? [] : [compiler.node(schema.additionalProperties)]
  if (!named && patterns.length === 0 && rest.length === 0) return undefined
  const lists = new Map([...(named ?? [])].map(([key, node]) => [key, [node]]))
  return (key) => {
    let nodes: readonly SchemaNode[] | undefined = lists.get(key)
    for (const [pattern, node] of patterns)
      if (pattern.test(key)) nodes = nodes ? [...nodes, ...node] : node
    return nodes ?? rest
  }
}

const members: Keyword = (schema, compiler) => {
  const nodesFor = membersOf(schema, compiler)
  if (!nodesFor) return undefined
  return (value, run) => {
    if (!isObject(value)) return true
    let ok = true
    for (const key of Object.keys(value)) {
      const member = value[key]
      if (member === undefined) continue
      for (const node of nodesFor(key)) {
        run.evaluated?.add(key)
        if (run.descend(node, key, member)) continue
        if (run.silent) return false
        ok = false
      }
    }
    return ok
  }
}

export const unevaluatedProperties: Keyword = ({ unevaluatedProperties: schema }, compiler) => {
  if (schema === undefined) return undefined
  const node = compiler.node(schema)
  return (value, run) => {
    if (!isObject(value)) return true
    let ok = true
    for (const key of keysOf(value)) {
      if (run.evaluated?.has(key)) continue
      run.evaluated?.add(key)
      if (!run.descend(node, key, value[key])) ok = false
    }
    return ok
  }
}

export function coercionOfMembers(schema: SchemaObject, compiler: Compiler): Coerce | undefined {
  const nodesFor = membersOf(schema, compiler)
  return (
    nodesFor &&
    ((value, run) => {
      if (!isObject(value)) return value
      let copy: SchemaObject | undefined
      for (const key of Object.keys(value)) {
        let member = value[key]
        if (member === undefined) continue
        for (const node of nodesFor(key)) member = node.coerce(member, run)
        if (member !== value[key]) setOwn((copy ??= { ...value }), key, member)
      }
      return copy ?? value
    })
  )
}

/** Plain assignment to `__proto__` would set the prototype. */
function setOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

export const OBJECT_LIMITS: readonly Keyword[] = [
  required,
  size('minProperties', 'at least', atLeast),
  size('maxProperties', 'at most', atMost),
  dependentRequired,
]
export const OBJECT_APPLICATORS: readonly Keyword[] = [members, propertyNames, dependentSchemas]
