/** A message that was loaded, as chunks: what a page must know before it can read how the message goes on. */
import type { Json, JsonObject } from '../../messages/json.ts'
import type { UiPart } from './ui-message.ts'
import type { UiMessageWriter } from './ui-message-writer.ts'

type Send = (message: UiMessageWriter, part: UiPart) => void

/** The last step stays open, because what comes is of it. */
export function sendParts(message: UiMessageWriter, parts: readonly UiPart[]): void {
  for (const [index, part] of parts.entries()) {
    if (part.type === 'step-start') message.inRound(index)
    else PARTS[part.type]?.(message, part)
  }
  message.closeBlock()
}

const PARTS: { readonly [type: string]: Send } = {
  text: (message, { text }) => {
    message.closeBlock()
    message.say('text', text as string)
  },
  file: (message, { url, mediaType }) => {
    message.closeBlock()
    message.send({ type: 'file', url: url as string, mediaType: mediaType as string })
  },
  'dynamic-tool': (message, part) => {
    const { toolCallId, toolName, input, state } = part
    const call = { id: toolCallId as string, name: toolName as string }
    message.available({ ...call, arguments: JSON.stringify(input) })
    STATES[state as string]?.(message, part)
  },
  'data-question': (message, { id, data }) =>
    message.send({ type: 'data-question', id: id as string, data: data as Json }),
}

const STATES: { readonly [state: string]: Send } = {
  'approval-requested': sendRequest,
  'output-available': (message, { toolCallId, output }) =>
    message.send({
      type: 'tool-output-available',
      toolCallId: toolCallId as string,
      // What a page may read of a result the program says of the event, which is over.
      output: message.options.output ? null : (output as Json),
      dynamic: true,
    }),
  'output-error': (message, { toolCallId, errorText }) =>
    message.send({
      type: 'tool-output-error',
      toolCallId: toolCallId as string,
      errorText: errorText as string,
      dynamic: true,
    }),
  'output-denied': (message, part) => {
    // A part that was denied has an approval.
    sendRequest(message, part)
    message.send({ type: 'tool-output-denied', toolCallId: part['toolCallId'] as string })
  },
}

function sendRequest(message: UiMessageWriter, { toolCallId, approval }: UiPart): void {
  const { descriptor, requestReason } = approval as JsonObject
  message.send({
    type: 'tool-approval-request',
    approvalId: toolCallId as string,
    toolCallId: toolCallId as string,
    ...(requestReason !== undefined && { reason: requestReason as string }),
    ...(descriptor !== undefined && { approvalDescriptor: descriptor }),
  })
}
