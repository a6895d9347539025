/**
 * The definitions of a lowered schema. A schema becomes one when it is referred to, also from within itself; which
 * name it gets, and whether it is the top, is known only at the end.
 */
import type { JsonObject } from '../json-object.ts'
import type { Lowered } from './lowering-context.ts'
import type { LazyPlan } from './raise-plan.ts'
import type { SchemaPath } from './schema-parts.ts'

export interface Definition {
  /** Where it is declared, for its name. */
  readonly path: SchemaPath
  /** Undefined while it is being lowered. */
  schema: JsonObject | undefined
  plan: LazyPlan | undefined
  /** The references to it, which get their text at the end. */
  readonly references: { $ref: string }[]
}

export class Definitions {
  /** By what they mean. */
  readonly #known = new Map<string, Definition>()
  readonly #targets = new Map<JsonObject, Definition>()

  get(key: string): Definition | undefined {
    return this.#known.get(key)
  }

  open(key: string, path: SchemaPath): Definition {
    const definition: Definition = { path, schema: undefined, plan: undefined, references: [] }
    this.#known.set(key, definition)
    return definition
  }

  forget(key: string): void {
    this.#known.delete(key)
  }

  refer(definition: Definition): Lowered {
    const reference = { $ref: '' }
    definition.references.push(reference)
    this.#targets.set(reference, definition)
    return { schema: reference, plan: { kind: 'reference', definition } }
  }

  /** The schema behind a reference; the given one if it is none. */
  follow(schema: JsonObject): JsonObject {
    return this.#targets.get(schema)?.schema ?? schema
  }

  /**
   * The top with the definitions that are referred to.
   *
   * @param topKey what the top means, where it stands for itself
   */
  addedTo(top: JsonObject, topKey?: string): JsonObject {
    const named = new Map<string, JsonObject>()
    for (const [key, { path, schema, references }] of this.#known) {
      if (schema === undefined || references.length === 0) continue
      const isTop = key === topKey
      const name = freeName(nameAt(path), named)
      if (!isTop) named.set(name, schema)
      for (const reference of references) reference.$ref = isTop ? '#' : `#/$defs/${name}`
    }
    return named.size > 0 ? { ...top, $defs: Object.fromEntries(named) } : top
  }
}

/** The author's name for a definition, in letters that need no escaping. */
function nameAt(path: SchemaPath): string {
  const name = String(path.at(-1) ?? 'root').replace(/[^\w-]+/g, '_')
  return name.slice(0, 60) || 'schema'
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name
  for (let n = 2; taken.has(free); n++) free = `${name}_${n}`
  return free
}
