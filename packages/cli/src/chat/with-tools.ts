/** A model for a chat with tools. One that has none of its own is told about them in words. */
import { promptedTools, type ChatModel } from 'toolwright'

export function withTools(model: ChatModel, warn: (message: string) => void): ChatModel {
  if (model.capabilities.tools !== false) return model
  warn(
    `${model.model} has no tool calling of its own, so it is told about the tools in words, and may use them badly. Name another with --model ${model.provider}:name.`,
  )
  return promptedTools(model)
}
