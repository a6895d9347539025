/** How a loop ends when the model answered. The other endings are in early-endings.ts. */
import type { ChatResponse } from '../messages/chat-response.ts'
import type { AssistantPart } from '../messages/message.ts'
import { textOf } from '../messages/reading.ts'
import type { RunProgress } from '../messages/run-state.ts'
import type { AdvisedResponse } from './advisor.ts'
import type { Loop } from './loop-steps.ts'

export async function endWithAnswer(
  loop: Loop,
  progress: RunProgress,
  { response, messages }: AdvisedResponse,
): Promise<AdvisedResponse> {
  const { streamToolCallResponses, conversationHistory } = loop.options
  const whole = streamToolCallResponses
    ? withEarlierText(response, progress.rounds.slice(0, -1))
    : response
  const ended = endedWith(progress, whole)
  return finishLoop(loop, conversationHistory === false ? { ...ended, messages } : ended)
}

export function endedWith(progress: RunProgress, response: ChatResponse): AdvisedResponse {
  const { messages, rounds, usage } = progress
  return { response: { ...response, usage }, messages, rounds }
}

export async function finishLoop(
  { options }: Loop,
  answer: AdvisedResponse,
): Promise<AdvisedResponse> {
  await options.onLoopEnd?.(answer)
  return answer
}

/** With `streamToolCallResponses`, the text of earlier rounds belongs to the answer. */
export function withEarlierText(
  response: ChatResponse,
  rounds: readonly ChatResponse[],
): ChatResponse {
  const [first, ...others] = response.results
  const earlier = textOfRounds(rounds)
  if (!first || earlier === '') return response
  const { message } = first
  const own: readonly AssistantPart[] =
    typeof message.content === 'string'
      ? [{ type: 'text', text: message.content }]
      : message.content
  const text = textOf(response) === '' ? earlier : `${earlier}\n\n`
  const content: readonly AssistantPart[] = [{ type: 'text', text }, ...own]
  return { ...response, results: [{ ...first, message: { ...message, content } }, ...others] }
}

/** What was said in these rounds, a blank line between two that said something. */
export const textOfRounds = (rounds: readonly ChatResponse[]): string =>
  rounds
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n\n')
