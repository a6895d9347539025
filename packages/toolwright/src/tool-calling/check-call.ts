/** Steps 2 and 3 of a call's walk: 2 parse · 3 check. And what every step says of a call that does not run yet. */
import { ToolTimeoutError } from '../errors/errors.ts'
import { frozenCopy } from '../internal/frozen-copy.ts'
import { didYouMean } from '../internal/nearest-names.ts'
import { NONE } from '../internal/nothing.ts'
import { parseJson } from '../internal/parse-json.ts'
import { markSound } from '../internal/sound-calls.ts'
import type { Json } from '../messages/json.ts'
import type { Message, ToolCall } from '../messages/message.ts'
import type { RefusalCode } from '../observation/observer.ts'
import { compileInput } from '../schema/input-schema.ts'
import { describeIssue } from '../errors/issue.ts'
import { valueAt } from '../schema/json-object.ts'
import { remembered } from '../schema/remembered.ts'
import { DefaultToolContext, type ToolContextParts } from '../tools/default-tool-context.ts'
import { bodyOf } from '../tools/tool-body.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { Batch, PreparedCall, ReadyCall, RefusedCall } from './call.ts'
import { inCallTime } from './call-time.ts'

export const DEEPEST_ARGUMENTS = 64

/** Looked for one by one: a batch asks for few of the tools, and a table of all would cost more. */
export const toolNamed = ({ tools }: Batch, name: string): ToolCallback | undefined =>
  tools.find(({ definition }) => definition.name === name)

export function refuseUnknown(batch: Batch, call: ToolCall): RefusedCall {
  const names = batch.tools.map(({ definition }) => definition.name)
  return refuse(call, 'unknown-tool', noToolCalled(call.name, names))
}

/** What a model reads that called a tool it does not have. */
export function noToolCalled(name: string, names: readonly string[]): string {
  const shown = names.slice(0, 20).join(', ') + (names.length > 20 ? ', ...' : '')
  const near = didYouMean(name, names)
  const start = name.slice(0, 100)
  return `there is no tool called "${start}".${near} Available tools: ${shown || 'none'}.`
}

/** Whether the tool of a call that runs makes calls itself. */
export const isComposite = (call: PreparedCall): boolean =>
  call.kind === 'ready' && call.tool.metadata?.composite !== undefined

const refuseArguments = (call: ToolCall, problem: string): RefusedCall => ({
  ...refuse(call, 'tool-input', `the arguments are invalid. Correct your arguments: ${problem}`),
  problem,
})

export const refuse = (call: ToolCall, code: RefusalCode, why: string): RefusedCall => ({
  kind: 'refused',
  call,
  why: `Not run: ${why}`,
  code,
})

interface UncheckedCall {
  readonly call: ToolCall
  readonly tool: ToolCallback
  /** What it is asked, as JSON text: what the tool does to its input does not change it. */
  readonly text: string
}

export async function checkInput(
  batch: Batch,
  { call, tool, text }: UncheckedCall,
): Promise<ReadyCall | RefusedCall> {
  const { argumentBytes: maxBytes } = batch.settings.limits
  const parsed = parseJson(text, { maxBytes, maxDepth: DEEPEST_ARGUMENTS })
  if (!parsed.ok) return refuseArguments(call, parsed.problem)
  // Calls that tools make come into no history.
  if (!batch.nesting) markSound(call, text)
  const body = bodyOf(tool)
  const input = body?.input ?? compileInput(tool.definition.inputSchema)
  const checking = body ? input.check(parsed.value, text) : input.coerce(parsed.value)
  const of = { batch, call, tool }
  try {
    const checked =
      checking instanceof Promise
        ? await inCallTime(of, checking, 'its arguments were not checked')
        : checking
    if (!checked.ok) {
      const { issues } = checked
      return { ...refuseArguments(call, issues.map(describeIssue).join('; ')), issues }
    }
    const picking = body?.pickContext ? body.pickContext(batch.values) : batch.values
    const values =
      picking instanceof Promise
        ? await inCallTime(of, picking, 'its toolContext was not checked')
        : picking
    return {
      kind: 'ready',
      call,
      tool,
      input: checked.value,
      text,
      values: values as ReadyCall['values'],
      answers: batch.run.state ? answersGiven(batch, call.id) : NONE,
    }
  } catch (thrown) {
    if (thrown instanceof ToolTimeoutError)
      return {
        ...refuse(call, 'tool-timeout', `${thrown.toolMessage}.`),
        problem: thrown.toolMessage,
      }
    throw thrown
  }
}

/** The input as JSON, coerced but not transformed. */
export function jsonOf({ tool, text }: Pick<ReadyCall, 'tool' | 'text'>): Json {
  const input = bodyOf(tool)?.input ?? compileInput(tool.definition.inputSchema)
  const coerced = input.coerce(JSON.parse(text.trim() || '{}'))
  return (coerced.ok ? coerced.value : {}) as Json
}

/** What was answered to this call's questions so far. The id is the model's: it may be called anything. */
export const answersGiven = ({ run }: Batch, callId: string): readonly Json[] =>
  (valueAt(run.state?.answers, [callId]) ?? []) as readonly Json[]

/** Messages never change, so each needs to be copied only once. */
const copies = new WeakMap<Message, Message>()

/** The conversation for a tool to read: what it does to its copy changes nothing in the run. */
const frozenHistory = (messages: readonly Message[]): readonly Message[] =>
  Object.freeze(messages.map((message) => remembered(copies, message, () => frozenCopy(message))))

/** The context that a tool gets, and the policy or approval rule that decides about its call. */
export const contextFor = (
  batch: Batch,
  { call, tool, values }: ReadyCall,
  more?: Partial<ToolContextParts>,
): DefaultToolContext =>
  new DefaultToolContext({
    values,
    callId: call.id,
    toolName: call.name,
    history: tool.metadata?.needs?.includes('history')
      ? frozenHistory(batch.prompt.messages)
      : undefined,
    ...more,
  })
