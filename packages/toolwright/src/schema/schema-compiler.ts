/**
 * Turns schemas into nodes of closures, each on its first use, so that a schema nobody checks with
 * costs nothing and recursion needs no care. Which keywords exist is said by the vocabularies.
 */
import type { Check, CheckRun, Coerce, SchemaNode, SchemaResource } from './check-run.ts'
import { coercionOfType } from './coerce-type.ts'
import type { Compiler, Keyword } from './keyword.ts'
import { APPLICATORS, applicatorCoercions } from './keywords-applicator.ts'
import {
  ARRAY_APPLICATORS,
  ARRAY_LIMITS,
  coercionOfItems,
  unevaluatedItems,
} from './keywords-array.ts'
import {
  coercionOfMembers,
  OBJECT_APPLICATORS,
  OBJECT_LIMITS,
  unevaluatedProperties,
} from './keywords-object.ts'
import { coercionOfReference, REFERENCES } from './keywords-reference.ts'
import { format, VALUE_LIMITS } from './keywords-value.ts'
import type { SchemaIndex } from './schema-index.ts'
import { isObject, type SchemaObject } from './subschemas.ts'

const ALWAYS: SchemaNode = { check: () => true, coerce: (value) => value }
const NEVER: SchemaNode = {
  check: (value, run) =>
    run.fail(
      typeof run.path.at(-1) === 'number' ? 'no item here' : 'no property of this name',
      value,
    ),
  coerce: (value) => value,
}

const APPLYING: readonly Keyword[] = [
  ...REFERENCES,
  ...OBJECT_APPLICATORS,
  ...ARRAY_APPLICATORS,
  ...APPLICATORS,
  // These ask what all the others have evaluated.
  unevaluatedProperties,
  unevaluatedItems,
]
const LIMITING: readonly Keyword[] = [...VALUE_LIMITS, ...OBJECT_LIMITS, ...ARRAY_LIMITS]

export function schemaCompiler(index: SchemaIndex, formats: boolean): Compiler {
  const nodes = new Map<object, SchemaNode>()
  const applying = formats ? [format, ...APPLYING] : APPLYING
  const all = [...LIMITING, ...applying]
  const compiler: Compiler = {
    index,
    keywords: (resource) => (resource.validates ? all : applying),
    node(schema) {
      if (!isObject(schema)) return schema === false ? NEVER : ALWAYS
      let node = nodes.get(schema)
      if (!node) nodes.set(schema, (node = lazyNode(schema, compiler)))
      return node
    },
  }
  return compiler
}

function lazyNode(schema: SchemaObject, compiler: Compiler): SchemaNode {
  const node: SchemaNode = {
    check(value, run) {
      node.check = checkOf(schema, compiler)
      return node.check(value, run)
    },
    coerce(value, run) {
      node.coerce = coerceOf(schema, compiler, node)
      return node.coerce(value, run)
    },
  }
  return node
}

function checkOf(schema: SchemaObject, compiler: Compiler): Check {
  const { index } = compiler
  const resource = index.resourceOf(schema)
  const checks: Check[] = []
  for (const keyword of compiler.keywords(resource)) {
    const check = keyword(schema, compiler)
    if (check) checks.push(check)
  }
  const all = allOf(checks)
  const tracked = index.tracks ? tracking(all) : all
  return index.dynamic ? scoped(tracked, resource) : tracked
}

/** Every value passes here at every level: a plain loop keeps the stack short. */
function allOf(checks: readonly Check[]): Check {
  return (value, run) => {
    run.enter()
    let ok = true
    for (const check of checks) {
      if (check(value, run)) continue
      ok = false
      if (run.silent) break
    }
    run.leave()
    return ok
  }
}

/** What a schema evaluated counts for the schema around it only if it fits. */
function tracking(check: Check): Check {
  return (value, run) => {
    if (typeof value !== 'object' || value === null) return check(value, run)
    const outer = run.evaluated
    const own = (run.evaluated = new Set())
    const ok = check(value, run)
    run.evaluated = outer
    if (ok) run.merge(own)
    return ok
  }
}

function scoped(check: Check, resource: SchemaResource): Check {
  return (value, run) => {
    if (run.scope.at(-1) === resource) return check(value, run)
    run.scope.push(resource)
    const ok = check(value, run)
    run.scope.pop()
    return ok
  }
}

function coerceOf(schema: SchemaObject, compiler: Compiler, node: SchemaNode): Coerce {
  const coercions = [
    coercionOfType(schema, node),
    coercionOfReference(schema, compiler),
    coercionOfMembers(schema, compiler),
    coercionOfItems(schema, compiler),
    ...applicatorCoercions(schema, compiler),
  ].filter((coercion) => coercion !== undefined)
  return (value, run: CheckRun) => {
    run.enter()
    let coerced = value
    for (const coercion of coercions) coerced = coercion(coerced, run)
    run.leave()
    return coerced
  }
}
