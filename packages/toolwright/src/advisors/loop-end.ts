/** The ways a loop ends: an answer, direct results, a limit, a suspension. */
import { RunLimitError, type UnfinishedResult } from '../errors/errors.ts'
import type { ChatResponse, Generation } from '../messages/chat-response.ts'
import type { AssistantPart } from '../messages/message.ts'
import type { RunProgress } from '../messages/run-state.ts'
import type { ToolExecutionResult } from '../tool-calling/tool-calling-manager.ts'
import { sealState } from '../tool-calling/suspension.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { Advice, AdvisedRequest, AdvisedResponse } from './advisor.ts'
import type { Loop } from './loop-steps.ts'

export async function endWithAnswer(
  loop: Loop,
  progress: RunProgress,
  answer: AdvisedResponse,
): Promise<AdvisedResponse> {
  const response = { ...answer.response, usage: progress.usage }
  return finish(loop, {
    response: loop.options.streamToolCallResponses ? withEarlierText(response, progress) : response,
    messages: loop.options.conversationHistory === false ? answer.messages : progress.messages,
    rounds: progress.rounds,
  })
}

/** Each result is a generation of its own. */
export async function endWithDirectResults(
  loop: Loop,
  progress: RunProgress,
  batch: ToolExecutionResult,
): Promise<AdvisedResponse> {
  const last = progress.rounds.at(-1)!
  const results = batch.responses.map((response): Generation => ({
    message: { role: 'assistant', content: response.content },
    finishReason: 'return-direct',
    metadata: { callId: response.id, toolName: response.name },
  }))
  const messages = [...progress.messages, ...results.map((generation) => generation.message)]
  return finish(loop, {
    response: { ...last, results, usage: progress.usage },
    messages,
    rounds: progress.rounds,
  })
}

export async function endWithLimit(
  loop: Loop,
  progress: RunProgress,
  limit: string,
): Promise<AdvisedResponse> {
  const text = limitText(loop, limit)
  const last = progress.rounds.at(-1)
  if (!last) throw new RunLimitError(limit, text)
  const response = endedBy(last, progress, { finishReason: 'limit', metadata: { limit } })
  const answer = { response, messages: progress.messages, rounds: progress.rounds }
  if (loop.settings.onLimit !== 'throw') return finish(loop, answer)
  const result: UnfinishedResult = { status: 'limit', ...answer }
  throw new RunLimitError(limit, text, { result })
}

/** How a limit reads in an error. */
export function limitText({ settings }: Pick<Loop, 'settings'>, limit: string): string {
  if (limit === 'stopWhen') return 'stopWhen ended the run before there was an answer.'
  const value = settings.limits[limit as keyof typeof settings.limits]
  return `The run met its limit ${limit} = ${value} before there was an answer.`
}

export async function* suspend(loop: Loop, request: AdvisedRequest, progress: RunProgress): Advice {
  const { runId, round, params } = request
  const state = await sealState(loop.settings, {
    progress: { ...progress, context: request.context },
    runId,
    ...(params.conversation !== undefined && { conversation: params.conversation }),
    tools: (request.prompt.options?.tools ?? []) as readonly ToolCallback[],
  })
  const { pending } = progress
  yield { type: 'suspended', pending, state, runId, round }
  const response = endedBy(progress.rounds.at(-1)!, progress, { finishReason: 'suspended' })
  return { response, messages: progress.messages, rounds: progress.rounds, pending, state }
}

/** The last answer, with why the run stopped there. */
function endedBy(
  last: ChatResponse,
  progress: RunProgress,
  { finishReason, metadata }: Pick<Generation, 'finishReason'> & Partial<Generation>,
): ChatResponse {
  const results = last.results.map((generation) => ({
    ...generation,
    finishReason,
    metadata: { ...generation.metadata, ...metadata },
  }))
  return { ...last, results, usage: progress.usage }
}

async function finish({ options }: Loop, answer: AdvisedResponse): Promise<AdvisedResponse> {
  await options.onLoopEnd?.(answer)
  return answer
}

/** With `streamToolCallResponses`, what was said on the way belongs to the answer. */
function withEarlierText(response: ChatResponse, progress: RunProgress): ChatResponse {
  const [first, ...others] = response.results
  const earlier = progress.rounds.slice(0, -1).flatMap((round) => round.results.flatMap(textParts))
  if (!first || earlier.length === 0) return response
  const own = first.message.content
  const content: readonly AssistantPart[] = [
    ...earlier,
    ...(typeof own === 'string' ? [{ type: 'text' as const, text: own }] : own),
  ]
  return { ...response, results: [{ ...first, message: { ...first.message, content } }, ...others] }
}

function textParts({ message }: Generation): readonly AssistantPart[] {
  if (typeof message.content === 'string')
    return message.content === '' ? [] : [{ type: 'text', text: message.content }]
  return message.content.filter((part) => part.type === 'text')
}
