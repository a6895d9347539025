/**
 * Raises a value by its plan. The same walk serves values and texts: what it reads and makes is behind
 * `Reading`. Nothing thrown by a value gets out, and beyond a depth that no JSON argument may have, values stay
 * as they are.
 */
import { isObject, type JsonObject } from '../json-object.ts'
import { SchemaIndex } from '../schema-index.ts'
import { type CompiledSchema, SchemaWalk } from '../schema-walk.ts'
import { jsonTree, type JsonTree } from './json-tree.ts'
import { jsonKindOf, planAt, type LazyPlan, type Plan, type TuplePlan } from './raise-plan.ts'

/** What a lowered schema and its plan are to those who raise. */
export interface Raising {
  readonly schema: JsonObject
  readonly plan: LazyPlan | undefined
}

type Member<Node> = readonly [key: string, node: Node]

interface Reading<Node> {
  valueOf(node: Node): unknown
  members(node: Node): readonly Member<Node>[]
  items(node: Node): readonly Node[]
  object(members: readonly Member<Node>[]): Node
  list(items: readonly Node[]): Node
  /** What a JSON text means, alone in a list; none if it is no JSON. */
  parsed(text: string): readonly Node[]
}

/** The value as the declared schema means it; the same object where nothing changes. */
export function raiseValue(raising: Raising, value: unknown): unknown {
  return raised(raising, VALUES, value)
}

/** The same for JSON text, in which what stays is written as it was; the text itself if it is no JSON. */
export function raiseText(raising: Raising, text: string): string {
  const tree = jsonTree(text)
  return tree === undefined ? text : raised(raising, TREES, tree).text
}

function raised<Node>(raising: Raising, reading: Reading<Node>, node: Node): Node {
  try {
    return new Raise(raising, reading).at(raising.plan, node, 0)
  } catch {
    // A proxy or getter that throws, or alternatives beyond what a check may cost.
    return node
  }
}

const DEEPEST = 500

const VALUES: Reading<unknown> = {
  valueOf: (value) => value,
  members: (value) => Object.entries(value as object),
  items: (value) => value as readonly unknown[],
  // Entries, not assignment: a key called __proto__ must stay a key.
  object: (members) => Object.fromEntries(members),
  list: (items) => [...items],
  parsed: (text) => {
    try {
      return [JSON.parse(text) as unknown]
    } catch {
      return []
    }
  },
}

const TREES: Reading<JsonTree> = {
  valueOf: ({ value }) => value,
  members: ({ inner }) => inner,
  items: ({ inner }) => inner.map(([, tree]) => tree),
  object: (inner) => ({
    value: Object.fromEntries(inner.map(([key, { value }]) => [key, value])),
    text: `{${inner.map(([key, { text }]) => `${JSON.stringify(key)}:${text}`).join(',')}}`,
    inner,
  }),
  list: (items) => ({
    value: items.map(({ value }) => value),
    text: `[${items.map(({ text }) => text).join(',')}]`,
    inner: items.map((tree, index) => [String(index), tree]),
  }),
  parsed: (text) => [jsonTree(text) ?? []].flat(),
}

class Raise<Node> {
  readonly #raising: Raising
  readonly #reading: Reading<Node>
  #walk: SchemaWalk | undefined

  constructor(raising: Raising, reading: Reading<Node>) {
    this.#raising = raising
    this.#reading = reading
  }

  at(lazy: LazyPlan | undefined, node: Node, depth: number): Node {
    if (lazy === undefined || depth > DEEPEST) return node
    const plan = planAt(lazy, jsonKindOf(this.#reading.valueOf(node)))
    return plan === undefined ? node : this.#by(plan, node, depth + 1)
  }

  #by(plan: Plan, node: Node, depth: number): Node {
    const reading = this.#reading
    switch (plan.kind) {
      case 'object':
        return this.#object(plan, node, depth)
      case 'list':
        return this.#list(plan.item, node, depth)
      case 'entries': {
        const entries = this.#entries(plan.value, node, depth)
        return entries ? reading.object([...new Map(entries)]) : node
      }
      case 'tuple':
        return this.#tuple(plan, node, depth)
      case 'wrapped': {
        const members = reading.members(node)
        const [member] = members
        const isWrapped = members.length === 1 && member?.[0] === plan.name
        return isWrapped ? this.at(plan.plan, member[1], depth) : node
      }
      case 'text': {
        const text = reading.valueOf(node) as string
        const isMeant = plan.constants?.has(text) ?? true
        const [parsed = node] = isMeant ? reading.parsed(text) : []
        return parsed
      }
      case 'choice': {
        const value = reading.valueOf(node)
        const fitting = plan.alternatives.find(({ schema }) => this.#fits(schema, value))
        return fitting?.plan === undefined ? node : this.#by(fitting.plan, node, depth)
      }
    }
  }

  #object(plan: Extract<Plan, { kind: 'object' }>, node: Node, depth: number): Node {
    const { members, absent, rest } = plan
    const reading = this.#reading
    const before = reading.members(node)
    const after: Member<Node>[] = []
    let entries: readonly Member<Node>[] = []
    let isSame = true
    for (const member of before) {
      const [key, inner] = member
      if (absent.has(key) && reading.valueOf(inner) === null) {
        isSame = false
        continue
      }
      const more = key === rest?.name ? this.#entries(rest.entries.value, inner, depth) : undefined
      if (more) {
        isSame = false
        entries = more
        continue
      }
      const raisedInner = this.at(members.get(key), inner, depth)
      isSame &&= raisedInner === inner
      after.push([key, raisedInner])
    }
    if (isSame) return node
    const named = new Set(after.map(([key]) => key))
    return reading.object([...after, ...new Map(entries.filter(([key]) => !named.has(key)))])
  }

  #list(item: LazyPlan | undefined, node: Node, depth: number): Node {
    const before = this.#reading.items(node)
    const after = before.map((each) => this.at(item, each, depth))
    return after.every((each, index) => each === before[index]) ? node : this.#reading.list(after)
  }

  /** The members that a list of entries means; undefined if it is none. */
  #entries(
    value: LazyPlan | undefined,
    node: Node,
    depth: number,
  ): readonly Member<Node>[] | undefined {
    const reading = this.#reading
    if (!Array.isArray(reading.valueOf(node))) return undefined
    const entries: Member<Node>[] = []
    for (const item of reading.items(node)) {
      const entry = reading.valueOf(item)
      if (!isObject(entry) || typeof entry.key !== 'string') return undefined
      const inner = reading.members(item).find(([name]) => name === 'value')
      if (inner === undefined) return undefined
      entries.push([entry.key, this.at(value, inner[1], depth + 1)])
    }
    return entries
  }

  #tuple({ items, more }: TuplePlan, node: Node, depth: number): Node {
    const reading = this.#reading
    const members = new Map(reading.members(node))
    const list: Node[] = []
    for (const { name, plan, mayEnd } of items) {
      const inner = members.get(name)
      if (inner === undefined) return node
      if (mayEnd && reading.valueOf(inner) === null) return reading.list(list)
      list.push(this.at(plan, inner, depth))
    }
    const rest = more && members.get(more.name)
    if (rest !== undefined && Array.isArray(reading.valueOf(rest)))
      list.push(...reading.items(rest).map((each) => this.at(more!.item, each, depth)))
    return reading.list(list)
  }

  #fits(schema: JsonObject, value: unknown): boolean {
    this.#walk ??= new SchemaWalk(compiledOf(this.#raising.schema), 'check')
    return this.#walk.visit(schema, value).fits
  }
}

const compiledSchemas = new WeakMap<JsonObject, CompiledSchema>()

function compiledOf(schema: JsonObject): CompiledSchema {
  let compiled = compiledSchemas.get(schema)
  if (compiled === undefined) {
    compiled = {
      index: new SchemaIndex(schema, {}),
      formats: true,
      plans: new Map(),
      patterns: new Map(),
    }
    compiledSchemas.set(schema, compiled)
  }
  return compiled
}
