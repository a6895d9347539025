/**
 * A model behind any server that speaks Chat Completions: vLLM, llama.cpp, LM Studio, Groq, DeepSeek,
 * Mistral and many more. One prompt, one exchange; calls come back unexecuted.
 */
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { ChatModel, ModelCapabilities, ModelRun, Prompt } from '../../model/chat-model.ts'
import type { TransportResponse } from '../../ports/transport.ts'
import { exchange, isJsonAnswer, readEvents, readJson } from '../wire/exchange.ts'
import { flattenBatches } from '../wire/flatten-batches.ts'
import { mergeOptions, offeredTools } from '../../model/merge-options.ts'
import { type WireOptions, type WireSettings, wireSettings } from '../wire/wire-settings.ts'
import { fromWire } from './from-wire.ts'
import { raisedAnswer, strictSchema } from './strict-schema.ts'
import { asIncomplete, eventsOfWhole, StreamConverter } from './stream-converter.ts'
import { toWire } from './to-wire.ts'

export interface OpenAiCompatibleOptions extends WireOptions {
  /** Includes the version path, e.g. `http://localhost:8000/v1`. */
  readonly baseUrl: string
  /** Who answers: named in errors, and the key of `providerOptions`. Default `openai-compatible`. */
  readonly provider?: string
  /**
   * What the model can do beyond the defaults: tools, media and `parallelToolCalls: false`. Say
   * `structuredOutput: true` for a server that takes `response_format: json_schema`, and takes it beside tools.
   */
  readonly capabilities?: ModelCapabilities
}

const CAPABILITIES: ModelCapabilities = {
  tools: true,
  structuredOutput: false,
  parallelOff: true,
  media: true,
}
const PATH = '/chat/completions'

/**
 * @example
 * const model = openaiCompatible('qwen3', { baseUrl: 'http://localhost:8000/v1' })
 * const answer = await model.call({ messages: [{ role: 'user', content: 'Hello' }] })
 */
export function openaiCompatible(model: string, options: OpenAiCompatibleOptions): ChatModel {
  const provider = options?.provider ?? 'openai-compatible'
  const settings = wireSettings(
    {
      provider,
      factory: 'openaiCompatible',
      // No environment variable: a key must not go to a server it was not made for.
      apiKeyOptional: true,
      authHeaders: (key) => ({ authorization: `Bearer ${key}` }),
      moreOptions: ['provider', 'capabilities'],
    },
    model,
    options,
  )
  const capabilities = { ...CAPABILITIES, ...options.capabilities }
  const ask = asking(settings, capabilities)
  const raise = (response: ChatResponse, { options = {} }: Prompt): ChatResponse => {
    const { outputSchema = settings.options.outputSchema } = options
    return outputSchema && capabilities.structuredOutput && strictSchema(outputSchema)
      ? raisedAnswer(response, outputSchema)
      : response
  }
  return {
    provider,
    model,
    capabilities,
    options: settings.options,
    resolver: settings.resolver,
    async call(prompt, run) {
      const answer = await readJson(await ask(prompt, run, false), settings)
      return raise(fromWire(provider, answer), prompt)
    },
    stream: (prompt, run) => flattenBatches(stream(() => ask(prompt, run, true), settings, run)),
  }
}

type Ask = (
  prompt: Prompt,
  run: ModelRun | undefined,
  stream: boolean,
) => Promise<TransportResponse>

function asking(settings: WireSettings, capabilities: ModelCapabilities): Ask {
  const serialise = toWire({ provider: settings.provider, model: settings.model, capabilities })
  return async (prompt, run, stream) => {
    const options = mergeOptions(settings.options, prompt.options)
    const tools = await offeredTools(options, settings.resolver)
    const body = serialise({ messages: prompt.messages, options, tools, stream })
    return exchange(settings, { path: PATH, body, ...(run?.signal && { signal: run.signal }) })
  }
}

async function* stream(
  ask: () => Promise<TransportResponse>,
  settings: WireSettings,
  run: ModelRun | undefined,
): AsyncGenerator<readonly ChatEvent[], void> {
  const response = await ask()
  if (isJsonAnswer(response)) {
    yield eventsOfWhole(fromWire(settings.provider, await readJson(response, settings)))
    return
  }
  const converter = new StreamConverter(settings)
  try {
    for await (const batch of readEvents(response, settings, () => converter.hasEnded)) {
      yield converter.take(batch)
      converter.check()
    }
  } catch (thrown) {
    // Whatever broke after the last finish reason cost nothing of the answer.
    if (run?.signal?.aborted || !converter.isComplete) throw asIncomplete(converter, thrown)
  }
  yield converter.finish()
}
