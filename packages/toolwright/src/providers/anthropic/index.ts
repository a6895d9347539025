/** The door `toolwright/anthropic`: models over Anthropic's Messages API. */
export { anthropic, type AnthropicOptions } from './anthropic.ts'
