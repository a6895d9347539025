/**
 * Names of tools on their way to the model and back. The bridge cannot know what the provider behind the model
 * takes, so it keeps to what all take, and writes other names as the adapters of toolwright do.
 */
import { toolCallsOf, toWireName, type Message, type ToolNameRule } from 'toolwright'
import type { Received } from './received.ts'
import type { Question } from './to-call-options.ts'

/** Gemini wants a letter or an underscore first; OpenAI takes no dots, and 64 characters. */
const RULE: ToolNameRule = { pattern: /^[A-Za-z_][\w-]*$/, maxLength: 64 }

const sent = (name: string): string => toWireName(RULE, name)

/** A tool's own name, by the name it was sent under. One that was not sent stays as it is. */
export type OwnName = (sentName: string) => string

/** The question with the names that are sent. */
export function withSentNames(question: Question): Question {
  const { messages, options, tools } = question
  const { toolChoice } = options
  return {
    messages: messages.map(sentMessage),
    options:
      typeof toolChoice === 'object'
        ? { ...options, toolChoice: { tool: sent(toolChoice.tool) } }
        : options,
    tools: tools.map((tool) => ({ ...tool, name: sent(tool.name) })),
  }
}

/** Models also call what they called before, though it is not offered any more. */
export function ownNames({ messages, tools }: Question): OwnName {
  const names = [...messages.flatMap(namesIn), ...tools.map(({ name }) => name)]
  const changed = names.filter((name) => sent(name) !== name)
  const own = new Map(changed.map((name) => [sent(name), name]))
  return (name) => own.get(name) ?? name
}

const CALLS: ReadonlySet<unknown> = new Set(['tool-call', 'tool-input-start'])

/** A part of an answer with the tool's own name. What the provider ran itself keeps the provider's names. */
export function withOwnName(part: Received, ownName: OwnName): Received {
  const { type, toolName, providerExecuted } = part
  if (!CALLS.has(type) || typeof toolName !== 'string' || providerExecuted) return part
  return { ...part, toolName: ownName(toolName) }
}

function namesIn(message: Message): readonly string[] {
  const named = message.role === 'tool' ? message.responses : toolCallsOf(message)
  return named.map(({ name }) => name)
}

function sentMessage(message: Message): Message {
  if (message.role === 'tool') return { ...message, responses: message.responses.map(renamed) }
  if (message.role !== 'assistant' || typeof message.content === 'string') return message
  const content = message.content.map((part) => (part.type === 'tool-call' ? renamed(part) : part))
  return { ...message, content }
}

const renamed = <Named extends { readonly name: string }>(item: Named): Named => ({
  ...item,
  name: sent(item.name),
})
