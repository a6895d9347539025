/** The ways a loop ends: an answer, direct results, a limit, a suspension. */
import { RunLimitError } from '../errors/errors.ts'
import type { ChatResponse, Generation } from '../messages/chat-response.ts'
import type { AssistantPart } from '../messages/message.ts'
import { textOf } from '../messages/reading.ts'
import type { RunProgress } from '../messages/run-state.ts'
import { loadSuspension } from '../on-demand.ts'
import type { ToolExecutionResult } from '../tool-calling/tool-calling-manager.ts'
import type { Prompt } from '../model/chat-model.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { AdvisedRequest, AdvisedResponse } from './advisor.ts'
import type { Loop } from './loop-steps.ts'

export async function endWithAnswer(
  loop: Loop,
  progress: RunProgress,
  { response, messages }: AdvisedResponse,
): Promise<AdvisedResponse> {
  const { streamToolCallResponses, conversationHistory } = loop.options
  const said = streamToolCallResponses ? withEarlierText(response, progress) : response
  const ended = endedWith(progress, said)
  return finish(loop, conversationHistory === false ? { ...ended, messages } : ended)
}

/** Each result is a generation of its own. */
export async function endWithDirectResults(
  loop: Loop,
  progress: RunProgress,
  { responses }: ToolExecutionResult,
): Promise<AdvisedResponse> {
  const results = responses.map((response): Generation => ({
    message: { role: 'assistant', content: response.content },
    finishReason: 'return-direct',
    metadata: { callId: response.id, toolName: response.name },
  }))
  const messages = [...progress.messages, ...results.map((generation) => generation.message)]
  return finish(loop, endedWith({ ...progress, messages }, { ...lastOf(progress), results }))
}

export async function endWithLimit(
  loop: Loop,
  progress: RunProgress,
  limit: string,
): Promise<AdvisedResponse> {
  const text = limitText(loop, limit)
  if (progress.rounds.length === 0) throw new RunLimitError(limit, text)
  const answer = endedBy('limit', progress, { limit })
  // `stopWhen` is the program's own wish, never an error.
  if (loop.settings.onLimit !== 'throw' || limit === 'stopWhen') return finish(loop, answer)
  throw new RunLimitError(limit, text, { result: { status: 'limit', ...answer } })
}

/** How a limit reads in an error. */
export function limitText({ settings }: Pick<Loop, 'settings'>, limit: string): string {
  const value = settings.limits[limit as keyof typeof settings.limits]
  const which = value === undefined ? limit : `its limit ${limit} = ${value}`
  return `The run was ended by ${which} before there was an answer.`
}

export async function suspend(
  loop: Loop,
  request: AdvisedRequest,
  progress: RunProgress,
): Promise<AdvisedResponse> {
  const { runId, round, params, context, prompt, emit } = request
  const { sealState } = await loadSuspension()
  const state = await sealState(loop.settings, {
    progress: { ...progress, context },
    runId,
    conversation: params.conversation,
    // A resuming client can only show the tools it offers itself; a hook adds its own again.
    tools: offeredIn(prompt).filter((tool) => offeredIn(loop.given.prompt).includes(tool)),
  })
  const { pending } = progress
  emit({ type: 'suspended', pending, state, runId, round })
  return { ...endedBy('suspended', progress), pending, state }
}

const offeredIn = ({ options }: Prompt): readonly ToolCallback[] =>
  (options?.tools ?? []) as readonly ToolCallback[]

const lastOf = (progress: RunProgress): ChatResponse => progress.rounds.at(-1)!

function endedWith(progress: RunProgress, response: ChatResponse): AdvisedResponse {
  const { messages, rounds, usage } = progress
  return { response: { ...response, usage }, messages, rounds }
}

/** The last answer, with why the run stopped there. */
function endedBy(
  finishReason: Generation['finishReason'],
  progress: RunProgress,
  why: Generation['metadata'] = {},
): AdvisedResponse {
  const last = lastOf(progress)
  const results = last.results.map((generation) => ({
    ...generation,
    finishReason,
    metadata: { ...generation.metadata, ...why },
  }))
  return endedWith(progress, { ...last, results })
}

async function finish({ options }: Loop, answer: AdvisedResponse): Promise<AdvisedResponse> {
  await options.onLoopEnd?.(answer)
  return answer
}

/** With `streamToolCallResponses`, what was said on the way belongs to the answer. */
function withEarlierText(response: ChatResponse, progress: RunProgress): ChatResponse {
  const [first, ...others] = response.results
  const earlier = progress.rounds.slice(0, -1).map(textOf).join('')
  if (!first || earlier === '') return response
  const { message } = first
  const own: readonly AssistantPart[] =
    typeof message.content === 'string'
      ? [{ type: 'text', text: message.content }]
      : message.content
  const content: readonly AssistantPart[] = [{ type: 'text', text: earlier }, ...own]
  return { ...response, results: [{ ...first, message: { ...message, content } }, ...others] }
}
