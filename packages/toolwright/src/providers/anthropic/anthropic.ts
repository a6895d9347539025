/**
 * Anthropic's models over the Messages API, or any server that speaks it. Converts a prompt, asks
 * once, converts the answer; loops, memory and execution are other people's work.
 */
import { ModelResponseError, ProviderError } from '../../errors/errors.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatModel, ModelCapabilities, ModelRun, Prompt } from '../../model/chat-model.ts'
import { promptedOutput } from '../../model/prompted-output.ts'
import type { TransportResponse } from '../../ports/transport.ts'
import { exchange, isJsonAnswer, readEvents, readJson } from '../wire/exchange.ts'
import { flattenBatches } from '../wire/flatten-batches.ts'
import { mergeOptions, offeredTools } from '../../model/merge-options.ts'
import { reportedError } from '../wire/provider-failure.ts'
import type { SseEvent } from '../wire/sse.ts'
import {
  wireSettings,
  type WireDefaults,
  type WireOptions,
  type WireSettings,
} from '../wire/wire-settings.ts'
import { fromWire } from './from-wire.ts'
import { outputSchemaOnWire } from './output-schema.ts'
import { StreamConverter } from './stream-converter.ts'
import { toWire } from './to-wire.ts'
import { PROVIDER, isJsonObject, type WireEvent } from './wire-types.ts'

/** Beta features are switched on by `headers: { 'anthropic-beta': '...' }`. */
export interface AnthropicOptions extends WireOptions {
  /**
   * What the model can do, where it differs from what its name says. `nativeToolSearch: true`: tools that a
   * tool-search advisor holds back are deferred and searched by the provider.
   */
  readonly capabilities?: ModelCapabilities
}

const DEFAULTS: WireDefaults = {
  provider: PROVIDER,
  factory: 'anthropic',
  baseUrl: 'https://api.anthropic.com/v1',
  apiKeyVariable: 'ANTHROPIC_API_KEY',
  authHeaders: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  moreOptions: ['capabilities'],
}

/** Models from before there was structured output. */
const BEFORE_STRUCTURED_OUTPUT = /claude-(?:[23]|instant|(?:opus|sonnet)-4-(?:0|2025))/

/**
 * A model of Anthropic. Without `maxTokens` an answer may have 8,192 tokens, besides a thinking budget
 * given in `providerOptions.anthropic.thinking`. Everything else there is sent as it is; its `tools`
 * are added to those offered.
 *
 * @example
 * const model = anthropic('claude-sonnet-4-5')
 * const response = await model.call({ messages: [{ role: 'user', content: 'Hello' }] })
 */
export function anthropic(model: string, options: AnthropicOptions = {}): ChatModel {
  const settings = wireSettings(DEFAULTS, model, options)
  const capabilities: ModelCapabilities = {
    tools: true,
    structuredOutput: !BEFORE_STRUCTURED_OUTPUT.test(model),
    parallelOff: true,
    reasoning: true,
    media: true,
    ...options.capabilities,
  }
  const told = (prompt: Prompt): Prompt => merged(settings, prompt, capabilities.structuredOutput)
  return {
    provider: PROVIDER,
    model,
    capabilities,
    options: settings.options,
    resolver: settings.resolver,
    async call(prompt, run = {}) {
      const response = await ask(settings, told(prompt), { signal: run.signal, stream: false })
      return fromWire(await readJson(response, settings))
    },
    stream: (prompt, run = {}) => flattenBatches(streamed(settings, told(prompt), run)),
  }
}

/** With the model's own options; a schema that this model or API cannot be held to is asked for by words. */
function merged(settings: WireSettings, prompt: Prompt, able: boolean | undefined): Prompt {
  const options = mergeOptions(settings.options, prompt.options)
  const whole = { messages: prompt.messages, options }
  const { outputSchema } = options
  return !outputSchema || (able && outputSchemaOnWire(outputSchema)) ? whole : promptedOutput(whole)
}

interface Asking extends ModelRun {
  readonly stream: boolean
}

async function ask(
  settings: WireSettings,
  { messages, options = {} }: Prompt,
  { stream, signal }: Asking,
): Promise<TransportResponse> {
  const tools = await offeredTools(options, settings.resolver)
  const { model } = settings
  const body = toWire({ model, messages, options, tools, stream })
  return exchange(settings, { path: '/messages', body, ...(signal && { signal }) })
}

/** Batches on purpose: what arrives together is handed on together. */
async function* streamed(
  settings: WireSettings,
  prompt: Prompt,
  run: ModelRun,
): AsyncGenerator<readonly ChatEvent[], void> {
  const response = await ask(settings, prompt, { signal: run.signal, stream: true })
  const converter = new StreamConverter((error) => reportedError(settings, error))
  let position = 0
  try {
    for await (const batch of eventsOf(response, settings, converter)) {
      const out: ChatEvent[] = []
      try {
        for (const event of batch) converter.push(readEvent(event, ++position), out)
      } finally {
        // Also before an error: what came before it was said.
        yield out
      }
    }
  } catch (thrown) {
    if (!isBroken(thrown)) throw thrown
    // A connection that breaks after the stop reason has delivered all there was.
    if (!converter.isComplete) throw converter.incomplete(thrown)
  }
  const last: ChatEvent[] = []
  converter.finish(last)
  yield last
}

function eventsOf(
  response: TransportResponse,
  settings: WireSettings,
  converter: StreamConverter,
): AsyncIterable<readonly SseEvent[]> {
  return isJsonAnswer(response)
    ? wholeAnswer(response, settings)
    : readEvents(response, settings, () => converter.hasEnded)
}

/** A whole message is a stream whose first event has everything. */
async function* wholeAnswer(
  response: TransportResponse,
  settings: WireSettings,
): AsyncGenerator<readonly SseEvent[]> {
  const message = await readJson(response, settings)
  fromWire(message)
  yield [{ data: JSON.stringify({ type: 'message_start', message }) }]
}

const isBroken = (thrown: unknown): boolean =>
  thrown instanceof ProviderError && thrown.code === 'provider-unreachable'

function readEvent({ event, data }: SseEvent, position: number): WireEvent {
  const value = parsed(data)
  if (!isJsonObject(value)) {
    const message = `Event ${position} of the stream is not a JSON object.`
    throw new ModelResponseError('invalid-response', message)
  }
  if (typeof value['type'] === 'string') return value as WireEvent
  // Proxies report their errors without Anthropic's envelope.
  return { ...value, type: 'error' in value ? 'error' : (event ?? '') }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}
