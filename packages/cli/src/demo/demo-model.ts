/**
 * The demo model: rules instead of a language model, for a first try without a key. It chooses tools by
 * their words, fills their parameters from the sentence, and answers with what they gave. The same
 * conversation always gets the same answer.
 */
import { textOf, toolCallingManager } from 'toolwright'
import type { AssistantPart, ChatEvent, ChatModel, ChatResponse, Clock, Prompt } from 'toolwright'
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
  const answer = async ({ messages, options = {} }: Prompt): Promise<ChatResponse> => {
    const { toolChoice } = options
    const offered = toolChoice === 'none' ? [] : await manager.resolveToolDefinitions(options)
    const forced =
      typeof toolChoice === 'object' && offered.filter(({ name }) => name === toolChoice.tool)
    const step = await nextStep({ messages, tools: forced || offered, clock: clock.now() })
    if (typeof step !== 'string') return responseOf(step)
    const introduced = messages.some(
      (message) => message.role === 'assistant' && textOf(message).includes(INTRODUCTION),
    )
    return responseOf([{ type: 'text', text: introduced ? step : `${INTRODUCTION}\n${step}` }])
  }
  return {
    provider: 'demo',
    model: 'demo',
    capabilities: {},
    options: {},
    async call(prompt, run) {
      run?.signal?.throwIfAborted()
      const response = await answer(prompt)
      run?.signal?.throwIfAborted()
      return response
    },
    async *stream(prompt, run) {
      run?.signal?.throwIfAborted()
      const response = await answer(prompt)
      for (const event of eventsOf(response)) {
        run?.signal?.throwIfAborted()
        yield event
      }
    },
  }
}

const responseOf = (content: readonly AssistantPart[]): ChatResponse => ({
  results: [
    {
      message: { role: 'assistant', content },
      finishReason: content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop',
      metadata: {},
    },
  ],
  usage: {},
  model: 'demo',
  metadata: {},
})

/** Text word by word, calls whole. */
function eventsOf(response: ChatResponse): readonly ChatEvent[] {
  const parts = response.results[0]!.message.content as readonly AssistantPart[]
  const events = parts.flatMap((part): ChatEvent[] => {
    if (part.type === 'text')
      return (part.text.match(/\S+\s*/g) ?? []).map((text) => ({ type: 'text-delta', text }))
    if (part.type !== 'tool-call') return []
    return [
      { type: 'tool-call-start', id: part.id, name: part.name },
      { type: 'tool-call', toolCall: part },
    ]
  })
  return [...events, { type: 'response', response }]
}
