/** Parts of an answer that are no text. AG-UI has no event for media of an answer, so it is a custom one. */
import type { MediaPart, ProviderPart, ReasoningPart } from '../../messages/message.ts'
import { mediaUrl } from '../shown/media-url.ts'
import { shownJson } from '../shown/shown-result.ts'
import type { AgUiLane } from './ag-ui-lane.ts'

export function sendPart(lane: AgUiLane, part: MediaPart | ProviderPart | ReasoningPart): void {
  if (part.label?.private) return
  if (part.type === 'reasoning') return sendReasoning(lane, part)
  if (part.type === 'provider') {
    const { kind, data } = part
    if (lane.of.options.providerParts)
      lane.send({ type: 'CUSTOM', name: 'provider', value: { kind, data: shownJson(data) } })
    return
  }
  const { mediaType, name } = part
  const value = { url: mediaUrl(part), mediaType, ...(name !== undefined && { name }) }
  lane.send({ type: 'CUSTOM', name: 'file', value })
}

/** Of a stream the pieces were sent; a model that was called has it whole. */
function sendReasoning(lane: AgUiLane, { text, providerData }: ReasoningPart): void {
  const { reasoning, providerParts } = lane.of.options
  if (reasoning === false) return
  if (!lane.hasSaid.reasoning) lane.say('reasoning', text)
  const { hasSaid, thoughtId: entityId } = lane
  lane.closeSpeech()
  if (providerParts && providerData !== undefined && hasSaid.reasoning) {
    const encryptedValue = JSON.stringify(providerData)
    lane.send({ type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId, encryptedValue })
  }
  // What follows is another thought.
  hasSaid.reasoning = false
}
