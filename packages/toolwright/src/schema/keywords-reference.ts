/** `$ref` and `$dynamicRef`: another schema holds for the same value. */
import type { CheckRun, Coerce, SchemaNode } from './check-run.ts'
import type { Compiler, Keyword } from './keyword.ts'
import { isObject, type SchemaObject } from './subschemas.ts'

type Target = (run: CheckRun) => SchemaNode

function staticTarget(schema: SchemaObject, compiler: Compiler): Target | undefined {
  if (typeof schema.$ref !== 'string') return undefined
  const node = compiler.node(compiler.index.resolve(schema.$ref, compiler.index.resourceOf(schema)))
  return () => node
}

function dynamicTarget(schema: SchemaObject, compiler: Compiler): Target | undefined {
  const reference = schema.$dynamicRef
  if (typeof reference !== 'string') return undefined
  const first = compiler.index.resolve(reference, compiler.index.resourceOf(schema))
  const name = reference.slice(reference.indexOf('#') + 1)
  // Without a dynamic anchor of that name at its first target it is an ordinary reference.
  if (!isObject(first) || first.$dynamicAnchor !== name) return () => compiler.node(first)
  return (run) => {
    const outermost = run.scope.find((resource) => resource.dynamicAnchors.has(name))
    return compiler.node(outermost ? outermost.dynamicAnchors.get(name) : first)
  }
}

function targetsOf(schema: SchemaObject, compiler: Compiler): readonly Target[] {
  const targets = [staticTarget(schema, compiler), dynamicTarget(schema, compiler)]
  return targets.filter((target) => target !== undefined)
}

/** What a dynamic reference means depends on the way to it, so nothing is remembered where there is one. */
function isRemembered(value: unknown, compiler: Compiler): value is object {
  return typeof value === 'object' && value !== null && !compiler.index.dynamic
}

const references: Keyword = (schema, compiler) => {
  const targets = targetsOf(schema, compiler)
  if (targets.length === 0) return undefined
  return (value, run) =>
    run.all(targets, (target) => {
      const node = target(run)
      return isRemembered(value, compiler) ? run.checkOnce(node, value) : node.check(value, run)
    })
}

export function coercionOfReference(schema: SchemaObject, compiler: Compiler): Coerce | undefined {
  const targets = targetsOf(schema, compiler)
  if (targets.length === 0) return undefined
  return (value, run) => {
    let coerced = value
    for (const target of targets) {
      const node = target(run)
      coerced = isRemembered(coerced, compiler)
        ? run.coerceOnce(node, coerced)
        : node.coerce(coerced, run)
    }
    return coerced
  }
}

export const REFERENCES: readonly Keyword[] = [references]
