/**
 * The demo model: rules instead of a language model, for a first try without a key. It chooses tools by
 * their words, fills their parameters from the sentence, and answers with what they gave. The same
 * conversation at the same time always gets the same answer.
 */
import { aggregate, textOf, toolCallingManager } from 'toolwright'
import type {
  AssistantPart,
  ChatEvent,
  ChatModel,
  ChatResponse,
  Clock,
  ModelRun,
  Prompt,
} from 'toolwright'
import { nextStep } from './next-step.ts'

const INTRODUCTION = 'This is the demo model: it follows rules and is not a language model.'

export interface DemoModelOptions {
  /** Tells the time when no tool does. Default: the system's. */
  readonly clock?: Pick<Clock, 'now'>
}

/**
 * @example
 * const answer = await ChatClient.create(demoModel()).prompt('Roll two dice').tools(rollDice).call().content()
 */
export function demoModel({ clock = Date }: DemoModelOptions = {}): ChatModel {
  const manager = toolCallingManager()
  const partsFor = async ({
    messages,
    options = {},
  }: Prompt): Promise<readonly AssistantPart[]> => {
    const { toolChoice } = options
    const offered = toolChoice === 'none' ? [] : await manager.resolveToolDefinitions(options)
    const only =
      typeof toolChoice === 'object' && offered.filter(({ name }) => name === toolChoice.tool)
    const instant = new Date(clock.now())
    const now = { instant, timezone: -instant.getTimezoneOffset() }
    const step = await nextStep({ messages, tools: only || offered, now })
    if (typeof step !== 'string') return step
    const known = messages.some(
      (message) => message.role === 'assistant' && textOf(message).includes(INTRODUCTION),
    )
    return [{ type: 'text', text: known ? step : `${INTRODUCTION}\n${step}` }]
  }
  async function* stream(prompt: Prompt, run?: ModelRun): AsyncGenerator<ChatEvent> {
    run?.signal?.throwIfAborted()
    const parts = await partsFor(prompt)
    const response = responseOf(parts)
    for (const event of [...parts.flatMap(eventsOf), { type: 'response', response } as const]) {
      run?.signal?.throwIfAborted()
      yield event
    }
  }
  return {
    provider: 'demo',
    model: 'demo',
    capabilities: {},
    options: {},
    call: (prompt, run) => aggregate(stream(prompt, run)),
    stream,
  }
}

function responseOf(content: readonly AssistantPart[]): ChatResponse {
  const finishReason = content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop'
  const generation = {
    message: { role: 'assistant', content },
    finishReason,
    metadata: {},
  } as const
  return { results: [generation], usage: {}, model: 'demo', metadata: {} }
}

/** Text word by word, calls whole. */
function eventsOf(part: AssistantPart): readonly ChatEvent[] {
  if (part.type === 'text')
    return (part.text.match(/\S+\s*/g) ?? []).map((text) => ({ type: 'text-delta', text }))
  if (part.type !== 'tool-call') return []
  return [
    { type: 'tool-call-start', id: part.id, name: part.name },
    { type: 'tool-call', toolCall: part },
  ]
}
