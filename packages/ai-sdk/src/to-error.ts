/**
 * What an AI SDK model throws or reports, as an error of the catalogue. Its errors are known by their markers and
 * fields and not by class, because every provider may bring a copy of the classes. What they hold of the request
 * and the answer is left out: it is the conversation.
 */
import {
  ConfigurationError,
  ModelResponseError,
  ProviderError,
  redact,
  refusalFacts,
  ToolwrightError,
  type RefusalFacts,
} from 'toolwright'
import { incomplete } from './incomplete.ts'
import { received, textOr, type Received } from './received.ts'

type ProviderErrorCode = RefusalFacts['code']

const MESSAGE_SHOWN = 500
const BODY_SHOWN = 2048

/** What each error of the AI SDK means, by its name. One that is not listed is judged by its fields. */
const BY_NAME: { readonly [name: string]: (words: string, failed: Failed) => ToolwrightError } = {
  AI_LoadAPIKeyError: (words, { cause }) =>
    new ConfigurationError('missing-api-key', words, { cause }),
  AI_LoadSettingError: (words, { cause }) =>
    new ConfigurationError('invalid-option', words, { cause }),
  AI_NoSuchModelError: (words, failed) => providerError('provider-not-found', words, failed),
  AI_UnsupportedFunctionalityError: (words, failed) =>
    providerError('provider-rejected', words, failed),
  AI_InvalidPromptError: (words, failed) => providerError('provider-rejected', words, failed),
  AI_InvalidArgumentError: (words, failed) => providerError('provider-rejected', words, failed),
  AI_InvalidResponseDataError: invalidAnswer,
  AI_JSONParseError: invalidAnswer,
  AI_TypeValidationError: invalidAnswer,
  AI_EmptyResponseBodyError: invalidAnswer,
  AI_NoContentGeneratedError: invalidAnswer,
}

/** How an answer ends that a connection took with it. */
export const BROKEN = 'because the connection broke'

interface Failed {
  readonly provider: string
  readonly cause: Error | undefined
  readonly fields: Received
  /** Trying the same again may help. */
  readonly isRetryable?: boolean
}

/** What was thrown before there was an answer. */
export function toError(provider: string, thrown: unknown): ToolwrightError {
  if (ToolwrightError.is(thrown)) return thrown
  const fields = received(thrown)
  const failed: Failed = { provider, cause: causeOf(thrown), fields }
  const words = `${provider}: ${wordsOf(thrown)}`
  const name = nameOf(fields)
  if (name !== undefined) return BY_NAME[name]!(words, failed)
  const status = statusOf(fields)
  if (status !== undefined) return refusal(status, failed, wordsOf(thrown))
  if (fields.isRetryable === true || isNetworkError(thrown))
    return providerError('provider-unreachable', words, { ...failed, isRetryable: true })
  return providerError('provider-unavailable', words, failed)
}

/** Whether the AI SDK made it, with a name that the table knows. Symbols are shared between copies of its classes. */
function nameOf(fields: Received): string | undefined {
  const markers = fields as { readonly [marker: symbol]: unknown }
  return Object.keys(BY_NAME).find(
    (name) => markers[Symbol.for(`vercel.ai.error.${name}`)] === true,
  )
}

/** Whether a stream ended before its provider had said why: some models report it as data that is missing. */
export function isMissingEnd(error: unknown): boolean {
  const fields = received(error)
  return nameOf(fields) === 'AI_InvalidResponseDataError' && fields.data === undefined
}

function invalidAnswer(words: string, { cause }: Failed): ModelResponseError {
  return new ModelResponseError('invalid-response', words, { cause })
}

function refusal(status: number, failed: Failed, said: string): ToolwrightError {
  const { provider, fields } = failed
  if (status >= 200 && status < 300) {
    if (isNetworkError(fields)) return incomplete({ provider, how: BROKEN, cause: failed.cause })
    const reported = errorIn(fields.responseBody)
    if (reported !== undefined) return toError(provider, reported)
    return invalidAnswer(`${provider}: ${said}`, failed)
  }
  const { code, retryable } = factsOf(status, fields)
  const isRetryable = typeof fields.isRetryable === 'boolean' ? fields.isRetryable : retryable
  const words = `${provider} answered ${status}: ${said}`
  return providerError(code, words, { ...failed, isRetryable })
}

function providerError(
  code: ProviderErrorCode,
  words: string,
  { provider, cause, fields, isRetryable = false }: Failed,
): ProviderError {
  const status = statusOf(fields)
  const { retryAfterMs, requestId } = factsOf(status ?? 0, fields)
  const body = fields.responseBody
  return new ProviderError(code, words, {
    provider,
    retryable: isRetryable,
    cause,
    ...(status !== undefined && { status }),
    ...(typeof body === 'string' && { body: redact(body).slice(0, BODY_SHOWN) }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(requestId !== undefined && { requestId: redact(requestId) }),
  })
}

/** The `error` of an answer that began well, which the AI SDK only calls invalid. */
function errorIn(body: unknown): unknown {
  if (typeof body !== 'string' || !body.includes('"error"')) return undefined
  try {
    return received(JSON.parse(body)).error || undefined
  } catch {
    return undefined
  }
}

/** A date counts from the date of the answer itself, which needs no clock of ours. */
function factsOf(status: number, { responseHeaders }: Received): RefusalFacts {
  const headers = received(responseHeaders)
  const header = (name: string): string | undefined => textOr(headers[name], '') || undefined
  return refusalFacts({ status, header }, Date.parse(header('date') ?? ''))
}

/** The status of an answer, or the one that an error object inside an answer names. */
function statusOf({ statusCode, status, code }: Received): number | undefined {
  const numbers = [statusCode, status, code].map((each) =>
    typeof each === 'string' || typeof each === 'number' ? Number(each) : Number.NaN,
  )
  return numbers.find((each) => Number.isInteger(each) && each >= 200 && each < 600)
}

/** Codes of failed connections, which `fetch` hides one or two causes deep. */
const NETWORK = /^(?:E[A-Z]{4,}|UND_ERR_\w+)$/

function isNetworkError(thrown: unknown): boolean {
  const { code, cause } = received(thrown)
  const { code: inner, cause: deeper } = received(cause)
  return [code, inner, received(deeper).code].some((each) => NETWORK.test(textOr(each, '')))
}

/** A provider puts its message into `message`, or into `error` around it. */
function wordsOf(thrown: unknown): string {
  const { message, error } = received(thrown)
  const said = [thrown, message, error, received(error).message].find(
    (each) => typeof each === 'string' && each.trim() !== '',
  )
  const text = redact(textOr(said, 'it failed without a message')).slice(0, MESSAGE_SHOWN)
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/** The error without what it holds of the request and the answer. */
function causeOf(thrown: unknown): Error | undefined {
  if (!(thrown instanceof Error)) return undefined
  const { name, message, stack } = thrown
  const copy = new Error(redact(message))
  return Object.assign(copy, { name, stack: redact(stack ?? `${name}: ${message}`) })
}
