/**
 * Reads what `useChat` posts. It sends the whole conversation; only the user's newest words and answers to what waits are
 * taken from it, because everything else can be forged: the server knows it better.
 */
import { fromUntrustedMessages } from '../../client/from-untrusted-messages.ts'
import { PageError } from '../../errors/errors.ts'
import { checkOptions } from '../../internal/check-options.ts'
import type { UserMessage } from '../../messages/message.ts'
import type { PendingCall } from '../../messages/run-state.ts'
import { isObject, type JsonObject } from '../../schema/json-object.ts'
import { givenDecisions, pendingCall, type DecisionEntry } from '../page/given-decisions.ts'
import { mediaOfUrl } from '../page/media-of-url.ts'
import type { FromPageOptions, PageRequest } from '../page/page-request.ts'
import { decisionInPart } from './decision-in-part.ts'

export interface UiRequest extends PageRequest {
  /** The chat, as the page calls it. */
  readonly chatId?: string
  /** Whether the user said something, or wants another answer to what was said. */
  readonly trigger: 'submit-message' | 'regenerate-message'
}

/**
 * Takes the body that `useChat` posts, parsed. `decisions` beside `messages` holds what the protocol has no form for, by
 * call id: `{ edit }`, `{ answer }`, `'retry'`. Throws a `PageError` for what it cannot take: a body of another form,
 * an approval of a call that does not wait, nothing new.
 *
 * @example
 * const { messages, decisions, continuation } = fromUiMessages(body, { pending: waiting?.pending })
 */
export function fromUiMessages(json: unknown, options: FromPageOptions = {}): UiRequest {
  checkOptions('fromUiMessages()', options, ['pending'])
  const { pending = [] } = options
  const body = Array.isArray(json) ? { messages: json } : json
  const { messages, id, trigger, decisions: given } = fieldsOf(body)
  if (!Array.isArray(messages)) throw new PageError('page-body', 'There is no list of messages.')
  const newest = fieldsOf(messages.at(-1))
  const decided = [...decisionsIn(newest, pending), ...givenDecisions(given, pending)]
  const from: Pick<UiRequest, 'trigger' | 'chatId'> = {
    trigger: trigger === 'regenerate-message' ? trigger : 'submit-message',
    ...(typeof id === 'string' && { chatId: id }),
  }
  if (decided.length === 0) return { ...from, messages: userMessages(newest), decisions: {} }
  const decisions = Object.fromEntries(decided)
  const continuation = { decisions, pending, ...messageIdOf(newest) }
  return { ...from, messages: [], decisions, continuation }
}

/** What goes on has the same id in the page, or the message would be there twice. */
const messageIdOf = ({ role, id }: JsonObject): { readonly messageId?: string } =>
  role === 'assistant' && typeof id === 'string' ? { messageId: id } : {}

function decisionsIn(
  message: JsonObject,
  pending: readonly PendingCall[],
): readonly DecisionEntry[] {
  if (message['role'] !== 'assistant') return []
  const parts = partsOf(message)
  for (const { state, toolCallId } of parts)
    if (state === 'approval-responded') pendingCall(String(toolCallId), pending)
  return pending.flatMap((call): readonly DecisionEntry[] => {
    const part = parts.findLast(({ toolCallId }) => toolCallId === call.callId)
    const decision = part && decisionInPart(part, call.kind)
    return decision === undefined ? [] : [[call.callId, decision]]
  })
}

function userMessages(message: JsonObject): readonly UserMessage[] {
  if (message['role'] !== 'user')
    throw new PageError('page-nothing-new', 'The page sent nothing that is not known.')
  const content = partsOf(message).flatMap((part) => {
    const { type, text, mediaType, url, filename } = part
    if (type === 'text') return [{ type, text }]
    return type === 'file' ? [mediaOfUrl({ url, mediaType, name: filename })] : []
  })
  if (content.length === 0)
    throw new PageError('page-body', 'The message has neither text nor files.')
  return fromUntrustedMessages([{ role: 'user', content }])
}

function partsOf({ parts }: JsonObject): readonly JsonObject[] {
  if (!Array.isArray(parts))
    throw new PageError('page-body', 'The newest message has no list of parts.')
  return parts.map(fieldsOf)
}

/** Of what is no object, none. */
const fieldsOf = (x: unknown): JsonObject => (isObject(x) ? x : {})
