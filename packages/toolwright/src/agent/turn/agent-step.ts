/**
 * One turn: the context and the composed schema go to the model, its answer comes back as what a loop
 * understands: tool calls, or a final answer. Stands between the loop and the model, so that the one loop,
 * its limits, memory, suspension and events serve agents too. Decision 0019.
 */
import { ORDER, type Advisor } from '../../loop/advisor.ts'
import { jsonIn, type AnswerFormat } from '../../advisors/answer-format.ts'
import { structuredOutputAdvisor } from '../../advisors/structured-output-advisor.ts'
import { ModelResponseError } from '../../errors/errors.ts'
import { notice } from '../../errors/notices.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { AssistantPart, Message, ToolCall } from '../../messages/message.ts'
import { textOf } from '../../messages/reading.ts'
import { describeIssue } from '../../errors/issue.ts'
import { describeValue } from '../../schema/describe-value.ts'
import type { ChatOptions } from '../../model/chat-model.ts'
import { refusedError } from '../../loop/refused-error.ts'
import type { AgentNotice, Meta } from '../agent-message.ts'
import type { AgentSession } from '../session/agent-session.ts'
import type { Composed } from '../compose/composed.ts'
import { offerData } from '../compose/offer-data.ts'
import {
  emitCalls,
  emitNotices,
  normalCalls,
  toolCallsFor,
  type NormalCalls,
} from './answer-calls.ts'
import { instructionsFor } from './instructions.ts'
import { readSolution, type ReadSolution } from './read-solution.ts'
import { renderContext } from '../context/render-context.ts'

export interface AgentStepOptions {
  /** Model requests that may be made; asking again counts. */
  readonly maxTurns: number
  /** Whether the calls must fit as they are; a loop reports each one that does not by itself. */
  readonly checkCalls: boolean
  /** How much of what a call gave the model is shown. */
  readonly resultBytes: number
}

export function agentStep(session: AgentSession, options: AgentStepOptions): Advisor {
  const noticed = new Set<Composed['notices']>()
  return {
    name: 'agent',
    order: ORDER.structuredOutput,
    async advise(request, next) {
      const { prompt } = request
      const mayCall = prompt.options?.toolChoice !== 'none'
      const composed = shownComposition(session, session.compose(mayCall))
      if (!noticed.has(composed.notices)) emitNotices(request, composed.notices)
      noticed.add(composed.notices)

      const format = solutionFormat(session, composed, options)
      const correcting = structuredOutputAdvisor(format, { order: 0, rounds: options.maxTurns })
      const messages = promptMessages(session, composed, options.resultBytes)
      const asked = { ...request, prompt: { messages, options: withoutTools(prompt.options) } }
      const answer = await correcting.advise(asked, next)

      const read = await format.read(textOf(answer.response))
      // Calls of an answer that was filtered are refused one by one, and the model is asked again.
      if (isFiltered(answer.response) && !(read.ok && read.solution.calls.length > 0))
        throw refusedError(answer.response)
      if (!read.ok) throw unfit(read, answer.response)
      const { calls, notices } = taken(session, composed, read)
      emitNotices(request, notices)
      const toolCalls = toolCallsFor(calls, request.round)
      emitCalls(request, toolCalls)
      const response = answeredWith(answer.response, toolCalls, read)
      return { ...answer, response, messages: [...prompt.messages, response.results[0]!.message] }
    },
  }
}

/** What the model sees: where the instructions speak of data, its schema must let it use data. */
function shownComposition({ settings, store }: AgentSession, composed: Composed): Composed {
  const { config, composition } = settings
  const { strict = false } = composition
  const isHeld = strict || config.model.capabilities?.structuredOutput === true
  const isOffered = store.kinds.length > 0 || config.resultsWithoutPath === 'forget'
  return isOffered ? offerData(composed, { isHeld, strict }) : composed
}

/** Tools are in the schema, and so is the choice among them. */
function withoutTools(options: ChatOptions = {}): ChatOptions {
  const { toolChoice: _choice, parallelToolCalls: _parallel, ...rest } = options
  return { ...rest, tools: [] }
}

/** Takes an answer into the session's record; its calls as they are to be run. */
function taken(
  session: AgentSession,
  composed: Composed,
  { solution, raw }: FitSolution,
): NormalCalls {
  const { meta } = solution
  const { calls, notices } = normalCalls(composed, solution.calls)
  Object.assign(session.record, { meta, output: raw })
  session.record.calls.push(...calls)
  return { calls, notices: [...versionNotices(session, meta), ...notices] }
}

type FitSolution = ReadSolution & { readonly ok: true }

interface SolutionFormat extends AnswerFormat {
  read(text: string): Promise<ReadSolution>
}

function solutionFormat(
  session: AgentSession,
  composed: Composed,
  { checkCalls }: AgentStepOptions,
): SolutionFormat {
  const { output } = session.settings
  const read = async (text: string): Promise<ReadSolution> => {
    const json = jsonIn(text)
    if (json.ok) return readSolution(composed, json.value, { output, calls: checkCalls })
    const issue = {
      path: '$',
      expected: 'JSON',
      received: describeValue(text),
      message: json.problem,
    }
    return { ok: false, issues: [issue] }
  }
  return {
    jsonSchema: composed.sent,
    read,
    async check(text) {
      const result = await read(text)
      return result.ok ? { ok: true, value: result.solution } : result
    },
  }
}

/** What the model is sent: how to answer, what stood before, and the context as it is now. */
function promptMessages(
  session: AgentSession,
  composed: Composed,
  resultBytes: number,
): readonly Message[] {
  const { config } = session.settings
  const { resultsWithoutPath = 'append' } = config
  const hasData = session.store.kinds.length > 0
  const content = config.instructions ?? instructionsFor(composed, { hasData, resultsWithoutPath })
  return [
    { role: 'system', content },
    ...(session.record.before ?? []),
    ...renderContext(session.entries, resultBytes),
  ]
}

/** The model should raise the version; if it did not, that is only a notice. */
function versionNotices({ entries }: AgentSession, { version }: Meta): readonly AgentNotice[] {
  const previous = entries.findLast((entry) => entry.type === 'meta')?.meta.version
  if (previous === undefined || previous !== version) return []
  return [notice('agent-version', `The model left the version at "${previous}".`, { version })]
}

/** The model's answer as if it had called tools natively; its text is the output alone. */
function answeredWith(
  response: ChatResponse,
  toolCalls: readonly ToolCall[],
  { raw }: FitSolution,
): ChatResponse {
  const [generation] = response.results
  const { message, finishReason } = generation!
  const others: readonly AssistantPart[] =
    typeof message.content === 'string' ? [] : message.content.filter(({ type }) => type !== 'text')
  const text = raw === null ? (toolCalls.length === 0 ? textOf(message) : '') : JSON.stringify(raw)
  const textParts: readonly AssistantPart[] = text === '' ? [] : [{ type: 'text', text }]
  const content = [...others.filter(({ type }) => type !== 'tool-call'), ...textParts, ...toolCalls]
  const isCut = finishReason === 'length' || finishReason === 'content-filter'
  const reason = toolCalls.length > 0 && !isCut ? 'tool-calls' : finishReason
  return {
    ...response,
    results: [{ ...generation!, message: { ...message, content }, finishReason: reason }],
  }
}

const isFiltered = ({ results }: ChatResponse): boolean =>
  results[0]?.finishReason === 'content-filter'

function unfit(
  { issues }: ReadSolution & { readonly ok: false },
  response: ChatResponse,
): ModelResponseError {
  const problems = issues.map(describeIssue).join('; ')
  const partial = textOf(response)
  return new ModelResponseError('invalid-answer', `The answer does not fit: ${problems}.`, {
    partial,
    issues,
  })
}
