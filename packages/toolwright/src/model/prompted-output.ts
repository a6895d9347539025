/**
 * Asks for structured output in the prompt, for models that cannot be held to a schema: the schema is added
 * to the last user message of this one request. It never enters the kept conversation.
 */
import type { Message, UserMessage } from '../messages/message.ts'
import type { Prompt } from './chat-model.ts'

export function promptedOutput({ messages, options }: Prompt): Prompt {
  const { outputSchema, ...rest } = options ?? {}
  const text = `\n\nYour final answer must be JSON that fits this schema, and nothing else:\n${JSON.stringify(outputSchema)}`
  const prompted: Message[] = [...messages]
  const last = prompted.findLastIndex((message) => message.role === 'user')
  const at = last < 0 ? prompted.length : last
  const { content, ...message } = (prompted[at] ?? { role: 'user', content: '' }) as UserMessage
  prompted[at] = {
    ...message,
    content: typeof content === 'string' ? content + text : [...content, { type: 'text', text }],
  }
  return { messages: prompted, options: rest }
}
