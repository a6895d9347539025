/**
 * The options of the model that stand on an agent's config itself, like `temperature`. They go to every
 * request of the run, delegates included, and win over the same fields of `config.options`.
 */
import { ConfigurationError } from '../../errors/errors.ts'
import type { ChatOptions } from '../../model/chat-model.ts'
import { describeValue } from '../../schema/describe-value.ts'
import { isObject } from '../../schema/json-object.ts'
import { pick } from '../../tools/pick.ts'

/** Tools, their choice and the output schema are the agent's own business. */
export type ModelOptions = Pick<
  ChatOptions,
  'temperature' | 'topP' | 'topK' | 'maxTokens' | 'stopSequences' | 'seed' | 'providerOptions'
>

interface OptionCheck {
  readonly takes: string
  readonly fits: (value: unknown) => boolean
}

const NUMBER: OptionCheck = { takes: 'a finite number', fits: (value) => Number.isFinite(value) }
const COUNT: OptionCheck = {
  takes: 'a whole number of at least 1',
  fits: (value) => Number.isInteger(value) && Number(value) >= 1,
}

const CHECKS: { readonly [name in keyof ModelOptions]-?: OptionCheck } = {
  temperature: NUMBER,
  topP: NUMBER,
  topK: COUNT,
  maxTokens: COUNT,
  stopSequences: {
    takes: 'a list of texts',
    fits: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  },
  seed: NUMBER,
  providerOptions: {
    takes: 'an object with a key for each provider',
    fits: (value) => isObject(value) && Object.values(value).every(isObject),
  },
}

export const MODEL_OPTIONS = Object.keys(CHECKS) as readonly (keyof ModelOptions)[]

export function checkModelOptions(config: ModelOptions): void {
  for (const [name, value] of Object.entries(modelOptions(config))) {
    const { takes, fits } = CHECKS[name as keyof ModelOptions]
    if (!fits(value))
      throw new ConfigurationError(
        'invalid-option',
        `The config's ${name} is ${describeValue(value)}; it takes ${takes}.`,
      )
  }
}

export const modelOptions = (config: ModelOptions): ModelOptions => pick(config, MODEL_OPTIONS)
