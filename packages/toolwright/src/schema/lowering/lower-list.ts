/** Lists, and those whose first items have schemas of their own. */
import { isObject, type JsonObject } from '../json-object.ts'
import { orNull } from './join-lowered.ts'
import type { Change, Lowered, LoweredWithNotes, LoweringContext } from './lowering-context.ts'
import type { LazyPlan } from './raise-plan.ts'
import type { SchemaFacts } from './schema-facts.ts'
import type { Part, PlainPart } from './schema-parts.ts'

/** @param sent the limits of the list that the provider takes */
export function lowerList(
  facts: SchemaFacts,
  context: LoweringContext,
  { depth, sent }: { readonly depth: number; readonly sent: JsonObject },
): LoweredWithNotes {
  const first = Math.max(...facts.parts.map(({ schema }) => firstItems(schema).length))
  const list = new ListLowering(facts, context, depth)
  if (first === 0) return list.plain(sent)
  if (context.rules.hasTuples) return list.tuple(first, sent)
  return context.rules.isStrict ? list.tupleAsObject(first) : list.mixed(first, sent)
}

class ListLowering {
  readonly #facts: SchemaFacts
  readonly #context: LoweringContext
  readonly #depth: number

  constructor(facts: SchemaFacts, context: LoweringContext, depth: number) {
    this.#facts = facts
    this.#context = context
    this.#depth = depth
  }

  plain(sent: JsonObject): LoweredWithNotes {
    const { schema, plan } = this.#lower(this.#partsAt(0))
    const isUnsaid = this.#partsAt(0).length === 0
    if (isUnsaid && !this.#context.rules.isStrict) return { schema: sent, notes: [] }
    if (schema === undefined) return this.#empty()
    return {
      schema: { ...sent, items: schema },
      plan: plan && { kind: 'list', item: plan },
      notes: [],
    }
  }

  /** No item fits. */
  #empty(): LoweredWithNotes {
    if (this.#limits().least > 0) return { schema: undefined, notes: [] }
    return { schema: { items: { type: 'null' }, maxItems: 0 }, notes: ['an empty list'] }
  }

  /** `prefixItems` as it is. */
  tuple(first: number, sent: JsonObject): LoweredWithNotes {
    const prefix = this.#prefix(first)
    const more = this.#lower(this.#partsAt(first))
    const isClosed = prefix.length < first || more.schema === undefined
    const isUnsaid = this.#partsAt(first).length === 0
    const most = Math.min(prefix.length, Number(sent.maxItems ?? Infinity))
    if (isClosed) this.#report('items', 'rewritten')
    return {
      schema: {
        ...sent,
        prefixItems: prefix.map(({ schema }) => schema),
        ...(isClosed ? { maxItems: most } : !isUnsaid && { items: more.schema }),
      },
      notes: [],
    }
  }

  /** For a provider that knows only one schema for all items. */
  mixed(first: number, sent: JsonObject): LoweredWithNotes {
    const prefix = this.#prefix(first)
    const more = this.#lower(this.#partsAt(first))
    const isOpen = this.#partsAt(first).length === 0
    for (const { schema, path } of this.#facts.parts)
      for (const keyword of ['prefixItems', 'items', 'additionalItems'])
        if (schema[keyword] !== undefined)
          this.#context.report({ path, keyword, how: 'kept in the description' })
    if (prefix.length === 0) return this.#empty()
    const schemas = [...prefix, more].flatMap(({ schema }) => schema ?? [])
    const notes = [`prefixItems: ${JSON.stringify(prefix.map(({ schema }) => schema))}`]
    if (prefix.length < first || more.schema === undefined)
      notes.push(`at most ${prefix.length} items`)
    return { schema: { ...sent, ...(!isOpen && { items: { anyOf: schemas } }) }, notes }
  }

  /** For a provider that holds the model to the schema: an object with one member for each item. */
  tupleAsObject(first: number): LoweredWithNotes {
    const { least, most } = this.#limits()
    const count = Math.min(first, most)
    const prefix = this.#prefix(count)
    if (least > most || (prefix.length < least && prefix.length < count))
      return { schema: undefined, notes: [] }
    const mayEnd = this.#optionalFrom(prefix.length, least)
    const items = prefix.map(({ schema, plan }, at) => ({
      name: `item_${at + 1}`,
      schema: at >= mayEnd ? orNull(schema!) : schema!,
      plan,
      mayEnd: at >= mayEnd,
    }))
    this.#reportFirst('rewritten')
    const more = this.#more(first, { least, most, isCut: prefix.length < first })
    if (!more && least > items.length) return { schema: undefined, notes: [] }
    const properties = [
      ...items.map(({ name, schema }) => [name, schema] as const),
      ...(more ? [[MORE, more.schema] as const] : []),
    ]
    return {
      schema: {
        type: 'object',
        properties: Object.fromEntries(properties),
        required: properties.map(([name]) => name),
        additionalProperties: false,
      },
      plan: {
        kind: 'tuple',
        items,
        ...(more && { more: { name: MORE, item: more.item } }),
      },
      notes: [`a list: ${properties.map(([name]) => name).join(', ')} in this order`],
    }
  }

  #reportFirst(how: Change['how']): void {
    for (const { schema, path } of this.#facts.parts)
      if (firstItems(schema).length > 0)
        this.#context.report({
          path,
          keyword: Array.isArray(schema.items) ? 'items' : 'prefixItems',
          how,
        })
  }

  /** From which item on the list may end: there, null is no item. */
  #optionalFrom(count: number, least: number): number {
    let from = count
    const mayBeNull = (at: number): boolean => this.#context.parts.accepts(this.#partsAt(at), null)
    while (from > least && !mayBeNull(from - 1)) from--
    // A shorter list cannot be told from one that ends in null.
    if (from > least) this.#report('minItems', 'dropped', true)
    return from
  }

  #more(
    first: number,
    { least, most, isCut }: { least: number; most: number; isCut: boolean },
  ): { readonly schema: JsonObject; readonly item: LazyPlan | undefined } | undefined {
    if (isCut || most <= first) return undefined
    const asked = this.#partsAt(first)
    if (asked.length === 0) {
      this.#report('items', 'dropped')
      return undefined
    }
    const { schema, plan } = this.#lower(asked)
    if (schema === undefined) return undefined
    const { rules } = this.#context
    const limits = { minItems: Math.max(0, least - first), maxItems: most - first }
    const sent = Object.entries(limits).filter(
      ([keyword, limit]) => limit > 0 && limit < Infinity && rules.takes(keyword, limit),
    )
    const limited = { minItems: least > first, maxItems: most < Infinity }
    for (const [keyword, isLimited] of Object.entries(limited)) {
      const isSent = sent.some(([name]) => name === keyword)
      if (isLimited) this.#report(keyword, isSent ? 'rewritten' : 'dropped')
    }
    return { schema: { type: 'array', items: schema, ...Object.fromEntries(sent) }, item: plan }
  }

  #limits(): { readonly least: number; readonly most: number } {
    const numbers = (keyword: string): readonly number[] =>
      this.#facts.parts
        .map(({ schema }) => schema[keyword])
        .filter((limit) => typeof limit === 'number')
    return {
      least: Math.max(0, ...numbers('minItems')),
      most: Math.min(Infinity, ...numbers('maxItems')),
    }
  }

  /** The lowered schemas of the first items, up to one that nothing fits. */
  #prefix(count: number): readonly Lowered[] {
    const prefix: Lowered[] = []
    for (let at = 0; at < count; at++) {
      const lowered = this.#lower(this.#partsAt(at))
      if (lowered.schema === undefined) break
      prefix.push(lowered)
    }
    return prefix
  }

  #partsAt(at: number): readonly Part[] {
    return this.#facts.parts.flatMap((part) => askedAt(part, at))
  }

  #lower(parts: readonly Part[]): Lowered {
    const asked = parts.length === 0 ? [{ schema: true, path: this.#facts.path }] : parts
    return this.#context.lower(asked, this.#depth + 1)
  }

  #report(keyword: string, how: Change['how'], isPoor = false): void {
    const owner = this.#facts.parts.find(({ schema }) => schema[keyword] !== undefined)
    this.#context.report({ path: owner?.path ?? this.#facts.path, keyword, how, isPoor })
  }
}

const MORE = 'more'

/** The schemas of the first items; a list under `items` is the older form. */
function firstItems({ prefixItems, items }: JsonObject): readonly unknown[] {
  if (Array.isArray(prefixItems)) return prefixItems
  return Array.isArray(items) ? items : []
}

/** What one part asks of the item at a position. */
function askedAt({ schema, path }: PlainPart, at: number): readonly Part[] {
  const first = firstItems(schema)
  const keyword = Array.isArray(schema.items) ? 'items' : 'prefixItems'
  if (at < first.length) return [{ schema: first[at], path: [...path, keyword, at] }]
  const rest = Array.isArray(schema.items) ? 'additionalItems' : 'items'
  const inner = schema[rest]
  return isObject(inner) || typeof inner === 'boolean'
    ? [{ schema: inner, path: [...path, rest] }]
    : []
}
