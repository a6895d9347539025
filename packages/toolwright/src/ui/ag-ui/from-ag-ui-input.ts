/**
 * Reads what a client of AG-UI posts. It sends the whole thread; only the user's newest words, answers to interrupts and
 * results of the page's own tools are taken from it, because everything else can be forged: the server knows it better.
 */
import { fromUntrustedMessages } from '../../client/from-untrusted-messages.ts'
import { PageError } from '../../errors/errors.ts'
import { checkOptions } from '../../internal/check-options.ts'
import type { UserMessage } from '../../messages/message.ts'
import type { PendingCall } from '../../messages/run-state.ts'
import { isObject, type JsonObject } from '../../schema/json-object.ts'
import { pendingCall, type DecisionEntry } from '../page/given-decisions.ts'
import type { FromPageOptions, PageRequest } from '../page/page-request.ts'
import { contentOf } from './content-of.ts'
import { decisionInEntry } from './decision-in-entry.ts'

export interface AgUiRequest extends PageRequest {
  readonly threadId: string
  readonly runId: string
}

/**
 * Takes the `RunAgentInput` that `HttpAgent` posts, parsed. Throws a `PageError` for what it cannot take: a body of
 * another form, an answer to an interrupt that does not wait, nothing new. Tools that the page defines are not taken:
 * offer them by name, as tools without `execute`.
 *
 * @example
 * const { messages, decisions, continuation } = fromAgUiInput(body, { pending: waiting?.pending })
 */
export function fromAgUiInput(json: unknown, options: FromPageOptions = {}): AgUiRequest {
  checkOptions('fromAgUiInput()', options, ['pending'])
  const { pending = [] } = options
  const { threadId, runId, messages, resume } = fieldsOf(json)
  if (typeof threadId !== 'string' || typeof runId !== 'string')
    throw new PageError('page-body', 'There is no threadId or no runId.')
  if (!Array.isArray(messages)) throw new PageError('page-body', 'There is no list of messages.')
  // The others are written by the client itself: thoughts and activities.
  const said = messages.map(fieldsOf).filter(({ role }) => SAID.includes(role as string))
  const decided = [...resultsIn(said, pending), ...entriesIn(resume, pending)]
  const run = { threadId, runId }
  if (decided.length === 0) return { ...run, messages: userMessages(said.at(-1)), decisions: {} }
  const decisions = Object.fromEntries(decided)
  return { ...run, messages: [], decisions, continuation: { decisions, pending } }
}

const SAID: readonly string[] = ['user', 'assistant', 'tool']

/** Results of the page's own tools: the tool messages at the end. */
function resultsIn(
  said: readonly JsonObject[],
  pending: readonly PendingCall[],
): readonly DecisionEntry[] {
  const last = said.findLastIndex(({ role }) => role !== 'tool')
  const supplied = said.slice(last + 1)
  return pending.flatMap(({ callId, kind }): readonly DecisionEntry[] => {
    const message = supplied.findLast(({ toolCallId }) => toolCallId === callId)
    if (kind !== 'result' || !message) return []
    const { content, error } = message
    if (typeof error === 'string') return [[callId, { deny: error.toWellFormed() }]]
    return [[callId, { result: contentOf(content) }]]
  })
}

function entriesIn(resume: unknown, pending: readonly PendingCall[]): readonly DecisionEntry[] {
  if (resume === undefined || resume === null) return []
  if (!Array.isArray(resume)) throw new PageError('page-body', 'The field resume is not a list.')
  return resume.map((entry) => {
    const { interruptId, ...answer } = fieldsOf(entry)
    const call = pendingCall(String(interruptId), pending)
    return [call.callId, decisionInEntry(answer, call)]
  })
}

function userMessages(message: JsonObject | undefined): readonly UserMessage[] {
  if (message?.['role'] !== 'user')
    throw new PageError('page-nothing-new', 'The page sent nothing that is not known.')
  const content = contentOf(message['content'])
  if (content.length === 0)
    throw new PageError('page-body', 'The message has neither text nor files.')
  return fromUntrustedMessages([{ role: 'user', content }])
}

/** Of what is no object, none. */
const fieldsOf = (x: unknown): JsonObject => (isObject(x) ? x : {})
