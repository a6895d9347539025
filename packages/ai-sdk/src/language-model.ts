/** Which objects are language models of the AI SDK, and what to write for those that are none. */
import { ConfigurationError } from 'toolwright'
import { received } from './received.ts'
import type { SentOptions, SpecVersion } from './sent-types.ts'

/**
 * A language model of the AI SDK, whatever package it comes from: what `openai('gpt-5')`, `anthropic(...)`,
 * `createOpenAICompatible(...)(...)` or `wrapLanguageModel(...)` return.
 */
export interface AiSdkLanguageModel {
  readonly specificationVersion: 'v2' | 'v3' | 'v4'
  readonly provider: string
  readonly modelId: string
  doGenerate(options: never): PromiseLike<object>
  doStream(options: never): PromiseLike<object>
}

/** The same with what the bridge sends; which version takes what is the specification's affair. */
export interface CallableModel {
  readonly specificationVersion: SpecVersion
  readonly provider: string
  readonly modelId: string
  /** Models of some packages say it. */
  readonly supportsStructuredOutputs?: unknown
  doGenerate(options: SentOptions<SpecVersion>): PromiseLike<unknown>
  doStream(options: SentOptions<SpecVersion>): PromiseLike<unknown>
}

const VERSIONS: readonly unknown[] = ['v2', 'v3', 'v4']
const EXAMPLE = "fromAiSdk(openai('gpt-5'))"

export function checkedModel(given: unknown): CallableModel {
  const model = received(given)
  const { specificationVersion, provider, modelId, doGenerate, doStream } = model
  const isLanguageModel = typeof doGenerate === 'function' && typeof doStream === 'function'
  if (typeof given !== 'object' || !isLanguageModel) throw wrong(whatItIs(given))
  if (!VERSIONS.includes(specificationVersion))
    throw wrong(
      `a model of specification ${JSON.stringify(specificationVersion) ?? 'unknown'}; it takes v2, v3 and v4: install another version of its @ai-sdk package.`,
    )
  if (typeof provider !== 'string' || typeof modelId !== 'string')
    throw wrong('a model without provider and modelId.')
  return given as CallableModel
}

function whatItIs(given: unknown): string {
  if (typeof given === 'string')
    return `the name "${given.slice(0, 80)}": pass the model of a provider package, ${EXAMPLE}, or gateway("${given.slice(0, 80)}") of the AI SDK.`
  if (typeof given === 'function')
    return `a function: call it with the name of a model, ${EXAMPLE}.`
  if (received(given).then) return 'a promise: await it first.'
  if (received(given).modelId !== undefined)
    return `a model that is no language model (it has no doGenerate and doStream): write ${EXAMPLE}.`
  if (typeof received(given).languageModel === 'function')
    return `a provider: ask it for a model, fromAiSdk(provider.languageModel('...')).`
  return `something else than a model: write ${EXAMPLE}.`
}

const wrong = (what: string): ConfigurationError =>
  new ConfigurationError('invalid-option', `fromAiSdk() got ${what}`)
