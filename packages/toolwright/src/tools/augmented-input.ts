/**
 * The input of a tool with extra arguments. Each part is checked by its own schema, the checked value is
 * both together, and how it comes apart again is remembered here.
 */
import { mergeSchemas } from '../schema/augment-schema.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { compileInput, type CompiledInput } from '../schema/input-schema.ts'
import type { JsonObject } from '../schema/json-object.ts'
import type { CheckResult } from '../schema/schema-checker.ts'
import { bodyOf } from './tool-body.ts'
import type { ToolCallback } from './tool-callback.ts'

/** The arguments of one call, taken apart. */
export interface AugmentedCall {
  /** What the tool takes: the checked value; for a callback from scratch its JSON. */
  readonly own: unknown
  /** The extra arguments, checked. */
  readonly extra: unknown
  /** All arguments as the tool's own rules see them; of an input that is no object, that alone. */
  readonly seen: unknown
  /** All arguments as coerced JSON. */
  readonly json: () => unknown
  /** As they were sent. */
  readonly text: string
}

export interface AugmentedInput extends CompiledInput {
  /** Of a value that `check` gave. */
  callOf(checked: unknown): AugmentedCall
}

/** Throws when the tool already has an argument of one of the names. */
export function augmentedInput(tool: ToolCallback, extra: CompiledInput): AugmentedInput {
  const body = bodyOf(tool)
  const own = body?.input ?? compileInput(tool.definition.inputSchema)
  const names = Object.keys(extra.jsonSchema.properties!)
  const anyObject = compileSchema({ type: 'object' })
  const calls = new WeakMap<object, AugmentedCall>()
  const coerce = (value: unknown): CheckResult => {
    const whole = anyObject.check(value)
    if (!whole.ok) return whole
    const { mine, added } = split(whole.value as JsonObject, names)
    return joined([own.coerce(mine), extra.coerce(added)])
  }
  const check = (value: unknown, text: string): CheckResult | Promise<CheckResult> => {
    const whole = anyObject.check(value)
    if (!whole.ok) return whole
    const { mine, added } = split(whole.value as JsonObject, names)
    const remember = (results: readonly CheckResult[]): CheckResult => {
      const all = joined(results)
      if (!all.ok) return all
      const [ownValue, extraValue] = results.map(valueOf)
      const seen = isPlain(ownValue) ? all.value : ownValue
      const json = (): unknown => valueOf(coerce(value))
      calls.set(all.value as object, { own: ownValue, extra: extraValue, seen, json, text })
      return all
    }
    const checks = [body ? own.check(mine, text) : own.coerce(mine), extra.check(added)]
    return checks.some((each) => each instanceof Promise)
      ? Promise.all(checks).then(remember)
      : remember(checks as CheckResult[])
  }
  const { name } = tool.definition
  return {
    jsonSchema: mergeSchemas(own.jsonSchema, extra.jsonSchema, `Tool "${name}"`),
    wrapped: own.wrapped,
    coerce,
    check: (value, text = JSON.stringify(value)) => check(value, text),
    callOf: (checked) => calls.get(checked as object)!,
  }
}

function split(
  whole: JsonObject,
  names: readonly string[],
): { readonly mine: JsonObject; readonly added: JsonObject } {
  const entries = Object.entries(whole)
  const isAdded = ([name]: readonly [string, unknown]): boolean => names.includes(name)
  return {
    mine: Object.fromEntries(entries.filter((entry) => !isAdded(entry))),
    added: Object.fromEntries(entries.filter(isAdded)),
  }
}

/** Both parts in one object, or the issues of both. */
function joined(results: readonly CheckResult[]): CheckResult {
  const issues = results.flatMap((each) => (each.ok ? [] : each.issues))
  if (issues.length > 0) return { ok: false, issues }
  const [own, extra] = results.map(valueOf)
  return { ok: true, value: { ...(isPlain(own) ? own : { value: own }), ...(extra as object) } }
}

const valueOf = (result: CheckResult): unknown => (result.ok ? result.value : undefined)

/** A schema may make anything of its input; what is of a class loses it when it is copied. */
const isPlain = (x: unknown): x is object =>
  typeof x === 'object' &&
  x !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(x) as object | null)
