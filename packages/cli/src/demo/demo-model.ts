/**
 * The demo model: rules instead of a language model, for a first try without a key. It chooses tools by
 * their words, fills their parameters from the sentence, and answers with their results; where it is offered programs
 * only, it writes one that makes the same calls. The same
 * conversation at the same time always gets the same answer.
 */
import { aggregate, textOf, toolCallingManager } from 'toolwright'
import type { AssistantPart, ChatEvent, ChatModel, Clock, ModelRun, Prompt } from 'toolwright'
import { programDesk, programOf, unfolded } from './demo-program.ts'
import { nextStep } from './next-step.ts'

const INTRODUCTION = 'This is the demo model: it follows rules and is not a language model.'

export interface DemoModelOptions {
  /** The clock for relative dates when no tool tells the time. Default: the system's. */
  readonly clock?: Pick<Clock, 'now'>
}

/**
 * @example
 * const answer = await ChatClient.create(demoModel()).prompt('Roll two dice').tools(rollDice).call().content()
 */
export function demoModel({ clock = Date }: DemoModelOptions = {}): ChatModel {
  async function contentFor({ messages, options = {} }: Prompt): Promise<readonly AssistantPart[]> {
    const offered = await toolCallingManager().resolveToolDefinitions(options)
    const tools = options.toolChoice === 'none' ? [] : offered
    const now = new Date(clock.now())
    const desk = await programDesk(tools, options.tools)
    const step = await (desk
      ? nextStep(unfolded(messages, desk), desk.tools, now)
      : nextStep(messages, tools, now))
    if (typeof step !== 'string') return desk ? programOf(step, desk) : step
    const isKnown = messages.some((each) => textOf(each).includes(INTRODUCTION))
    return [{ type: 'text', text: isKnown ? step : `${INTRODUCTION}\n${step}` }]
  }
  async function* stream(prompt: Prompt, run?: ModelRun): AsyncGenerator<ChatEvent> {
    const content = await contentFor(prompt)
    const finishReason = content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop'
    const message = { role: 'assistant', content } as const
    const results = [{ message, finishReason, metadata: {} } as const]
    const response = { results, usage: {}, model: 'demo', metadata: {} }
    for (const event of [...content.flatMap(eventsOf), { type: 'response', response } as const]) {
      run?.signal?.throwIfAborted()
      yield event
    }
  }
  const call: ChatModel['call'] = (prompt, run) => aggregate(stream(prompt, run))
  return { provider: 'demo', model: 'demo', capabilities: {}, options: {}, call, stream }
}

/** Streams text word by word, and calls as a whole. */
function eventsOf(part: AssistantPart): readonly ChatEvent[] {
  if (part.type === 'tool-call') return [{ type: 'tool-call', toolCall: part }]
  const words = part.type === 'text' ? part.text.match(/\S+\s*/g) : []
  return (words ?? []).map((text) => ({ type: 'text-delta', text }))
}
