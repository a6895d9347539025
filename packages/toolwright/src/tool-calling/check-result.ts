/** A result that somebody supplies instead of a tool is checked before the state that waits for it is used up. */
import { ResumeError } from '../errors/errors.ts'
import { describeIssue, type Issue } from '../errors/issue.ts'
import { inTime, type TimeLimit } from '../ports/in-time.ts'
import { bodyOf } from '../tools/tool-body.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'

interface SuppliedResult {
  readonly callId: string
  readonly tool: ToolCallback
  readonly value: unknown
  readonly limit: TimeLimit
}

/** Rejects if it does not fit the output schema of the tool. */
export async function checkResult({ callId, tool, value, limit }: SuppliedResult): Promise<void> {
  const wrong = (problem: string, issues?: readonly Issue[]): ResumeError =>
    new ResumeError(
      'decision-invalid-result',
      `The result for call "${callId}" does not fit tool "${tool.definition.name}": ${problem}`,
      { callId, ...(issues && { issues }) },
    )
  const checking = bodyOf(tool)?.checkOutput?.(value)
  if (!checking) return
  const checked = await inTime(limit, Promise.resolve(checking), () => {
    throw wrong(`it was not checked within ${limit.ms} ms.`)
  })
  if (!checked.ok) throw wrong(`${checked.issues.map(describeIssue).join('; ')}.`, checked.issues)
}
