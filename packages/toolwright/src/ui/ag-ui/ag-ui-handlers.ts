/** What each event of a run, or of one inside of a tool, is in AG-UI. How runs begin and end is the converter's. */
import { redact } from '../../errors/redact.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { JsonObject } from '../../messages/json.ts'
import { isEdited } from '../page/continuation.ts'
import { shownFailure } from '../shown/shown-error.ts'
import { shownJson } from '../shown/shown-result.ts'
import { spokenText } from '../shown/spoken-text.ts'
import { resultContent } from './result-content.ts'
import type { AgUiLane } from './ag-ui-lane.ts'
import { sendPart } from './part-events.ts'

type EventOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { readonly type: Type }>

type Handlers = {
  readonly [Type in ChatEvent['type']]: (lane: AgUiLane, event: EventOf<Type>) => void
}

const nothing = (): void => {}

export const AG_UI_HANDLERS: Handlers = {
  'text-delta': (lane, { text }) => lane.say('text', text),
  'reasoning-delta': (lane, { text }) => {
    if (lane.of.options.reasoning !== false) lane.say('reasoning', text)
  },
  'tool-call-start': (lane, { id, name }) => lane.startCall(id, name),
  'tool-call-delta': (lane, { id, delta }) => lane.argue(id, delta),
  'tool-call': (lane, { toolCall }) => lane.endCall(toolCall),
  part: (lane, { part }) => sendPart(lane, part),
  'tool-execution-start': (lane, { toolCall, input }) => {
    if (isEdited(lane.of.options.continuation, toolCall.id))
      lane.edited.set(toolCall.id, shownJson(input))
  },
  'tool-progress': (lane, { toolCall, progress, label }) => {
    if (label?.private) return
    const { id: toolCallId, name: toolName } = toolCall
    lane.send({
      type: 'ACTIVITY_SNAPSHOT',
      messageId: `${lane.of.prefix}-${toolCallId}-progress`,
      activityType: 'tool-progress',
      content: { toolCallId, toolName, progress: shownJson(progress) },
      replace: true,
    })
  },
  'tool-result': sendResult,
  suspended: nothing,
  notice: (lane, { code, message }) =>
    lane.send({ type: 'CUSTOM', name: 'notice', value: { code, message: redact(message) } }),
  // Comes before the results of the round's calls, so the step goes on.
  'round-end': (lane, { response }) => {
    if (!lane.hasSaid.text) lane.say('text', spokenText(response))
    lane.closeSpeech()
  },
  response: nothing,
}

function sendResult(lane: AgUiLane, event: EventOf<'tool-result'>): void {
  const { toolCall, response } = event
  const { id: toolCallId } = toolCall
  const { options, prefix } = lane.of
  lane.closeSpeech()
  const input = lane.edited.get(toolCallId)
  // Results have no fields of their own for it. What runs is told here: a second call of the id would be one more call.
  const metadata: JsonObject = {
    ...(response.isError && { isError: true }),
    ...(response.denied && { denied: true }),
    ...(input !== undefined && { input }),
  }
  lane.send({
    type: 'TOOL_CALL_RESULT',
    messageId: `${prefix}-${toolCallId}-result`,
    toolCallId,
    role: 'tool',
    content: response.isError ? shownFailure(event, options) : resultContent(event, options),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  })
}
