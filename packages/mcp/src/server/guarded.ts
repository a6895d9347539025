/** The last door before a client: what handlers throw goes out as the protocol wants it, and says nothing else. */
import { redact, ToolwrightError } from 'toolwright'
import { INTERNAL_ERROR, Refusal } from './refusal.ts'
import type { Serving } from './serving.ts'

/** The SDK sends the words of whatever is thrown: only those that were written for clients may leave. */
export async function guarded<Answer>(
  { options }: Serving,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer()
  } catch (thrown) {
    if (thrown instanceof Refusal) throw thrown
    const message = redact(thrown instanceof Error ? thrown.message : String(thrown))
    options.logger?.warn(`MCP: a request failed: ${message}`)
    throw new Refusal(INTERNAL_ERROR, ToolwrightError.is(thrown) ? message : 'Internal error')
  }
}
