/** The keys that each event of AG-UI may and must have: stricter than its own schema, which lets any key pass. */
import { EventSchema } from '@ag-ui/core/schemas'
import { faultOf, type Chunk } from './chunk-keys.ts'

/** A `?` marks a key that may be missing. */
const EVENT_KEYS: { readonly [type: string]: readonly string[] } = {
  RUN_STARTED: ['threadId', 'runId', 'protocolVersion'],
  RUN_FINISHED: ['threadId', 'runId', 'outcome', 'usage?'],
  RUN_ERROR: ['message', 'code'],
  STEP_STARTED: ['stepName'],
  STEP_FINISHED: ['stepName'],
  TEXT_MESSAGE_START: ['messageId', 'role', 'subagentRunId?'],
  TEXT_MESSAGE_CONTENT: ['messageId', 'delta', 'subagentRunId?'],
  TEXT_MESSAGE_END: ['messageId', 'subagentRunId?'],
  REASONING_START: ['messageId', 'subagentRunId?'],
  REASONING_MESSAGE_START: ['messageId', 'role', 'subagentRunId?'],
  REASONING_MESSAGE_CONTENT: ['messageId', 'delta', 'subagentRunId?'],
  REASONING_MESSAGE_END: ['messageId', 'subagentRunId?'],
  REASONING_END: ['messageId', 'subagentRunId?'],
  REASONING_ENCRYPTED_VALUE: ['subtype', 'entityId', 'encryptedValue', 'subagentRunId?'],
  TOOL_CALL_START: ['toolCallId', 'toolCallName', 'parentMessageId', 'subagentRunId?'],
  TOOL_CALL_ARGS: ['toolCallId', 'delta', 'subagentRunId?'],
  TOOL_CALL_END: ['toolCallId', 'subagentRunId?'],
  TOOL_CALL_RESULT: ['messageId', 'toolCallId', 'content', 'role', 'metadata?', 'subagentRunId?'],
  ACTIVITY_SNAPSHOT: ['messageId', 'activityType', 'content', 'replace', 'subagentRunId?'],
  CUSTOM: ['name', 'value', 'subagentRunId?'],
  SUBAGENT_STARTED: ['subagentRunId', 'name', 'parentToolCallId', 'parentSubagentRunId?'],
  SUBAGENT_FINISHED: ['subagentRunId'],
}

/** The events of a stream, each held to the table, to AG-UI's own schema, and to the form of the stream. */
export function eventsIn(text: string): readonly Chunk[] {
  const frames = text.split('\n\n')
  if (frames.pop() !== '') throw new Error(`The stream does not end with a frame: ${text}`)
  return frames.map((frame) => {
    if (!frame.startsWith('data: ')) throw new Error(`No frame: ${frame}`)
    const event = JSON.parse(frame.slice('data: '.length)) as Chunk
    const fault = faultOf(event, EVENT_KEYS[event.type])
    if (fault) throw new Error(`${fault}: ${frame}`)
    EventSchema.parse(event)
    return event
  })
}
