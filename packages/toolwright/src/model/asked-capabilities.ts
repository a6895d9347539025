/** What the model can do that a request asks: its options may name another one of the same provider. */
import type { ChatModel, ChatOptions, ModelCapabilities } from './chat-model.ts'

export function askedCapabilities(
  model: ChatModel,
  options: ChatOptions | undefined,
): ModelCapabilities {
  const name = options?.model ?? model.options?.model
  const isOther = name !== undefined && name !== model.model
  return (isOther ? model.capabilitiesOf?.(name) : undefined) ?? model.capabilities ?? {}
}
