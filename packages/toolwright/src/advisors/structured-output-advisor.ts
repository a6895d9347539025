/**
 * Holds the final answer to a schema: every round is asked for it, and an answer that does not fit goes
 * back with its issues. Stands inside the loop; rounds that call tools pass. Only the last try belongs to
 * the conversation, all of them to `rounds` and usage.
 */
import { addUsage, type ChatResponse, type Usage } from '../messages/chat-response.ts'
import { hasToolCalls, textOf } from '../messages/reading.ts'
import { describeIssue, type Issue } from '../errors/issue.ts'
import type { Advisor } from '../loop/advisor.ts'
import type { AnswerFormat } from './answer-format.ts'
import { unforced } from '../loop/loop-steps.ts'

export interface StructuredOutputOptions {
  readonly order: number
  /** The run's limit of model calls; asking again counts. */
  readonly rounds: number
}

/** For one run: it asks at most twice more, however many rounds there are. */
export function structuredOutputAdvisor(
  { jsonSchema, check }: AnswerFormat,
  { order, rounds }: StructuredOutputOptions,
): Advisor {
  let triesLeft = 2
  const issuesOf = async (response: ChatResponse): Promise<readonly Issue[]> => {
    const text = textOf(response)
    const { finishReason } = response.results[0]!
    // A model whose answer was filtered or cut would be stopped again.
    const ended = text ? finishReason !== 'content-filter' : finishReason === 'stop'
    if (!ended || hasToolCalls(response)) return []
    const checked = await check(text)
    return checked.ok ? [] : checked.issues
  }
  return {
    name: 'structured-output',
    order,
    async advise(request, next) {
      const said: ChatResponse[] = []
      let usage: Usage = {}
      let { round, prompt } = request
      prompt = { ...prompt, options: { ...prompt.options, outputSchema: jsonSchema } }
      for (;;) {
        const answer = await next({ ...request, round, prompt })
        const { response } = answer
        said.push(...answer.rounds)
        usage = addUsage(usage, response.usage)
        const last = answer.messages.at(-1)!
        const mayAsk = triesLeft > 0 && round < rounds
        const issues = mayAsk ? await request.step('check', () => issuesOf(response)) : []
        if (issues.length === 0)
          return {
            ...answer,
            response: { ...response, usage },
            messages: [...request.prompt.messages, last],
            rounds: said,
          }
        triesLeft--
        round++
        const wrong = issues.map(describeIssue).join('\n')
        const content = `Your answer does not fit:\n${wrong}\nAnswer again with JSON only.`
        prompt = {
          messages: [...prompt.messages, last, { role: 'user', content }],
          options: unforced(prompt.options!),
        }
      }
    },
  }
}
