/** Checks an output and returns what the program gets, including the conversions of a library's schema. */
import { ModelResponseError } from '../../errors/errors.ts'
import { describeIssue } from '../../errors/issue.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { readSolution } from './read-solution.ts'

export async function readOutput(session: AgentSession, raw: unknown): Promise<unknown> {
  if (raw === null) return null
  const { output } = session.settings
  const read = await readSolution(
    session.compose(false),
    { meta: {}, output: raw },
    { output, calls: false },
  )
  if (read.ok) return read.solution.output
  const { issues } = read
  const problems = issues.map(describeIssue).join('; ')
  throw new ModelResponseError('invalid-answer', `The output does not fit: ${problems}.`, {
    issues,
  })
}
