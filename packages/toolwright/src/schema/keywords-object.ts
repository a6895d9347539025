/** What a schema says about the members of an object. */
import type { Check, Coerce, SchemaNode } from './check-run.ts'
import { checkChildren, coerceChildren, keysOf, unevaluated, type NodesFor } from './children.ts'
import { typesNamedBy } from './json-type.ts'
import type { Compiler, Keyword } from './keyword.ts'
import { sizeLimits } from './limits.ts'
import { patternOf } from './pattern-of.ts'
import { isObject, type SchemaObject } from './subschemas.ts'

const has = (value: SchemaObject, key: string): boolean =>
  Object.hasOwn(value, key) && value[key] !== undefined

const required: Keyword = (schema) => requires(schema.required, schema.properties)

function requires(names: unknown, properties?: unknown): Check | undefined {
  if (!Array.isArray(names)) return undefined
  return (value, run) =>
    !isObject(value) ||
    run.all(names as readonly string[], (name) => {
      if (has(value, name)) return true
      run.path.push(name)
      run.fail(`${expectation(properties, name)} (required)`, undefined)
      run.path.pop()
      return false
    })
}

function expectation(properties: unknown, name: string): string {
  const schema =
    isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
  return (isObject(schema) && typesNamedBy(schema)?.join(' or ')) || 'a value'
}

const dependentRequired: Keyword = ({ dependentRequired: dependencies }) =>
  dependents(dependencies, (names) => requires(names))

const dependentSchemas: Keyword = ({ dependentSchemas: dependencies }, compiler) =>
  dependents(dependencies, (schema) => compiler.node(schema).check)

/** What holds for the whole object when it has a member of some name. */
function dependents(
  dependencies: unknown,
  checkOf: (dependency: unknown) => Check | undefined,
): Check | undefined {
  if (!isObject(dependencies)) return undefined
  const names = Object.keys(dependencies)
  return (value, run) =>
    !isObject(value) ||
    run.all(names, (name) => {
      return !has(value, name) || checkOf(dependencies[name])?.(value, run) !== false
    })
}

const propertyNames: Keyword = ({ propertyNames: schema }, compiler) => {
  if (schema === undefined) return undefined
  const node = compiler.node(schema)
  return (value, run) =>
    !isObject(value) || run.all(keysOf(value), (key) => run.descend(node, key, key))
}

/** The schemas that hold for a member: `properties`, `patternProperties`, else `additionalProperties`. */
function membersOf(schema: SchemaObject, compiler: Compiler): NodesFor | undefined {
  const { properties, patternProperties, additionalProperties } = schema
  const nodesOf = (schemas: unknown): [string, SchemaNode[]][] =>
    Object.entries(isObject(schemas) ? schemas : {}).map(([key, inner]) => [
      key,
      [compiler.node(inner)],
    ])
  if ((properties ?? patternProperties ?? additionalProperties) === undefined) return undefined
  const named = new Map(nodesOf(properties))
  const patterns = nodesOf(patternProperties).map(([source, nodes]) => {
    return { pattern: patternOf(source), nodes }
  })
  const rest = additionalProperties === undefined ? [] : [compiler.node(additionalProperties)]
  return (key) => {
    let found = named.get(key as string)
    for (const { pattern, nodes } of patterns) {
      if (pattern.test(key as string)) found = [...(found ?? []), ...nodes]
    }
    return found ?? rest
  }
}

const members: Keyword = (schema, compiler) => {
  const nodesFor = membersOf(schema, compiler)
  return nodesFor && checkChildren(isObject, nodesFor)
}

export function coercionOfMembers(schema: SchemaObject, compiler: Compiler): Coerce | undefined {
  const nodesFor = membersOf(schema, compiler)
  return nodesFor && coerceChildren(isObject, nodesFor)
}

export const unevaluatedProperties = unevaluated('unevaluatedProperties', isObject)

export const OBJECT_LIMITS: readonly Keyword[] = [
  required,
  ...sizeLimits(
    'Properties',
    (value) => (isObject(value) ? keysOf(value).length : undefined),
    'property',
  ),
  dependentRequired,
]
export const OBJECT_APPLICATORS: readonly Keyword[] = [members, propertyNames, dependentSchemas]
