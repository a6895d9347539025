/**
 * The options of the model that stand on an agent's config itself, like `temperature`. They go to every
 * request of the run, delegates included, and win over the same fields of `config.options`.
 */
import type { ChatOptions } from '../../model/chat-model.ts'
import { checkedChatOptions } from '../../model/check-chat-options.ts'
import { pick } from '../../tools/pick.ts'

/** Tools, their choice and the output schema are the agent's own business. */
export type ModelOptions = Pick<ChatOptions, (typeof MODEL_OPTIONS)[number]>

export const MODEL_OPTIONS = [
  'temperature', 'topP', 'topK', 'maxTokens', 'stopSequences', 'seed', 'providerOptions',
] as const satisfies readonly (keyof ChatOptions)[] // prettier-ignore

export const checkModelOptions = (config: ModelOptions): void =>
  void checkedChatOptions('the config', modelOptions(config))

export const modelOptions = (config: ModelOptions): ModelOptions => pick(config, MODEL_OPTIONS)
