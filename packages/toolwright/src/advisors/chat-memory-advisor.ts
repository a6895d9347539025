/**
 * Remembers a conversation. Outside the loop (default) it stores the user's message and the answer;
 * inside, where every round passes, every step. A resumed run never stores its user message again.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import type { AssistantMessage, Message } from '../messages/message.ts'
import type { ChatMemory, ConversationKey } from '../memory/chat-memory.ts'
import {
  advisor,
  ORDER,
  type AdvisedRequest,
  type AdvisedResponse,
  type Advisor,
} from './advisor.ts'

export interface ChatMemoryAdvisorOptions {
  /** Default `ORDER.memory`: outside the loop. Above the tool-calling advisor's: inside. */
  readonly order?: number
  /** Outside the loop: store tool calls and their results too. Default false. */
  readonly storeToolExchange?: boolean
}

export interface MemoryAdvisor extends Advisor {
  /** Marks a memory: inside the loop it takes over the loop's own history. */
  readonly memory: ChatMemory
}

export function chatMemoryAdvisor(
  memory: ChatMemory,
  options: ChatMemoryAdvisorOptions = {},
): MemoryAdvisor {
  checkOptions('chatMemoryAdvisor()', options, ['order', 'storeToolExchange'])
  const { order = ORDER.memory, storeToolExchange = false } = options
  const remembering = advisor({
    name: 'memory',
    order,
    async before(request) {
      const key = conversationOf(request)
      if (request.phase === 'resume') return
      const { messages } = request.prompt
      const fresh = newMessages(messages)
      const remembered = await request.step('get', async () => [...(await memory.get(key))])
      if (fresh.length > 0) await request.step('add', () => added(memory, key, fresh))
      return {
        ...request,
        prompt: { ...request.prompt, messages: withMemory(remembered, messages) },
      }
    },
    async after(answer, request) {
      const messages = storeToolExchange ? exchangeOf(answer) : answersOf(answer)
      if (messages.length > 0)
        await request.step('add-answer', () => added(memory, conversationOf(request), messages))
    },
  })
  return { ...remembering, memory }
}

async function added(
  memory: ChatMemory,
  key: ConversationKey,
  messages: readonly Message[],
): Promise<null> {
  await memory.add(key, messages)
  return null
}

function conversationOf(request: AdvisedRequest): ConversationKey {
  const { conversation } = request.params
  if (typeof conversation === 'string' && conversation !== '') return conversation
  if (typeof conversation === 'object' && conversation !== null && 'tenant' in conversation) {
    return conversation as unknown as ConversationKey
  }
  throw new ConfigurationError(
    'missing-conversation-id',
    'There is a memory, but the request names no conversation.',
  )
}

/** What this request adds: everything after the last answer, but for system messages. */
function newMessages(messages: readonly Message[]): readonly Message[] {
  const answered = messages.findLastIndex((message) => message.role === 'assistant')
  return messages.slice(answered + 1).filter((message) => message.role !== 'system')
}

/** System first, then what was, then what is; nothing twice. */
function withMemory(
  remembered: readonly Message[],
  messages: readonly Message[],
): readonly Message[] {
  const present = new Set(messages.map((message) => JSON.stringify(message)))
  if (remembered.every((message) => present.has(JSON.stringify(message)))) return messages
  const system = messages.filter((message) => message.role === 'system')
  const rest = messages.filter((message) => message.role !== 'system')
  const earlier =
    system.length > 0 ? remembered.filter((message) => message.role !== 'system') : remembered
  return [...system, ...earlier, ...rest]
}

/** The answer's messages; calls that nobody will answer in this memory are left out. */
function answersOf(answer: AdvisedResponse): readonly Message[] {
  const { results } = answer.response
  const open = results.some((generation) => generation.finishReason === 'limit')
  const messages = results.map((generation) => generation.message)
  return open
    ? messages.map(withoutCalls).filter((message) => message.content.length > 0)
    : messages
}

function withoutCalls(message: AssistantMessage): AssistantMessage {
  if (typeof message.content === 'string') return message
  return { ...message, content: message.content.filter((part) => part.type !== 'tool-call') }
}

/** Everything since the user spoke. */
function exchangeOf(answer: AdvisedResponse): readonly Message[] {
  const spoke = answer.messages.findLastIndex((message) => message.role === 'user')
  return answer.messages.slice(spoke + 1)
}
