/** A conversation as its turns: what the user asked, what the model said to it, and what the tools gave. */
import {
  redact,
  toolCallsOf,
  type AssistantMessage,
  type Message,
  type ToolResponse,
  type UserMessage,
} from 'toolwright'

export interface Turn {
  /** Without secrets: it is written into the test. */
  readonly user: UserMessage
  /** In order; the last is the answer. */
  readonly said: readonly AssistantMessage[]
  /** Without secrets: decisions are made of them, which are written into the test. */
  readonly responses: readonly ToolResponse[]
}

export interface Turns {
  readonly system: string | undefined
  readonly turns: readonly Turn[]
  /** Questions without an answer, which are left out. */
  readonly unanswered: number
}

export function turnsOf(messages: readonly Message[]): Turns {
  const system = messages.find((each) => each.role === 'system')?.content
  const starts = messages.flatMap(({ role }, at) => (role === 'user' ? [at] : []))
  const turns = starts.map((start, index) => turnOf(messages.slice(start, starts[index + 1])))
  const answered = turns.filter(isAnswered)
  return {
    system: system === undefined ? undefined : redact(system),
    turns: answered,
    unanswered: turns.length - answered.length,
  }
}

function turnOf([user, ...rest]: readonly Message[]): Turn {
  return {
    user: { role: 'user', content: withoutSecrets((user as UserMessage).content) },
    said: rest.filter((each) => each.role === 'assistant'),
    responses: rest
      .flatMap((each) => (each.role === 'tool' ? each.responses : []))
      .map((each) => ({ ...each, content: withoutSecrets(each.content) })),
  }
}

function withoutSecrets<Part extends { readonly type: string }>(
  content: string | readonly Part[],
): string | readonly Part[] {
  if (typeof content === 'string') return redact(content)
  return content.map((part) => {
    const { type, text } = part as { readonly type: string; readonly text?: unknown }
    return type === 'text' && typeof text === 'string' ? { ...part, text: redact(text) } : part
  })
}

/** The last word is the model's, and it does not wait for tools. */
function isAnswered({ said, responses }: Turn): boolean {
  const last = said.at(-1)
  if (!last) return false
  const given = new Set(responses.map(({ id }) => id))
  return toolCallsOf(last).every(({ id }) => given.has(id))
}
