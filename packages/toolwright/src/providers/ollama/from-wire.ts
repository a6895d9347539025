/**
 * From an answer of `/api/chat` to a `ChatResponse`. The parts of a message have the order in which the API lists
 * them (thought, text, images, calls), streamed or not. Also what its refusals mean, in words that say what to do.
 */
import { PROVIDER_ERRORS, type ProviderErrorCode } from '../../errors/catalogue.ts'
import { ModelResponseError, ProviderError } from '../../errors/errors.ts'
import type { ChatResponse, FinishReason, Usage } from '../../messages/chat-response.ts'
import type { Json } from '../../messages/json.ts'
import type { AssistantPart, ToolCall } from '../../messages/message.ts'
import type { WireQuestion } from '../wire/chat-dialect.ts'
import { finishReason } from '../wire/finish-reason.ts'
import { listedCalls } from '../wire/listed-calls.ts'
import { messageContent } from '../wire/message-content.ts'
import { completeCall } from '../wire/tool-call-assembler.ts'
import { usageOf } from '../wire/usage-of.ts'
import { argumentsText, isJsonObject, isText, otherFields } from '../wire/wire-value.ts'
import type { WireAnswer, WireCall, WireFunction, WireMessage } from './wire-types.ts'

/** What was said, collected from one message or from the lines of a stream. */
export interface AnswerContent {
  readonly thinking: string
  readonly text: string
  readonly images: readonly Json[]
  readonly calls: readonly ToolCall[]
  readonly logprobs: readonly Json[]
}

/** The body of an answer that was not streamed. */
export function fromWire(answer: unknown): ChatResponse {
  if (!isJsonObject(answer) || !isJsonObject(answer['message'])) {
    throw new ModelResponseError('invalid-response', 'The answer of ollama has no message.')
  }
  const { content, thinking, tool_calls, images } = answer['message'] as WireMessage
  return toResponse(answer, {
    thinking: typeof thinking === 'string' ? thinking : '',
    text: typeof content === 'string' ? content : '',
    images: listOf(images),
    calls: callsIn(tool_calls).map(toCall),
    logprobs: listOf(answer['logprobs']),
  })
}

export const listOf = (given: unknown): readonly Json[] =>
  Array.isArray(given) ? (given as readonly Json[]) : []

export const callsIn = (given: unknown): readonly WireCall[] =>
  listedCalls(given).filter(isJsonObject)

/** Older servers give a call no id; the run gives it one. */
export function toCall(call: WireCall): ToolCall {
  const called = functionOf(call)
  return completeCall({
    id: isText(call.id) ? call.id : '',
    name: isText(called.name) ? called.name : '',
    arguments: plainArguments(called.arguments),
  })
}

/** Some servers leave the object around name and arguments out. */
export const functionOf = (call: WireCall): WireFunction =>
  isJsonObject(call.function) ? call.function : (call as WireFunction)

/** Some models write the object as a text, and some that text as a JSON string once more. */
function plainArguments(given: unknown): string {
  const text = argumentsText(given)
  if (!text.trimStart().startsWith('"')) return text
  try {
    const inner: unknown = JSON.parse(text)
    return typeof inner === 'string' && inner.trimStart().startsWith('{') ? inner : text
  } catch {
    return text
  }
}

/** The fields every answer has; all others, such as the durations in nanoseconds, are metadata. */
const NAMED_FIELDS = new Set([
  'model',
  'message',
  'done',
  'done_reason',
  'prompt_eval_count',
  'eval_count',
  'logprobs',
])

/** @param last the answer, or the last line of a streamed one */
export function toResponse(last: WireAnswer, content: AnswerContent): ChatResponse {
  const { done_reason: reason, model } = last
  const raw = isText(reason) ? reason : undefined
  return {
    results: [
      {
        message: {
          role: 'assistant',
          content: messageContent(partsOf(content)),
        },
        // Older servers give no reason when nothing was special.
        finishReason: finishReason(
          FINISH_REASONS,
          raw ?? (last.done === true ? 'stop' : undefined),
          content.calls.length > 0,
        ),
        ...(raw === undefined ? {} : { rawFinishReason: raw }),
        metadata: content.logprobs.length === 0 ? {} : { logprobs: content.logprobs },
      },
    ],
    usage: toUsage(last),
    ...(isText(model) && { model }),
    metadata: otherFields(last, NAMED_FIELDS),
  }
}

/** The mark on a thought says whose it is: it goes back to this API only. */
function partsOf({ thinking, text, images, calls }: AnswerContent): readonly AssistantPart[] {
  const parts: AssistantPart[] = []
  if (thinking !== '')
    parts.push({ type: 'reasoning', text: thinking, providerData: { field: 'thinking' } })
  if (text !== '') parts.push({ type: 'text', text })
  if (images.length > 0) parts.push({ type: 'provider', kind: 'images', data: images })
  return parts.concat(calls)
}

/** `load` and `unload` answer requests without messages: nothing was said. */
const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['load', 'other'],
  ['unload', 'other'],
] as const)

function toUsage({ prompt_eval_count: input, eval_count: output }: WireAnswer): Usage {
  const isWhole = typeof input === 'number' && typeof output === 'number'
  return usageOf({
    inputTokens: input,
    outputTokens: output,
    totalTokens: isWhole ? input + output : undefined,
  })
}

/** A failure that this API words in a way that leaves open what to do. */
interface Meaning {
  readonly code: ProviderErrorCode
  /** Matches the body of the refusal. */
  readonly body: RegExp
  /** Our code, where it is not the same. */
  readonly means?: ProviderErrorCode
  advice(model: string): string
}

/** The first that fits counts. */
const MEANINGS: readonly Meaning[] = [
  {
    code: 'provider-unreachable',
    body: /^/,
    advice: () => 'If Ollama does not run there, start it: ollama serve.',
  },
  {
    code: 'provider-not-found',
    body: /model[^]*not found/i,
    advice: (model) => `Get the model: ollama pull ${model}.`,
  },
  {
    code: 'provider-not-found',
    body: /^/,
    advice: () =>
      'The baseUrl of ollama() is the address of the server without a path: http://127.0.0.1:11434.',
  },
  {
    code: 'provider-rejected',
    body: /does not support tools/i,
    means: 'provider-no-tools',
    advice: () => 'Its template has no place for them.',
  },
]

/** The same error with what to do about it, where the server's words alone do not say it. */
export function explained(error: ProviderError, { model }: WireQuestion): ProviderError {
  const { code, status, body, requestId, retryAfterMs, provider, retryable } = error
  const meaning = MEANINGS.find((each) => each.code === code && each.body.test(body ?? ''))
  if (meaning === undefined) return error
  const said = error.message.replace(` ${PROVIDER_ERRORS[code as ProviderErrorCode]}`, '')
  return new ProviderError(meaning.means ?? meaning.code, `${said} ${meaning.advice(model)}`, {
    provider,
    retryable,
    cause: error,
    ...(status !== undefined && { status }),
    ...(body !== undefined && { body }),
    ...(requestId !== undefined && { requestId }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}
