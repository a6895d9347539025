/**
 * The input of a tool with extra arguments. Each part is checked by its own schema; the checked value is
 * both together, and this file remembers how to separate them.
 */
import { mergeSchemas } from '../schema/augment-schema.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { compileInput, type CompiledInput } from '../schema/input-schema.ts'
import type { JsonObject } from '../schema/json-object.ts'
import type { CheckResult } from '../schema/schema-checker.ts'
import { bodyOf } from './tool-body.ts'
import type { ToolCallback } from './tool-callback.ts'

/** The arguments of one call, separated. */
export interface AugmentedCall {
  /**
   * The tool's own arguments: the checked value or, for a callback that was not made by `tool()`, its JSON.
   */
  readonly own: unknown
  /** The extra arguments, checked. */
  readonly extra: unknown
  /** All arguments, as the tool's own rules get them. If the input is not an object, only the input. */
  readonly seen: unknown
  /** All arguments as coerced JSON. */
  readonly json: () => unknown
  /** The JSON text as the model sent it. */
  readonly text: string
}

export interface AugmentedInput extends CompiledInput {
  /** The separated arguments of a value that `check` returned. */
  callOf(checked: unknown): AugmentedCall
}

/** Throws if the tool already has an argument with one of the names. */
export function augmentedInput(tool: ToolCallback, extra: CompiledInput): AugmentedInput {
  const body = bodyOf(tool)
  const ownInput = body?.input ?? compileInput(tool.definition.inputSchema)
  const names = Object.keys(extra.jsonSchema.properties!)
  const anyObject = compileSchema({ type: 'object' })
  const calls = new WeakMap<object, AugmentedCall>()
  const coerce = (value: unknown): CheckResult => {
    const whole = anyObject.check(value)
    if (!whole.ok) return whole
    const { own, added } = split(whole.value as JsonObject, names)
    return mergeResults([ownInput.coerce(own), extra.coerce(added)])
  }
  const check = (value: unknown, text: string): CheckResult | Promise<CheckResult> => {
    const whole = anyObject.check(value)
    if (!whole.ok) return whole
    const { own, added } = split(whole.value as JsonObject, names)
    const remember = (results: readonly CheckResult[]): CheckResult => {
      const all = mergeResults(results)
      if (!all.ok) return all
      const [ownValue, extraValue] = results.map(valueOf)
      const seen = isPlain(ownValue) ? all.value : ownValue
      const json = (): unknown => valueOf(coerce(value))
      calls.set(all.value as object, { own: ownValue, extra: extraValue, seen, json, text })
      return all
    }
    const checks = [body ? ownInput.check(own, text) : ownInput.coerce(own), extra.check(added)]
    return checks.some((each) => each instanceof Promise)
      ? Promise.all(checks).then(remember)
      : remember(checks as CheckResult[])
  }
  const { name } = tool.definition
  return {
    jsonSchema: mergeSchemas(ownInput.jsonSchema, extra.jsonSchema, `Tool "${name}"`),
    wrapped: ownInput.wrapped,
    coerce,
    check: (value, text = JSON.stringify(value)) => check(value, text),
    callOf: (checked) => calls.get(checked as object)!,
  }
}

function split(
  all: JsonObject,
  names: readonly string[],
): { readonly own: JsonObject; readonly added: JsonObject } {
  const entries = Object.entries(all)
  const isAdded = ([name]: readonly [string, unknown]): boolean => names.includes(name)
  return {
    own: Object.fromEntries(entries.filter((entry) => !isAdded(entry))),
    added: Object.fromEntries(entries.filter(isAdded)),
  }
}

/** Both parts in one object, or the issues of both. */
function mergeResults(results: readonly CheckResult[]): CheckResult {
  const issues = results.flatMap((each) => (each.ok ? [] : each.issues))
  if (issues.length > 0) return { ok: false, issues }
  const [own, extra] = results.map(valueOf)
  return { ok: true, value: { ...(isPlain(own) ? own : { value: own }), ...(extra as object) } }
}

const valueOf = (result: CheckResult): unknown => (result.ok ? result.value : undefined)

/**
 * Whether a value can be copied by spreading. A schema may produce anything, and a class instance would
 * lose its class.
 */
const isPlain = (x: unknown): x is object =>
  typeof x === 'object' &&
  x !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(x) as object | null)
