/** Events as the log keeps them. */
import type { ChatEvent } from 'toolwright'

/** Without the tool's own value, which is for the process that ran it. */
export function eventJson(event: ChatEvent): string {
  const kept = event.type === 'tool-result' ? { ...event, value: undefined } : event
  try {
    return JSON.stringify(kept)
  } catch {
    return JSON.stringify(withoutForeign(kept))
  }
}

/** Inputs and progress are values of the program's own, and may have no JSON form. */
function withoutForeign(event: ChatEvent): ChatEvent {
  if (event.type === 'tool-progress') return { ...event, progress: String(event.progress) }
  if (event.type === 'tool-execution-start') return { ...event, input: event.toolCall.arguments }
  const { type, runId, round } = event
  const message = `An event of type ${type} has no JSON form and is not in the log.`
  return {
    type: 'notice',
    code: 'event-not-kept',
    message,
    ...(runId !== undefined && { runId }),
    ...(round !== undefined && { round }),
  }
}
