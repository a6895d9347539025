/** A chat model of toolwright that asks a language model of the AI SDK. */
import {
  ConfigurationError,
  mergeOptions,
  toolCallingManager,
  type ChatEvent,
  type ChatModel,
  type ChatOptions,
  type Clock,
  type ModelCapabilities,
  type ModelRun,
  type Prompt,
  type Random,
  type ToolCallbackResolver,
} from 'toolwright'
import { asked, Exchange, ONE_TRY, THREE_TRIES, untilAborted, type Asking } from './ask.ts'
import { checkedModel, type AiSdkLanguageModel, type CallableModel } from './language-model.ts'
import { received } from './received.ts'
import type { SentOptions, SpecVersion } from './sent-types.ts'
import { SPECIFICATIONS, type Specification } from './specification.ts'
import { StreamedAnswer } from './streamed-answer.ts'
import { toCallOptions } from './to-call-options.ts'
import { ownNames, withSentNames } from './tool-names.ts'
import { BROKEN, toError } from './to-error.ts'
import { fromResult, type Answerer } from './to-response.ts'
import { traceHeaders, type TraceHeaders } from './trace-headers.ts'
import { warningNotices } from './warning-notices.ts'

export interface FromAiSdkOptions {
  /** The model's default options. Tools among them are offered to everybody who uses the model. */
  readonly options?: ChatOptions
  /** Needed to offer tools by name. */
  readonly resolver?: ToolCallbackResolver
  /**
   * What the model can do, where it differs from tools, a tool choice, media and files. The AI SDK does not say;
   * set `structuredOutput: true` for a model that takes JSON Schemas, and `mediaInResults: true` for one that
   * takes files in the results of tools.
   */
  readonly capabilities?: ModelCapabilities
  /** `false`: no second try. Default true. */
  readonly retry?: boolean
  /** Sent with every request. */
  readonly headers?: { readonly [name: string]: string }
  /** Asked for each question: `traceparent`, `tracestate` and `baggage` for its headers. Default: none are sent. */
  readonly traceContext?: () => TraceHeaders | undefined
  /** Waits between two tries. Default: the real one; `manualClock()` for tests. */
  readonly clock?: Clock
  /** Shortens pauses by chance. Default: the real one. */
  readonly random?: Random
}

/**
 * The model makes one exchange for each question, by `doGenerate` or `doStream`; calls come back unexecuted. What
 * the provider said about a part goes back with it, so that signed reasoning stays valid.
 *
 * @example
 * const model = fromAiSdk(mistral('mistral-large-latest'))
 * const answer = await ChatClient.create(model).prompt('Hello').call().content()
 */
export function fromAiSdk(
  languageModel: AiSdkLanguageModel,
  options: FromAiSdkOptions = {},
): ChatModel {
  const model = checkedModel(languageModel)
  checkOptions(options)
  const bridge = new Bridge(model, options)
  return {
    provider: model.provider,
    model: model.modelId,
    capabilities: bridge.capabilities,
    options: bridge.options,
    resolver: options.resolver,
    call: (prompt, run) => bridge.call(prompt, run),
    stream: (prompt, run) => leavable(run, (exchange) => bridge.stream(prompt, exchange)),
  }
}

const OPTIONS: ReadonlySet<string> = new Set<keyof FromAiSdkOptions>([
  'options', 'resolver', 'capabilities', 'retry', 'headers', 'traceContext', 'clock', 'random',
]) // prettier-ignore

function checkOptions(options: FromAiSdkOptions): void {
  const unknown = Object.keys(options ?? {}).find((name) => !OPTIONS.has(name))
  if (unknown !== undefined)
    throw new ConfigurationError(
      'unknown-option',
      `fromAiSdk() has no option "${unknown}"; it takes ${[...OPTIONS].join(', ')}.`,
    )
  if (!['undefined', 'function'].includes(typeof options.traceContext))
    throw new ConfigurationError(
      'invalid-option',
      'fromAiSdk(): traceContext takes a function that gives headers.',
    )
}

/** One question as it is sent, and who reads its answer. */
interface Asked {
  readonly sent: SentOptions<SpecVersion>
  readonly answerer: Answerer
}

class Bridge {
  readonly provider: string
  readonly #spec: Specification<SpecVersion>
  readonly capabilities: ModelCapabilities
  readonly options: ChatOptions
  readonly #model: CallableModel
  readonly #headers: FromAiSdkOptions['headers']
  readonly #traceContext: FromAiSdkOptions['traceContext']
  readonly #asking: Asking
  readonly #manager: ReturnType<typeof toolCallingManager>

  constructor(model: CallableModel, given: FromAiSdkOptions) {
    const { options = {}, resolver, capabilities, retry, clock, random } = given
    this.provider = model.provider
    this.#spec = SPECIFICATIONS[model.specificationVersion] as Specification<SpecVersion>
    this.capabilities = {
      tools: true,
      toolChoice: true,
      media: true,
      files: true,
      providerTools: true,
      structuredOutput: model.supportsStructuredOutputs === true,
      ...capabilities,
    }
    this.options = options
    this.#model = model
    this.#headers = given.headers
    this.#traceContext = given.traceContext
    const policy = retry === false ? ONE_TRY : THREE_TRIES
    this.#asking = { provider: model.provider, policy, clock, random }
    this.#manager = toolCallingManager(resolver ? { resolver } : {})
  }

  async call(prompt: Prompt, run: ModelRun = {}): Promise<ReturnType<typeof fromResult>> {
    const exchange = new Exchange(run.signal)
    const { signal } = exchange
    try {
      const { sent, answerer } = await this.#question(prompt, signal)
      const result = await asked(this.#asking, signal, () => this.#model.doGenerate(sent))
      const notices = warningNotices(this.provider, received(result).warnings)
      for (const notice of notices) run.emit?.(notice)
      return fromResult(answerer, result)
    } finally {
      exchange.end()
    }
  }

  async *stream(prompt: Prompt, { signal }: Exchange): AsyncGenerator<ChatEvent, undefined> {
    const { sent, answerer } = await this.#question(prompt, signal)
    const result = await asked(this.#asking, signal, () => this.#model.doStream(sent))
    const answer = new StreamedAnswer(answerer)
    const reader = readerOf(this.provider, result)
    try {
      while (!answer.isFinished) {
        const { done, value } = await this.#read(reader, answer, signal)
        if (done) throw answer.broken('before its end')
        try {
          answer.take(value)
        } finally {
          yield* answer.events()
        }
      }
      const response = answer.response()
      yield* answer.events()
      yield { type: 'response', response }
    } finally {
      // The end of a body that waits for its server need not be awaited.
      reader.cancel().catch(() => {})
    }
  }

  async #read(
    reader: Reader,
    answer: StreamedAnswer,
    signal: AbortSignal,
  ): Promise<{ readonly done: boolean; readonly value?: unknown }> {
    try {
      return await untilAborted(signal, () => reader.read())
    } catch (thrown) {
      signal.throwIfAborted()
      const error = toError(this.provider, thrown)
      throw error.code === 'invalid-response' ? error : answer.broken(BROKEN, error)
    }
  }

  async #question(prompt: Prompt, signal: AbortSignal): Promise<Asked> {
    const options = mergeOptions(this.options, prompt.options)
    const { model } = options
    if (model !== undefined && model !== this.#model.modelId)
      throw new ConfigurationError(
        'invalid-option',
        `The option model is "${model}", and this model of the AI SDK is always "${this.#model.modelId}": make another one with fromAiSdk().`,
      )
    const tools = await this.#manager.resolveToolDefinitions(options)
    const { mediaInResults = false } = this.capabilities
    const settings = { spec: this.#spec, mediaInResults }
    const question = { messages: prompt.messages, options, tools }
    const callOptions = toCallOptions(settings, withSentNames(question))
    const trace = this.#traceContext ? traceHeaders(this.#traceContext) : {}
    const headers = { ...this.#headers, ...callOptions.headers, ...trace }
    const hasHeaders = Object.keys(headers).length > 0
    return {
      sent: { ...callOptions, ...(hasHeaders && { headers }), abortSignal: signal },
      answerer: { provider: this.provider, spec: this.#spec, ownName: ownNames(question) },
    }
  }
}

interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>
  cancel(): Promise<unknown>
}

function readerOf(provider: string, result: unknown): Reader {
  const { stream } = received(result)
  const { getReader } = received(stream)
  if (typeof getReader === 'function') return (getReader as () => Reader).call(stream)
  throw toError(provider, new TypeError('doStream() gave no stream'))
}

/** Events that can be left while they are waited for: a generator alone would end only with its next event. */
function leavable(
  run: ModelRun | undefined,
  make: (exchange: Exchange) => AsyncGenerator<ChatEvent, undefined>,
): AsyncIterableIterator<ChatEvent> {
  let exchange: Exchange | undefined
  async function* events(): AsyncGenerator<ChatEvent, undefined> {
    exchange = new Exchange(run?.signal)
    try {
      yield* make(exchange)
    } catch (thrown) {
      if (!exchange.hasLeft) throw thrown
    } finally {
      exchange.end()
    }
  }
  const generator = events()
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => generator.next(),
    return() {
      exchange?.leave()
      return generator.return(undefined)
    },
  }
}
