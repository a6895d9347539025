/**
 * How a value that fits a lowered schema becomes one that fits the declared schema: plain data, made while the
 * schema is lowered, read by `raise` and by `JsonRaiser`. Undefined: nothing changes here or further in.
 */
import { canonicalJson } from '../../internal/canonical-json.ts'
import { isObject, keysOf, type JsonObject } from '../json-object.ts'
import { typesNamedBy } from '../json-type.ts'

/** Plans that are read at a value of a known kind. */
export type Plan = ObjectPlan | ListPlan | EntriesPlan | TuplePlan | WrappedPlan | TextPlan | Choice
/** Plans as they are made: those of unions and references are looked up when a value comes. */
export type LazyPlan = Plan | UnionPlan | ReferencePlan

/** An object whose nulls under `absent` are left out. */
export interface ObjectPlan {
  readonly kind: 'object'
  readonly members: ReadonlyMap<string, LazyPlan | undefined>
  readonly absent: ReadonlySet<string>
  /** The property that lists members whose names the schema does not give. */
  readonly rest?: { readonly name: string; readonly entries: EntriesPlan }
}

export interface ListPlan {
  readonly kind: 'list'
  readonly item: LazyPlan | undefined
}

/** A list of `{ key, value }` that means an object. */
export interface EntriesPlan {
  readonly kind: 'entries'
  readonly value: LazyPlan | undefined
}

/** An object whose members, in this order, mean the items of a list. */
export interface TuplePlan {
  readonly kind: 'tuple'
  readonly items: readonly {
    readonly name: string
    readonly plan: LazyPlan | undefined
    /** Null is no item, and the list ends before it. */
    readonly mayEnd: boolean
  }[]
  /** The member that lists further items. */
  readonly more?: { readonly name: string; readonly item: LazyPlan | undefined }
}

/** An object around the one value that is meant. */
export interface WrappedPlan {
  readonly kind: 'wrapped'
  readonly name: string
  readonly plan: LazyPlan | undefined
}

/** A text that means a JSON value: any, or one of those listed by their texts. */
export interface TextPlan {
  readonly kind: 'text'
  readonly constants?: ReadonlySet<string>
}

/** Alternatives that a value of one kind may fit: the first that it fits says how it is raised. */
export interface Choice {
  readonly kind: 'choice'
  readonly alternatives: readonly Alternative<Plan>[]
}

export interface Alternative<Kind> {
  readonly schema: JsonObject
  readonly plan: Kind | undefined
}

export interface UnionPlan {
  readonly kind: 'union'
  readonly alternatives: readonly Alternative<LazyPlan>[]
  /** The lowered schema behind a reference to a definition. */
  follow(schema: JsonObject): JsonObject
  /** What was found for each kind of value. */
  readonly found: Map<JsonKind, { readonly plan: Plan | undefined }>
}

export interface ReferencePlan {
  readonly kind: 'reference'
  readonly definition: { readonly plan?: LazyPlan | undefined }
}

/** What the first character of a JSON value says about it. */
export type JsonKind = 'object' | 'array' | 'string' | 'other'

const KIND_OF: { readonly [kind in Exclude<Plan, Choice>['kind']]: JsonKind } = {
  object: 'object',
  list: 'array',
  entries: 'array',
  tuple: 'object',
  wrapped: 'object',
  text: 'string',
}

export function planAt(plan: LazyPlan | undefined, kind: JsonKind): Plan | undefined {
  let here = plan
  // References to references end: a definition is never just another one.
  for (let hops = 0; here?.kind === 'reference' && hops < 100; hops++) here = here.definition.plan
  if (here === undefined || here.kind === 'reference') return undefined
  if (here.kind === 'union') return unionAt(here, kind)
  if (here.kind === 'choice') return here
  return KIND_OF[here.kind] === kind ? here : undefined
}

function unionAt(union: UnionPlan, kind: JsonKind): Plan | undefined {
  const known = union.found.get(kind)
  if (known) return known.plan
  // A union that is one of its own alternatives adds nothing to the others.
  union.found.set(kind, { plan: undefined })
  const plan = joinedPlan(alternativesAt(union, kind))
  union.found.set(kind, { plan })
  return plan
}

/** The alternatives that a value of this kind may fit, each with its plan for it. */
function alternativesAt(union: UnionPlan, kind: JsonKind): readonly Alternative<Plan>[] {
  return union.alternatives
    .filter(({ schema }) => mayBe(schema, kind, union))
    .map(({ schema, plan }) => ({ schema: union.follow(schema), plan: planAt(plan, kind) }))
}

function mayBe(schema: JsonObject, kind: JsonKind, union: UnionPlan): boolean {
  const seen = new Set<JsonObject>()
  const todo = [schema]
  for (let each = todo.pop(); each; each = todo.pop()) {
    const target = union.follow(each)
    if (seen.has(target)) continue
    seen.add(target)
    if (Array.isArray(target.anyOf)) todo.push(...(target.anyOf as readonly JsonObject[]))
    else if (isOfKind(typesNamedBy(target), kind)) return true
  }
  return false
}

function isOfKind(types: readonly unknown[] | undefined, kind: JsonKind): boolean {
  if (!types) return true
  if (kind === 'other') return types.some((type) => !/^(?:object|array|string)$/.test(String(type)))
  return types.includes(kind)
}

function joinedPlan(alternatives: readonly Alternative<Plan>[]): Plan | undefined {
  const [first, ...others] = alternatives
  if (first === undefined || others.every(({ plan }) => isSamePlan(plan, first.plan)))
    return first?.plan
  return joinedObjects(alternatives) ?? { kind: 'choice', alternatives }
}

/** One plan for objects that agree on every name that several of them have. */
function joinedObjects(alternatives: readonly Alternative<Plan>[]): ObjectPlan | undefined {
  const members = new Map<string, LazyPlan | undefined>()
  const absent = new Set<string>()
  for (const { schema, plan } of alternatives) {
    if (!isPlainObject(plan) || schema.additionalProperties !== false) return undefined
    for (const name of keysOf(schema.properties)) {
      const inner = plan?.members.get(name)
      const isAbsent = plan?.absent.has(name) ?? false
      if (!members.has(name)) {
        members.set(name, inner)
        if (isAbsent) absent.add(name)
      } else if (absent.has(name) !== isAbsent || !isSamePlan(members.get(name), inner)) {
        return undefined
      }
    }
  }
  return { kind: 'object', members, absent }
}

function isPlainObject(plan: Plan | undefined): plan is ObjectPlan | undefined {
  return plan === undefined || (plan.kind === 'object' && plan.rest === undefined)
}

/** Whether two plans do the same. False where that takes long to find out. */
function isSamePlan(one: LazyPlan | undefined, other: LazyPlan | undefined, depth = 0): boolean {
  if (one === other) return true
  if (one === undefined || other === undefined || depth > 4) return false
  const isSame = (a: LazyPlan | undefined, b: LazyPlan | undefined): boolean =>
    isSamePlan(a, b, depth + 1)
  if (one.kind === 'reference' && other.kind === 'reference')
    return one.definition === other.definition
  if (one.kind === 'list' && other.kind === 'list') return isSame(one.item, other.item)
  if (one.kind === 'entries' && other.kind === 'entries') return isSame(one.value, other.value)
  if (one.kind === 'text' && other.kind === 'text')
    return one.constants === undefined && other.constants === undefined
  if (one.kind !== 'object' || other.kind !== 'object' || one.rest || other.rest) return false
  return (
    canonicalJson([...one.absent].sort()) === canonicalJson([...other.absent].sort()) &&
    [...new Set([...one.members.keys(), ...other.members.keys()])].every((name) =>
      isSame(one.members.get(name), other.members.get(name)),
    )
  )
}

/** Whether a plan changes any value at all. */
export function doesAnything(plan: LazyPlan | undefined): boolean {
  return plansIn(plan).some((each) => changes(each) || (isPlain(each) && each.absent.size > 0))
}

/** Whether all that a plan changes is to leave nulls out. */
export function dropsOnlyNulls(plan: LazyPlan | undefined): boolean {
  return !plansIn(plan).some(changes)
}

/** Whether a plan makes something else of a value than an object without some nulls. */
const changes = (plan: LazyPlan): boolean =>
  plan.kind !== 'reference' && plan.kind !== 'union' && plan.kind !== 'list' && !isPlain(plan)

const isPlain = (plan: LazyPlan): plan is ObjectPlan =>
  plan.kind === 'object' && plan.rest === undefined

/** The plan and those inside it, up to those that change what they are given. */
function plansIn(plan: LazyPlan | undefined): readonly LazyPlan[] {
  const found = new Set<LazyPlan>()
  const todo = [plan]
  while (todo.length > 0) {
    const each = todo.pop()
    if (each === undefined || found.has(each)) continue
    found.add(each)
    if (each.kind === 'reference') todo.push(each.definition.plan)
    else if (each.kind === 'union') todo.push(...each.alternatives.map((inner) => inner.plan))
    else if (each.kind === 'list') todo.push(each.item)
    else if (isPlain(each)) todo.push(...each.members.values())
  }
  return [...found]
}

/** The kind of a JSON value. */
export function jsonKindOf(value: unknown): JsonKind {
  if (typeof value === 'string') return 'string'
  if (Array.isArray(value)) return 'array'
  return isObject(value) ? 'object' : 'other'
}
