/**
 * Remembers a conversation. Outside the loop (default) it stores the user's message and the answer;
 * inside, where every round passes, every step, and a second part outside the loop stores what came after
 * the last round. A resumed run never stores its user message again. A memory that fails ends the run while
 * the run needs it; once the answer is there, it is only noticed.
 */
import { ConfigurationError, RunLimitError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { notice } from '../errors/notices.ts'
import { redact } from '../errors/redact.ts'
import { canonicalJson } from '../internal/canonical-json.ts'
import { checkOptions } from '../internal/check-options.ts'
import { checkKinds, NUMBER, TRUTH, withMethods } from '../schema/option-kinds.ts'
import type { AssistantMessage, Message } from '../messages/message.ts'
import { hasToolCalls, toolCallsOf } from '../messages/reading.ts'
import { labelMet } from '../messages/run-label.ts'
import type { ChatMemory } from '../memory/chat-memory.ts'
import { conversationKeyOf, type ConversationKey } from '../messages/conversation-key.ts'
import {
  ORDER,
  type AdvisedRequest,
  type AdvisedResponse,
  type MemoryAdvisor,
} from '../loop/advisor.ts'
import type { InsideRequest } from '../loop/inside.ts'
import { markedWith, pairedFor, withOwnTurn } from './shared-conversation.ts'
import { newMessages, withMemory } from './with-memory.ts'

export interface ChatMemoryAdvisorOptions {
  /** Default `ORDER.memory`: outside the loop. Above the tool-calling advisor's: inside. */
  readonly order?: number
  /** Outside the loop: store tool calls and their results too. Default false. */
  readonly storeToolExchange?: boolean
}

const KINDS = { memory: withMethods('add', 'get'), order: NUMBER, storeToolExchange: TRUTH }

/**
 * A memory for a client. Every request then names its conversation.
 *
 * @example
 * ChatClient.create(model, { advisors: [chatMemoryAdvisor(messageWindowMemory())] })
 *   .prompt('I am Ada').conversation('c-1')
 */
export function chatMemoryAdvisor(
  memory: ChatMemory,
  options: ChatMemoryAdvisorOptions = {},
): MemoryAdvisor {
  checkOptions('chatMemoryAdvisor()', options, ['order', 'storeToolExchange'])
  // A memory that is missing is as wrong as any other.
  checkKinds('chatMemoryAdvisor()', { memory: memory ?? null, ...options }, KINDS)
  const { order = ORDER.memory, storeToolExchange = false } = options
  // By the run's context, which all advisors of a run share: the newest round this memory has seen of a loop.
  const rounds = new WeakMap<AdvisedRequest['context'], number>()
  const recalled: Recalled = new WeakMap()
  return {
    name: 'memory',
    order,
    role: 'memory',
    async advise(request, next) {
      const isInside = rounds.has(request.context)
      const asked = await recall(memory, request, { recalled, isInside })
      if (isInside) rounds.set(request.context, request.round)
      const answer = await next(asked)
      recalled.delete(request.context)
      if (answer.pending) return answer
      const calling = answer.response.results.find((each) => toolCallsOf(each).length > 0)
      // The next round is built from what is stored here: without it the model would call again.
      const read = readBy(request, answer)
      if (isInside && calling)
        await store(memory, request, {
          messages: read(markedWith(request.runId, [calling.message])),
        })
      else await keep(memory, request, read(said(answer, storeToolExchange && !isInside)))
      return answer
    },
    outsideLoop: (loopOrder) => ({
      name: 'memory-end',
      order: loopOrder,
      async advise(request, next) {
        rounds.set(request.context, 0)
        const unstored = (end: LoopEnd): readonly Message[] =>
          rounds.get(request.context)! > end.rounds.length
            ? []
            : readBy(request, end)(markedWith(request.runId, afterLastRound(end)))
        try {
          const answer = await next(request)
          if (!answer.pending) await keep(memory, request, unstored(answer))
          return answer
        } catch (error) {
          if (error instanceof RunLimitError && error.result)
            await keep(memory, request, unstored(error.result))
          throw error
        }
      },
    }),
  }
}

/** For requests without an answer yet, by the run's context: the remembered messages, and the new ones. */
type Recalled = WeakMap<
  AdvisedRequest['context'],
  { readonly remembered: readonly Message[]; readonly fresh: readonly Message[] }
>

interface Recalling {
  readonly recalled: Recalled
  readonly isInside: boolean
}

/** Puts the remembered messages before the request's. New messages are stored once, even if asking fails and is retried. */
async function recall(
  memory: ChatMemory,
  request: AdvisedRequest,
  { recalled, isInside }: Recalling,
): Promise<AdvisedRequest> {
  const key = conversationOf(request)
  if (request.phase === 'resume') return request
  const { runId, prompt } = request
  const given = newMessages(prompt.messages)
  const fresh = isInside ? markedWith(runId, given) : given
  const tried = recalled.get(request.context)
  const isStored = tried !== undefined && canonicalJson(tried.fresh) === canonicalJson(fresh)
  const remembered = isStored
    ? tried.remembered
    : await request.step('get', async () => [...(await memory.get(key))])
  if (!isStored) await store(memory, request, { messages: fresh, step: 'add' })
  recalled.set(request.context, { remembered, fresh })
  const said = prompt.messages.map((message) => fresh[given.indexOf(message)] ?? message)
  // Without a history of its own, the run sees of itself what the memory shows.
  const isAlone = isInside && prompt.messages.every(({ role }) => role !== 'assistant')
  const messages = withMemory(isAlone ? withOwnTurn(remembered, request) : remembered, said)
  const paired = isInside ? await pairedFor(runId, messages) : messages
  return { ...request, prompt: { ...prompt, messages: paired } }
}

interface Storing {
  readonly messages: readonly Message[]
  /** Another for what is asked and what is answered: a resumed run has the id of the run before. */
  readonly step?: string
}

async function store(
  memory: ChatMemory,
  request: AdvisedRequest,
  { messages, step = 'add-answer' }: Storing,
): Promise<void> {
  if (messages.length === 0) return
  await request.step(step, async () => {
    await memory.add(conversationOf(request), messages)
    return null
  })
}

/** Stores what the run does not need any more: the answer is there, and must not be lost with a failing memory. */
async function keep(
  memory: ChatMemory,
  request: AdvisedRequest,
  messages: readonly Message[],
): Promise<void> {
  try {
    await store(memory, request, { messages })
  } catch (thrown) {
    if (request.signal.aborted) throw thrown
    const { runId, round } = request
    const message = `The memory did not store the end of the run: ${redact(messageOfThrown(thrown))}`
    request.emit({ ...notice('memory-failed', message), runId, round })
  }
}

function conversationOf({ params }: AdvisedRequest): ConversationKey {
  const key = conversationKeyOf(params.conversation)
  if (key !== undefined) return key
  throw new ConfigurationError(
    'missing-conversation-id',
    'There is a memory, but the request names no conversation.',
  )
}

/** What is remembered of a final outcome: the answer, or everything since the user spoke. */
function said(answer: AdvisedResponse, withTools: boolean): readonly Message[] {
  if (!withTools) return answersOf(answer)
  const spoke = answer.messages.findLastIndex((message) => message.role === 'user')
  return answer.messages.slice(spoke + 1)
}

/** The answer's messages, without calls that will have no result in this memory. */
function answersOf(answer: AdvisedResponse): readonly Message[] {
  const { results } = answer.response
  const open = results.some(
    ({ finishReason }) => finishReason === 'limit' || finishReason === 'stop-condition',
  )
  const messages = results.map((generation) => generation.message)
  return open
    ? messages.map(withoutCalls).filter((message) => message.content.length > 0)
    : messages
}

function withoutCalls(message: AssistantMessage): AssistantMessage {
  if (typeof message.content === 'string') return message
  return { ...message, content: message.content.filter((part) => part.type !== 'tool-call') }
}

/**
 * The same messages; what the model said has the mark of what it had read. That is not all in the memory, or will not
 * stay there, and it may speak by these words.
 */
const readBy = (
  { inside }: InsideRequest,
  { messages: read }: LoopEnd,
): ((said: readonly Message[]) => readonly Message[]) => {
  const mark = labelMet(read, inside?.live.label)
  if (!mark) return (said) => said
  return (said) => said.map((each) => (each.role === 'assistant' ? { ...each, mark } : each))
}

type LoopEnd = Pick<AdvisedResponse, 'messages' | 'rounds'>

/** What no round has passed on: the results of the last calls, and the direct answers made of them. */
function afterLastRound({ messages, rounds }: LoopEnd): readonly Message[] {
  const last = rounds.at(-1)
  const called = messages.findLastIndex((message) => toolCallsOf(message).length > 0)
  return last && hasToolCalls(last) ? messages.slice(called + 1) : []
}
