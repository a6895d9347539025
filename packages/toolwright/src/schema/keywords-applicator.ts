/** Schemas that hold for the same value: all of them, any, exactly one, none, or one if another fits. */
import type { Check, CheckRun, Coerce, SchemaNode } from './check-run.ts'
import { pathText, shorten } from './describe-value.ts'
import type { Issue } from './issue.ts'
import type { Compiler, Keyword } from './keyword.ts'
import { isObject, type SchemaObject } from './subschemas.ts'

function nodesOf(schemas: unknown, compiler: Compiler): readonly SchemaNode[] | undefined {
  return Array.isArray(schemas) ? schemas.map((schema) => compiler.node(schema)) : undefined
}

const allOf: Keyword = (schema, compiler) => {
  const nodes = nodesOf(schema.allOf, compiler)
  return nodes && ((value, run) => run.all(nodes, (node) => node.check(value, run)))
}

/** An alternative that did not fit. */
interface Attempt {
  readonly issues: readonly Issue[]
  readonly cost: number
}

const anyOf: Keyword = (schema, compiler) => {
  const nodes = nodesOf(schema.anyOf, compiler)
  return nodes && union(nodes, { stopAtFirst: !compiler.index.tracks, exactlyOne: false })
}

const oneOf: Keyword = (schema, compiler) => {
  const nodes = nodesOf(schema.oneOf, compiler)
  return nodes && union(nodes, { stopAtFirst: false, exactlyOne: true })
}

interface UnionRules {
  readonly stopAtFirst: boolean
  readonly exactlyOne: boolean
}

function union(nodes: readonly SchemaNode[], rules: UnionRules): Check {
  return (value, run) => {
    const attempts: Attempt[] = []
    let fitting = 0
    for (const node of nodes) {
      const attempt = tryAlternative(node, value, run)
      if (attempt) attempts.push(attempt)
      else fitting++
      if (fitting > 0 && rules.stopAtFirst) break
    }
    if (fitting === 1 || (fitting > 1 && !rules.exactlyOne)) return true
    if (run.silent) return false
    if (fitting > 1) {
      return run.fail(`a value that fits exactly one of the alternatives, not ${fitting}`, value)
    }
    return reportClosest(attempts, value, run)
  }
}

/** What is wrong with an alternative; undefined when it fits. */
function tryAlternative(node: SchemaNode, value: unknown, run: CheckRun): Attempt | undefined {
  const { issues, cost, unionDepth } = run
  run.issues = []
  run.cost = 0
  run.unionDepth = run.path.length
  const ok = node.check(value, run)
  const attempt = ok ? undefined : { issues: run.issues, cost: run.cost }
  Object.assign(run, { issues, cost, unionDepth })
  return attempt
}

/** Tells about the alternative that was probably meant, or names them all when none comes near. */
function reportClosest(attempts: readonly Attempt[], value: unknown, run: CheckRun): false {
  const here = pathText(run.path)
  const closest = attempts.reduce((best, next) => (next.cost < best.cost ? next : best), {
    cost: Infinity,
    issues: [],
  } as Attempt)
  if (closest.issues.some((issue) => issue.path !== here)) {
    run.report(closest.issues, closest.cost)
    return false
  }
  const wanted = attempts.flatMap(({ issues }) => issues.filter(({ path }) => path === here))
  const names = [...new Set(wanted.map(({ expected }) => expected))].join(' or ')
  return run.fail(shorten(names, 400) || 'a value that fits one of the alternatives', value, 'type')
}

const not: Keyword = ({ not: schema }, compiler) => {
  if (schema === undefined) return undefined
  const node = compiler.node(schema)
  return (value, run) => {
    const { evaluated } = run
    run.evaluated = undefined
    const fits = run.silently(node, value)
    run.evaluated = evaluated
    return !fits || run.fail('a value that the schema does not exclude', value)
  }
}

const conditional: Keyword = (schema, compiler) => {
  if (schema.if === undefined) return undefined
  const [condition, then, otherwise] = branchesOf(schema, compiler)
  return (value, run) => (run.silently(condition, value) ? then : otherwise).check(value, run)
}

function branchesOf(
  schema: SchemaObject,
  compiler: Compiler,
): [SchemaNode, SchemaNode, SchemaNode] {
  const node = (part: unknown): SchemaNode => compiler.node(part ?? true)
  return [node(schema.if), node(schema.then), node(schema.else)]
}

export function applicatorCoercions(
  schema: SchemaObject,
  compiler: Compiler,
): (Coerce | undefined)[] {
  return [
    coercionOfAll(nodesOf(schema.allOf, compiler)),
    coercionOfCondition(schema, compiler),
    coercionOfDependents(schema, compiler),
    coercionOfUnion(nodesOf(schema.anyOf, compiler)),
    coercionOfUnion(nodesOf(schema.oneOf, compiler)),
  ]
}

function coercionOfAll(nodes: readonly SchemaNode[] | undefined): Coerce | undefined {
  return (
    nodes && ((value, run) => nodes.reduce((coerced, node) => node.coerce(coerced, run), value))
  )
}

function coercionOfCondition(schema: SchemaObject, compiler: Compiler): Coerce | undefined {
  if (schema.if === undefined) return undefined
  const [condition, then, otherwise] = branchesOf(schema, compiler)
  return (value, run) => (run.silently(condition, value) ? then : otherwise).coerce(value, run)
}

function coercionOfDependents(
  { dependentSchemas }: SchemaObject,
  compiler: Compiler,
): Coerce | undefined {
  if (!isObject(dependentSchemas)) return undefined
  return (value, run) => {
    if (!isObject(value)) return value
    let coerced: unknown = value
    for (const [key, schema] of Object.entries(dependentSchemas)) {
      if (Object.hasOwn(value, key)) coerced = compiler.node(schema).coerce(coerced, run)
    }
    return coerced
  }
}

/** A value that fits an alternative as it is stays; else the first alternative it can be made to fit. */
function coercionOfUnion(nodes: readonly SchemaNode[] | undefined): Coerce | undefined {
  return (
    nodes &&
    ((value, run) => {
      if (nodes.some((node) => run.silently(node, value))) return value
      for (const node of nodes) {
        const coerced = node.coerce(value, run)
        if (coerced !== value && run.silently(node, coerced)) return coerced
      }
      return value
    })
  )
}

export const APPLICATORS: readonly Keyword[] = [allOf, anyOf, oneOf, not, conditional]
