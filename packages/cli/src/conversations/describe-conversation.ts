/** Conversations as people read them: a line for each, or message by message. */
import type { ListedConversation } from '@toolwright/sql'
import type { AssistantPart, ConversationKey, Message, ToolResponse } from 'toolwright'
import { ARGUMENTS_SHOWN, inWords, partInWords, RESULT_SHOWN } from '../chat/in-words.ts'
import { cut, printable } from '../terminal/printable.ts'
import type { BlockOptions, Screen } from '../terminal/screen.ts'

/** The command's own have no tenant. */
export const idOf = (key: ConversationKey): string =>
  typeof key === 'string' ? key : `${key.tenant}/${key.conversation}`

/** `2025-11-16 17:49    12  trip`: when it changed last, how many messages it has, its id. */
export function describeConversations(conversations: readonly ListedConversation[]): string {
  const counts = conversations.map(({ messages }) => messages.toLocaleString('en-US'))
  const width = Math.max(0, ...counts.map(({ length }) => length))
  return conversations
    .map(({ key, changedAt }, index) => {
      const count = counts[index]!.padStart(width)
      return `${localTime(changedAt)}  ${count}  ${oneLine(idOf(key))}\n`
    })
    .join('')
}

/** An id may have any characters. */
export const oneLine = (id: string): string => printable(id).replaceAll('\n', '\u240a')

/** Sweden writes dates as ISO does. */
const localTime = (time: number): string => new Date(time).toLocaleString('sv-SE').slice(0, 16)

export interface Described extends BlockOptions {
  readonly text: string
}

export interface DescribeOptions {
  readonly screen: Pick<Screen, 'styles'>
  /** Whether long arguments and results are cut. */
  readonly isCut: boolean
}

/** Who, then what: texts as they are, calls and results as `chat` shows them. */
export function describeMessage(
  message: Message,
  { screen: { styles }, isCut }: DescribeOptions,
): readonly Described[] {
  const shortened = isCut ? cut : (text: string): string => text
  return [{ text: message.role, style: styles.bold }, ...contents().map(indented)]

  function contents(): readonly Described[] {
    if (message.role === 'tool') return message.responses.map(response)
    const { content } = message
    return typeof content === 'string' ? [{ text: content }] : content.map(part)
  }

  function part(it: AssistantPart): Described {
    if (it.type === 'tool-call') {
      const text = `→ ${it.name} ${shortened(it.arguments, ARGUMENTS_SHOWN)}`
      return { text, style: styles.cyan }
    }
    const text = partInWords(it)
    if (it.type !== 'reasoning') return { text }
    return { text: shortened(text, RESULT_SHOWN), style: styles.dim }
  }

  function response({ name, content, isError }: ToolResponse): Described {
    const text = `${isError ? '✗' : '←'} ${name}: ${shortened(inWords(content), RESULT_SHOWN)}`
    return { text, style: isError ? styles.red : styles.dim }
  }
}

const indented = (described: Described): Described => ({ ...described, indent: '  ' })
