/**
 * Asks by words for what a model cannot be held to: the schema goes to the end of the last user message,
 * in this one request only. Whoever keeps the conversation never sees it.
 */
import type { Message, UserMessage } from '../messages/message.ts'
import type { Prompt } from './chat-model.ts'

export function promptedOutput({ messages, options }: Prompt): Prompt {
  const { outputSchema, ...rest } = options ?? {}
  const text = `\n\nYour final answer must be JSON that fits this schema, and nothing else:\n${JSON.stringify(outputSchema)}`
  const asked: Message[] = [...messages]
  const last = asked.findLastIndex((message) => message.role === 'user')
  const at = last < 0 ? asked.length : last
  const { content, ...message } = (asked[at] ?? { role: 'user', content: '' }) as UserMessage
  asked[at] = {
    ...message,
    content: typeof content === 'string' ? content + text : [...content, { type: 'text', text }],
  }
  return { messages: asked, options: rest }
}
