/** Calls that a program gives: checked, brought into normal form, and answered with in place of a model. */
import { AgentError } from '../../errors/errors.ts'
import { ORDER, type Advisor } from '../../loop/advisor.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { AssistantMessage } from '../../messages/message.ts'
import { describeValue } from '../../schema/describe-value.ts'
import { isObject } from '../../schema/json-object.ts'
import type { Call } from '../agent-message.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { emitCalls, emitNotices, normalCalls, toolCallsFor } from '../turn/answer-calls.ts'

/** Copies the calls as JSON, which is what a model would have written. */
export function checkedCalls(calls: readonly Call[]): readonly Call[] {
  if (!Array.isArray(calls)) throw callsError(`are ${describeValue(calls)}, not a list`)
  return calls.map((call: unknown, index) => {
    if (!isObject(call) || typeof call._tool !== 'string')
      throw callsError(`[${index}] is ${describeValue(call)}; a call is an object with _tool`)
    try {
      return JSON.parse(JSON.stringify(call)) as Call
    } catch (cause) {
      throw callsError(`[${index}] has no JSON form`, cause)
    }
  })
}

const callsError = (problem: string, cause?: unknown): AgentError =>
  new AgentError('agent-calls', `The calls of runCalls() ${problem}.`, { cause })

/** Answers a request with the calls. The model is not asked. */
export function givenCalls(session: AgentSession, given: readonly Call[]): Advisor {
  return {
    name: 'given-calls',
    order: ORDER.last,
    async advise(request) {
      const { calls, notices } = normalCalls(session.compose(), given)
      session.record.calls.push(...calls)
      emitNotices(request, notices)
      const toolCalls = toolCallsFor(calls, request.round)
      emitCalls(request, toolCalls)
      const message: AssistantMessage = { role: 'assistant', content: toolCalls }
      const response: ChatResponse = {
        results: [{ message, finishReason: 'tool-calls', metadata: {} }],
        usage: {},
        metadata: {},
      }
      return { response, messages: [...request.prompt.messages, message], rounds: [response] }
    },
  }
}
