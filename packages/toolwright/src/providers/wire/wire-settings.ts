/**
 * What an adapter needs to reach its provider, normalised once when the model is made. The key lives
 * only in the closures of `headers` and `redact`: printing or serialising the settings cannot show it.
 */
import { ConfigurationError } from '../../errors/errors.ts'
import { redactKnown } from '../../errors/known-secrets.ts'
import { REDACTED, redact } from '../../errors/redact.ts'
import { checkOptions } from '../../internal/check-options.ts'
import type { ChatOptions, ModelCapabilities, ModelServer } from '../../model/chat-model.ts'
import { type Clock, systemClock } from '../../ports/clock.ts'
import { type Random, systemRandom } from '../../ports/random.ts'
import type { RetryPolicy } from '../../ports/retry-policy.ts'
import type { Transport, TransportRequest } from '../../ports/transport.ts'
import { checkKinds, type Kinds, TRUTH } from '../../schema/option-kinds.ts'
import type { ToolCallbackResolver } from '../../tools/tool-callback-resolver.ts'
import { defaultTransport } from './default-transport.ts'
import { RetryBudget } from './retry-budget.ts'
import { withTrace, type TraceHeaders } from './trace-headers.ts'
import { IN_HEADER } from './in-header.ts'
import { otherValues, secretsOf } from './request-secrets.ts'
import { NO_OPTIONS } from '../../model/merge-options.ts'

/** What every adapter takes. */
export interface WireOptions {
  /** Default: the provider's environment variable. */
  readonly apiKey?: string
  /** Includes the version path, e.g. `https://host/v1`. */
  readonly baseUrl?: string
  /** Sent with every request; they win over the adapter's own. */
  readonly headers?: { readonly [name: string]: string }
  /** Asked for each request: `traceparent`, `tracestate` and `baggage` for its headers. Default: none are sent. */
  readonly traceContext?: () => TraceHeaders | undefined
  /** Carries requests: a proxy, a test. Default: kept-alive connections on Node, otherwise `fetch`. */
  readonly transport?: Transport
  /** The model's default options. Tools among them are offered to everybody who uses the model. */
  readonly options?: ChatOptions
  /** Needed to offer tools by name. */
  readonly resolver?: ToolCallbackResolver
  /** What the model can do, where it differs from what its name says. */
  readonly capabilities?: ModelCapabilities
  /** `false`: no second try. Default true. */
  readonly retry?: boolean
  /** How long connecting to the provider may take, in ms. Default 10,000. */
  readonly connectTimeoutMs?: number
  /**
   * How long the provider may take to begin its answer, in ms. A model that thinks, or an answer that is not
   * streamed, can take minutes. Default 300,000, or `idleTimeoutMs` where only that is given.
   */
  readonly firstByteTimeoutMs?: number
  /** Longest silence of the provider inside an answer, in ms. Default 60,000. */
  readonly idleTimeoutMs?: number
  /** Tells and waits for time. Default: the real one; `manualClock()` for tests. */
  readonly clock?: Clock
  /** Shortens pauses by chance. Default: the real one. */
  readonly random?: Random
}

/** What an adapter says about its provider. */
export interface WireDefaults {
  readonly provider: string
  /** Name of the factory, for errors, e.g. `openaiCompatible`. */
  readonly factory: string
  /** Absent: the caller must give one. */
  readonly baseUrl?: string
  /** Where the key is found in the environment; of several, the first that is set. */
  readonly apiKeyVariable?: string | readonly string[]
  /** Hosts of the provider besides that of `baseUrl`, e.g. for regions. Only they get the key of the variable. */
  readonly ownHosts?: RegExp
  /** Without a key the request goes out without `authHeaders`. */
  readonly apiKeyOptional?: boolean
  authHeaders(key: string): { readonly [name: string]: string }
  /** Sent with or without a key, e.g. the version of the API. */
  readonly headers?: { readonly [name: string]: string }
  /** Options of this adapter beyond `WireOptions`. */
  readonly moreOptions?: readonly string[]
}

export type WireTimeouts = Required<
  Pick<TransportRequest, 'connectTimeoutMs' | 'firstByteTimeoutMs' | 'idleTimeoutMs'>
>

export interface WireSettings {
  readonly provider: string
  readonly model: string
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly server: ModelServer
  readonly transport: Transport
  readonly options: ChatOptions
  readonly resolver: ToolCallbackResolver | undefined
  /** What the caller says of the model. */
  readonly capabilities: ModelCapabilities | undefined
  /** The variable whose key was not sent, because it is for the provider's own hosts. */
  readonly withheldKey: string | undefined
  readonly retry: RetryPolicy
  /** Of all runs of this model together. */
  readonly retryBudget: RetryBudget
  readonly timeouts: WireTimeouts
  readonly clock: Clock
  readonly random: Random
  /** All headers of a request, names in lower case. */
  headers(): { readonly [name: string]: string }
  /** Takes the key, the caller's own header values and whatever looks like a key out of a text. */
  redact(text: string): string
}

/** As most clients of providers do it. A provider's own wish is honoured up to half a minute. */
const THREE_TRIES: RetryPolicy = {
  attempts: 3,
  delayMs: 500,
  jitter: 'full',
  retryAfter: { maxMs: 30_000, spreadMs: 1_000 },
}
const ONE_TRY: RetryPolicy = { attempts: 1, delayMs: 0 }

const WIRE_OPTIONS: readonly (keyof WireOptions)[] = [
  'apiKey',
  'baseUrl',
  'headers',
  'traceContext',
  'transport',
  'options',
  'resolver',
  'capabilities',
  'retry',
  'connectTimeoutMs',
  'firstByteTimeoutMs',
  'idleTimeoutMs',
  'clock',
  'random',
]

export function wireSettings(
  defaults: WireDefaults,
  model: string,
  options: WireOptions = {},
): WireSettings {
  checkOptions(`${defaults.factory}()`, options, [...WIRE_OPTIONS, ...(defaults.moreOptions ?? [])])
  if (typeof model !== 'string' || model === '') {
    throw new ConfigurationError(
      'invalid-option',
      `${defaults.factory}() needs the name of a model.`,
    )
  }
  checkCapabilities(defaults, options.capabilities)
  const key = findKey(defaults, options)
  const headers = allHeaders(defaults, options, key)
  const baseUrl = checkedBaseUrl(defaults, options.baseUrl ?? defaults.baseUrl)
  const secrets = [...(key === undefined ? [] : [key]), ...secretsOf({ headers, url: baseUrl })]
  const others = otherValues(options.headers ?? {})
  const { clock = systemClock, traceContext } = options
  if (traceContext !== undefined && typeof traceContext !== 'function')
    throw new ConfigurationError(
      'invalid-option',
      `${defaults.factory}(): traceContext takes a function that gives headers.`,
    )
  return {
    provider: defaults.provider,
    model,
    baseUrl,
    server: serverOf(baseUrl),
    transport: options.transport ?? defaultTransport(),
    options: options.options ?? NO_OPTIONS,
    resolver: options.resolver,
    capabilities: options.capabilities,
    withheldKey: key === undefined ? withheldKey(defaults) : undefined,
    retry: options.retry === false ? ONE_TRY : THREE_TRIES,
    retryBudget: new RetryBudget(clock),
    timeouts: checkedTimeouts(defaults, options),
    clock,
    random: options.random ?? systemRandom,
    headers: traceContext ? () => withTrace(headers, traceContext) : () => headers,
    redact: (text) =>
      redactKnown(
        others.reduce((clean, value) => clean.replaceAll(value, REDACTED), text),
        secrets,
      ),
  }
}

const CAPABILITIES: Kinds<ModelCapabilities> = {
  tools: TRUTH,
  toolChoice: TRUTH,
  parallelOff: TRUTH,
  strictTools: TRUTH,
  structuredOutput: TRUTH,
  reasoning: TRUTH,
  media: TRUTH,
  files: TRUTH,
  mediaInResults: TRUTH,
  providerTools: TRUTH,
  promptCaching: TRUTH,
  nativeToolSearch: TRUTH,
}

function checkCapabilities({ factory }: WireDefaults, given: ModelCapabilities | undefined): void {
  const where = `capabilities of ${factory}()`
  checkOptions(where, given, Object.keys(CAPABILITIES))
  checkKinds(where, given, CAPABILITIES)
}

function findKey(defaults: WireDefaults, options: WireOptions): string | undefined {
  const isOwn = isOwnAddress(defaults, options.baseUrl)
  const variables = isOwn ? [defaults.apiKeyVariable ?? []].flat() : []
  const key = (options.apiKey ?? variables.map(environment).find(isSet))?.trim()
  if (key && IN_HEADER.test(key)) return key
  if (key)
    throw new ConfigurationError(
      'invalid-option',
      `The apiKey of ${defaults.factory}() has a line break or another character that no header can carry.`,
    )
  if (defaults.apiKeyOptional || !isOwn) return undefined
  const where = variables.length === 0 ? '' : ` and ${variables.join(' or ')} is not set`
  throw new ConfigurationError('missing-api-key', `${defaults.factory}() got no apiKey${where}.`)
}

const withheldKey = ({ apiKeyVariable = [] }: WireDefaults): string | undefined =>
  [apiKeyVariable].flat().find((variable) => isSet(environment(variable)))

/** A key in the environment is for its provider; another server gets only the key that is given with its address. */
function isOwnAddress({ baseUrl: own, ownHosts }: WireDefaults, given: unknown): boolean {
  if (given === undefined || own === undefined) return true
  if (typeof given !== 'string' || !URL.canParse(given)) return false
  const { protocol, hostname } = new URL(given)
  if (protocol !== 'https:') return false
  return hostname === new URL(own).hostname || (ownHosts?.test(hostname) ?? false)
}

const isSet = (value: string | undefined): boolean => value !== undefined && value.trim() !== ''

/** Not every runtime has an environment, and some refuse to show it. */
function environment(name: string): string | undefined {
  try {
    return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process
      ?.env?.[name]
  } catch {
    return undefined
  }
}

function allHeaders(
  defaults: WireDefaults,
  options: WireOptions,
  key: string | undefined,
): { readonly [name: string]: string } {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    ...defaults.headers,
    ...(key === undefined ? {} : defaults.authHeaders(key)),
  }
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (
      typeof value !== 'string' ||
      !/^[\w!#$%&'*+.^`|~-]+$/.test(name) ||
      !IN_HEADER.test(value)
    ) {
      throw new ConfigurationError(
        'invalid-option',
        `${defaults.factory}() cannot send the header "${name}".`,
      )
    }
    headers[name.toLowerCase()] = value
  }
  return headers
}

function checkedBaseUrl(defaults: WireDefaults, baseUrl: string | undefined): string {
  if (typeof baseUrl !== 'string' || !/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
    const had = typeof baseUrl === 'string' ? `"${redact(baseUrl)}"` : 'none'
    throw new ConfigurationError(
      'invalid-base-url',
      `${defaults.factory}() needs a baseUrl; it got ${had}.`,
    )
  }
  return baseUrl.replace(/\/+$/, '')
}

function serverOf(baseUrl: string): ModelServer {
  const { protocol, hostname, port } = new URL(baseUrl)
  return {
    // An address of IPv6 stands in brackets in a URL only.
    address: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
  }
}

function checkedTimeouts({ factory }: WireDefaults, options: WireOptions): WireTimeouts {
  const { idleTimeoutMs = 60_000, connectTimeoutMs = 10_000 } = options
  const { firstByteTimeoutMs = options.idleTimeoutMs ?? 300_000 } = options
  const given = { connectTimeoutMs, firstByteTimeoutMs, idleTimeoutMs }
  const checked = Object.entries(given).map(([name, ms]) => {
    if (Number.isFinite(ms) && ms > 0) return [name, Math.min(ms, LONGEST_TIMER_MS)]
    throw new ConfigurationError(
      'invalid-option',
      `${name} of ${factory}() is ${String(ms)}; it takes a positive number of milliseconds.`,
    )
  })
  return Object.fromEntries(checked) as WireTimeouts
}

/** What timers of the runtimes can hold. */
const LONGEST_TIMER_MS = 2_147_483_647
