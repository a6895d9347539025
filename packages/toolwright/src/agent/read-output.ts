/** What the program gets of an output: checked, and what a library's schema makes of it. */
import { ModelResponseError } from '../errors/errors.ts'
import { describeIssue } from '../errors/issue.ts'
import type { AgentSession } from './agent-session.ts'
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
