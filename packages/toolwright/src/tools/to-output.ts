/**
 * Turns a tool's result into what the model reads: checks it against the declared output, then converts it.
 */
import { ToolExecutionError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import { describeIssue } from '../errors/issue.ts'
import { asOutput } from './result-converter.ts'
import { bodyOf } from './tool-body.ts'
import type { ToolCallback, ToolOutput } from './tool-callback.ts'

/** Waits for a function of the application; `what` says what it did not do, if it takes too long. */
export type WaitFor = <T>(work: Promise<T>, what: string) => Promise<T>

/** What a tool returned, and what the model is to read of it. */
export interface ConvertedResult {
  readonly output: ToolOutput
  readonly value: unknown
  /** What the output was made of: the value as its check left it. */
  readonly checked: unknown
}

export async function toOutput(
  tool: ToolCallback,
  value: unknown,
  waitFor: WaitFor = (work) => work,
): Promise<ConvertedResult> {
  const { definition } = tool
  const body = bodyOf(tool)
  if (!body) return { output: asOutput(value), value, checked: value }
  const details = { toolName: definition.name, code: 'tool-output' } as const
  const checking = body.checkOutput?.(value)
  const check =
    checking instanceof Promise
      ? await waitFor(checking, 'it ran, but its result was not checked')
      : checking
  if (check?.ok === false) {
    const issues = check.issues.map(describeIssue).join('; ')
    throw new ToolExecutionError(`it returned what its output schema forbids: ${issues}`, details)
  }
  const checked = check ? check.value : value
  try {
    const converting = body.convert(checked, { definition, output: body.output })
    const output = asOutput(
      converting instanceof Promise
        ? await waitFor(converting, 'it ran, but its result was not converted')
        : converting,
    )
    return { output, value, checked }
  } catch (cause) {
    // The raw result must not reach the model, because the converter may remove secrets; but the tool did
    // run.
    const words = `it ran, but its result could not be converted: ${redact(messageOfThrown(cause))}`
    throw ToolExecutionError.wrap(cause, details, words)
  }
}
