/**
 * Checks a model's answer against the composed schema. It checks piece by piece, each call against the tool
 * it names, so that an issue points at the wrong field instead of the union around it.
 */
import { didYouMean } from '../../internal/nearest-names.ts'
import type { Json } from '../../messages/json.ts'
import { checkStandard } from '../../schema/check-standard.ts'
import { compileSchema } from '../../schema/compile-schema.ts'
import { describeValue } from '../../schema/describe-value.ts'
import type { Issue } from '../../errors/issue.ts'
import { isObject, valueAt } from '../../schema/json-object.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { raiseNulls } from '../../schema/raise-nulls.ts'
import { remembered } from '../../schema/remembered.ts'
import type { CheckResult, SchemaChecker } from '../../schema/schema-checker.ts'
import { isStandardSchema } from '../../schema/standard-schema.ts'
import type { SchemaSource } from '../../tools/tool.ts'
import type { Call, Meta, Solution } from '../agent-message.ts'
import type { Composed, ComposedTool } from '../compose/composed.ts'
import { referencesIn } from '../context/data-path.ts'

export interface ReadOptions {
  /** The schema of the output. If it is a library's schema, the library checks the output too. */
  readonly output: SchemaSource | undefined
  /** Whether calls are checked too. The loop leaves that to the manager. */
  readonly calls: boolean
}

export type ReadSolution =
  /** `raw` is the output as the model wrote it, before a library's schema converted it. */
  | { readonly ok: true; readonly solution: Solution; readonly raw: Json }
  | { readonly ok: false; readonly issues: readonly Issue[] }

export async function readSolution(
  composed: Composed,
  answer: unknown,
  options: ReadOptions,
): Promise<ReadSolution> {
  const plainAnswer =
    composed.sent === composed.schema ? answer : raiseNulls(composed.schema, answer)
  const envelope = envelopeOf(composed).check(plainAnswer)
  if (!envelope.ok) return envelope
  const { meta = {}, calls: sentCalls = [], output = null } = envelope.value as Partial<Solution>
  const calls = sentCalls.map((call) => withoutNulls(composed, call))
  const issues = options.calls
    ? calls.flatMap((call, index) => callIssues(composed, call, index))
    : []
  const result = output === null ? undefined : await checkOutput(options.output, output)
  if (result?.ok === false) issues.push(...result.issues)
  if (issues.length > 0) return { ok: false, issues }
  if (calls.length === 0 && output === null && options.output !== undefined)
    return { ok: false, issues: [EMPTY_ANSWER] }
  return {
    ok: true,
    solution: { meta: meta as Meta, calls, output: result?.ok ? result.value : null },
    raw: output as Json,
  }
}

const EMPTY_ANSWER: Issue = {
  path: '$',
  expected: 'calls or an output',
  received: 'neither',
  message: 'There are no calls and output is null. Make calls, or give the output.',
}

async function checkOutput(
  schema: SchemaSource | undefined,
  output: unknown,
): Promise<CheckResult> {
  return schema !== undefined && isStandardSchema(schema)
    ? checkStandard(schema, output, ['output'])
    : { ok: true, value: output }
}

/** In one answer. Each is compared with all others, to find which waits for which. */
const MOST_CALLS = 250

const envelopes = new WeakMap<Composed, SchemaChecker>()

/** The schema of the answer without what is inside a call. */
const envelopeOf = (composed: Composed): SchemaChecker =>
  remembered(envelopes, composed, () => {
    const { properties, ...rest } = composed.schema
    const calls: JsonSchema = {
      type: 'array',
      maxItems: MOST_CALLS,
      items: { type: 'object', properties: { _tool: { type: 'string' } }, required: ['_tool'] },
    }
    return compileSchema({
      ...rest,
      properties: { ...properties, ...(properties?.calls && { calls }) },
    })
  })

/**
 * Removes nulls that stand for missing fields: strict providers send them. Only the call's tool says which
 * fields may be missing.
 */
function withoutNulls(composed: Composed, call: Call): Call {
  const tool = composed.tools.get(call._tool)
  return tool ? (raiseNulls(itemSchema(composed, tool), call) as Call) : call
}

const itemSchema = ({ schema: { $defs } }: Composed, { item }: ComposedTool): JsonSchema =>
  $defs ? { $defs, ...item } : item

const checkers = new WeakMap<ComposedTool, SchemaChecker>()

function callIssues(composed: Composed, call: Call, index: number): Issue[] {
  const tool = composed.tools.get(call._tool)
  const at = `$.calls[${index}]`
  if (!tool) return [unknownTool(composed, call._tool, at)]
  const checker = remembered(checkers, tool, () => compileSchema(itemSchema(composed, tool)))
  const checked = checker.check(call)
  if (checked.ok) return []
  return checked.issues
    .filter(({ path }) => !isAtReference(call, path))
    .map((issue) => ({ ...issue, path: at + issue.path.slice(1) }))
}

function unknownTool({ tools }: Composed, name: string, at: string): Issue {
  const names = [...tools.keys()]
  const shown = names
    .slice(0, 20)
    .map((each) => JSON.stringify(each))
    .join(', ')
  return {
    path: `${at}._tool`,
    expected: `one of ${shown}${names.length > 20 ? ', ...' : ''}`,
    received: `${describeValue(name)}${didYouMean(name, names)}`,
  }
}

/** Whether the issue is at a reference. Its value is checked after the reference is resolved. */
function isAtReference(call: Call, path: string): boolean {
  const keys = Array.from(
    path.matchAll(/\.([\w$]+)|\[(\d+)\]|\["([^"]*)"\]/g),
    ([, name, index, quoted]) => name ?? index ?? quoted!,
  )
  const value = valueAt(call, keys)
  return !isObject(value) && referencesIn(value).length > 0
}
