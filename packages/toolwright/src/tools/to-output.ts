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

export async function toOutput(
  tool: ToolCallback,
  result: unknown,
  waitFor: WaitFor = (work) => work,
): Promise<ToolOutput> {
  const { definition } = tool
  const body = bodyOf(tool)
  if (!body) return asOutput(result)
  const details = { toolName: definition.name, code: 'tool-output' } as const
  const checking = body.checkOutput?.(result)
  const checked =
    checking instanceof Promise
      ? await waitFor(checking, 'it ran, but its result was not checked')
      : checking
  if (checked?.ok === false) {
    const issues = checked.issues.map(describeIssue).join('; ')
    throw new ToolExecutionError(`it returned what its output schema forbids: ${issues}`, details)
  }
  try {
    const output = body.convert(checked ? checked.value : result, {
      definition,
      output: body.output,
    })
    return asOutput(
      output instanceof Promise
        ? await waitFor(output, 'it ran, but its result was not converted')
        : output,
    )
  } catch (cause) {
    // The raw result must not reach the model, because the converter may remove secrets; but the tool did
    // run.
    const words = `it ran, but its result could not be converted: ${redact(messageOfThrown(cause))}`
    throw ToolExecutionError.wrap(cause, details, words)
  }
}
