/**
 * One question to a provider over HTTP. It is tried again while nothing has been answered; the transport below
 * does not retry. Then the answer is read as JSON, within limits. Knows no dialect.
 */
import { ModelResponseError, ProviderError } from '../../errors/errors.ts'
import { messageOfThrown } from '../../errors/message-of-thrown.ts'
import { notice, type Notice } from '../../errors/notices.ts'
import { refusalFacts, requestIdOf } from '../../errors/refusal-facts.ts'
import type { TransportResponse } from '../../ports/transport.ts'
import type { ChatDialect } from './chat-dialect.ts'
import { exactInputs } from './exact-inputs.ts'
import { MAX_ERROR_BODY_BYTES, MAX_JSON_BYTES } from './limits.ts'
import { withRetries } from '../../ports/retry-policy.ts'
import { describeText, refusalError, reportedError } from './provider-failure.ts'
import { wholeBody } from './whole-body.ts'
import type { WireSettings } from './wire-settings.ts'
import { isJsonObject } from './wire-value.ts'

export interface WireRequest {
  /** Appended to the base URL, e.g. `/chat/completions`. */
  readonly path: string
  /** JSON text. */
  readonly body: string
  readonly signal?: AbortSignal | undefined
  /** Hears of every further try. */
  readonly tell?: (notice: Notice) => void
}

/** Resolves with a 2xx answer, or rejects with a `ProviderError` or the signal's reason. */
export function exchange(settings: WireSettings, request: WireRequest): Promise<TransportResponse> {
  const { clock, random, retry, retryBudget, provider } = settings
  const { signal, tell } = request
  const mayRetry = (thrown: unknown): boolean => {
    if (signal?.aborted || !mayAskAgain(thrown)) return false
    if (retryBudget.take()) return true
    tell?.(notice('retry-budget', `${provider} is not asked again: ${BUDGET_SPENT}`))
    return false
  }
  const onRetry = (attempt: number, thrown: unknown): void =>
    tell?.(notice('model-retry', againWords(settings, attempt, thrown), { attempt }))
  retryBudget.asked()
  return withRetries(retry, { clock, random, signal, mayRetry, onRetry }, () =>
    ask(settings, request),
  )
}

const BUDGET_SPENT =
  'of the questions of the last minute, as many as may be were asked again already.'

function againWords(settings: WireSettings, attempt: number, thrown: unknown): string {
  const why = settings.redact(messageOfThrown(thrown))
  return `Try ${attempt} of ${settings.retry.attempts} failed, and ${settings.provider} is asked again: ${why}`
}

/** Silence is not tried again here: the provider may still be working on the first question. */
function mayAskAgain(thrown: unknown): boolean {
  return thrown instanceof ProviderError && thrown.retryable && thrown.code !== 'provider-timeout'
}

async function ask(settings: WireSettings, request: WireRequest): Promise<TransportResponse> {
  const response = await settings.transport({
    url: settings.baseUrl + request.path,
    headers: settings.headers(),
    body: request.body,
    ...settings.timeouts,
    provider: settings.provider,
    ...(request.signal && { signal: request.signal }),
  })
  if (response.status >= 200 && response.status < 300) return response
  throw refusalError(settings, {
    status: response.status,
    body: await readRefusal(response, settings, request.signal),
    location: response.header('location'),
    facts: refusalFacts(response, settings.clock.now()),
  })
}

/** The start of a refusal. Breaks are no news here: what did arrive is enough. */
async function readRefusal(
  response: TransportResponse,
  { clock }: WireSettings,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { text, broken } = await wholeBody(response, { clock, maxBytes: MAX_ERROR_BODY_BYTES })
  if (broken && signal?.aborted) throw broken.thrown
  return text()
}

/** How the body of an answer is read; `ChatDialect` says what the fields mean. */
export type BodyReading = Pick<ChatDialect, 'inputField' | 'errorIn'>

/**
 * The whole body as JSON, the inputs of calls (`inputField`) exact. A body that reports an error rejects, whatever
 * the status was.
 */
export async function readJson(
  response: TransportResponse,
  settings: WireSettings,
  { inputField, errorIn: errorInside }: BodyReading = {},
): Promise<unknown> {
  const text = await readText(response, settings)
  let value: unknown
  try {
    value = JSON.parse(inputField === undefined ? text : exactInputs(text, inputField))
  } catch {
    // Without a cause: the parser's message quotes the text unredacted.
    throw notJson(settings, text)
  }
  const error = errorIn(value) ?? (isJsonObject(value) ? errorInside?.(value) : undefined)
  if (error !== undefined) throw reportedError(settings, error, requestIdOf(response))
  return value
}

async function readText(response: TransportResponse, settings: WireSettings): Promise<string> {
  const { clock } = settings
  const { text, isTooLarge, broken } = await wholeBody(response, {
    clock,
    maxBytes: MAX_JSON_BYTES,
  })
  if (broken) throw broken.thrown
  if (isTooLarge) throw tooLarge(settings)
  return text()
}

/** Whether a streamed question was answered in one piece, as some endpoints do for errors and short answers. */
export function isJsonAnswer(response: TransportResponse): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(response.header('content-type') ?? '')
}

function notJson(settings: WireSettings, text: string): ModelResponseError {
  const what = describeText(settings, text)
  return new ModelResponseError(
    'invalid-response',
    `${settings.provider} sent ${what} instead of JSON.`,
  )
}

function tooLarge(settings: WireSettings): ProviderError {
  const message = `The answer of ${settings.provider} is larger than ${MAX_JSON_BYTES} bytes.`
  return new ProviderError('provider-too-large', message, { provider: settings.provider })
}

/** The `error` of an answer; `null` and `false` mean there is none. */
export function errorIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('error' in value)) return undefined
  return value.error || undefined
}
