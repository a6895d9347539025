/** Parts of an answer that are no text: media, reasoning in one piece, and what the provider did itself. */
import type { Json } from '../../messages/json.ts'
import type { MediaPart, ProviderPart, ReasoningPart } from '../../messages/message.ts'
import { mediaUrl } from '../shown/media-url.ts'
import { shownJson } from '../shown/shown-result.ts'
import type { UiMessageWriter } from './ui-message-writer.ts'

export function sendPart(
  message: UiMessageWriter,
  part: MediaPart | ProviderPart | ReasoningPart,
): void {
  if (part.label?.private) return
  if (part.type === 'reasoning') return sendReasoning(message, part)
  if (part.type === 'provider') return sendProviderPart(message, part)
  message.closeBlock()
  message.send({ type: 'file', url: mediaUrl(part), mediaType: part.mediaType })
}

/** Of a stream the pieces were sent; a model that was called has it whole. */
function sendReasoning(message: UiMessageWriter, { text }: ReasoningPart): void {
  const { reasoning } = message.options
  if (reasoning !== false && !message.hasSaid.reasoning && text !== '')
    message.say('reasoning', text)
  message.closeBlock()
  // What follows is another thought.
  message.hasSaid.reasoning = false
}

function sendProviderPart(message: UiMessageWriter, { kind, data }: ProviderPart): void {
  if (!message.options.providerParts) return
  message.closeBlock()
  const item = { kind, data: shownJson(data) } satisfies { [key: string]: Json }
  // The protocol wants the name of a vendor before that of the thing.
  message.send({
    type: 'custom',
    kind: `toolwright.${kind}`,
    providerMetadata: { toolwright: item },
  })
}
