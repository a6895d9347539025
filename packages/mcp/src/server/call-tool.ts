/** `tools/call`: the answer, a question that must be answered first, or a task that has them later. */
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server'
import { answerCall, NOTHING_RAN, openState } from './answer-call.ts'
import type { Given } from './ask-client.ts'
import { detachable } from './detachable.ts'
import { takesTasks, withoutTasks, type Peer } from './peer.ts'
import { INVALID_PARAMS, Refusal } from './refusal.ts'
import { reporterOf } from './report.ts'
import type { ServedCall } from './run-call.ts'
import { servedFacts } from './served-observer.ts'
import { listingOf, type Serving } from './serving.ts'
import { taskRuleOf } from './task-rule.ts'
import type { CreatedTask } from './tasks.ts'
import { servedTools, type ServedTool } from './tool-list.ts'
import { errorResult, toResult } from './to-result.ts'

export interface CallRequest {
  readonly name: string
  readonly arguments?: unknown
}

export type CallAnswer = CallToolResult | InputRequiredResult | CreatedTask

export async function callTool(
  serving: Serving,
  request: CallRequest,
  peer: Peer,
): Promise<CallAnswer> {
  const tool = await findTool(serving, request.name, peer)
  const rule = taskRuleOf(serving.options, tool.callback.definition.name)
  if (rule?.required && !takesTasks(peer)) return needsTasks(tool, peer)
  const { signal, isDetached, detach } = detachable(peer.context.mcpReq.signal)
  const call: ServedCall = {
    tool,
    arguments: request.arguments,
    principal: peer.principal,
    signal,
    facts: servedFacts(peer, { 'gen_ai.tool.name': tool.callback.definition.name }),
    onProgress: reporterOf(peer, isDetached),
  }
  const answer = (asPeer: Peer) =>
    answerCall<CallToolResult>(serving, {
      call,
      peer: asPeer,
      answered: (outcome) => toResult(tool, outcome, peer.era),
      refused: errorResult,
    })
  const state = peer.context.mcpReq.requestState<string>()
  // A task that begins at once would hide what is wrong with the state.
  if (state !== undefined) await openState(serving, call, state)
  const leave = serving.gate.enter(peer.principal.id)
  if (!leave) return errorResult(serving.gate.tooMany)
  const answering = answer(peer).finally(leave)
  const isAsking = rule?.asksFirst === true && state === undefined
  if (!rule || isAsking || !takesTasks(peer)) return answering
  return serving.tasks.orTask(answering, {
    afterMs: rule.afterMs,
    principal: peer.principal.id,
    detach,
    again: (state, responses) => answer(answeredPeer(peer, state, responses)),
  })
}

/** The client as if it had repeated its call with these answers. */
function answeredPeer(peer: Peer, state: string, inputResponses: Given): Peer {
  const { context } = peer
  const requestState = (() => state) as typeof context.mcpReq.requestState
  const mcpReq = { ...context.mcpReq, inputResponses, requestState }
  return { ...peer, context: { ...context, mcpReq } }
}

async function findTool(serving: Serving, name: string, peer: Peer): Promise<ServedTool> {
  const { signal } = peer.context.mcpReq
  const tools = peer.tools ?? (await servedTools(serving.sources, listingOf(serving, signal)))
  const tool = tools.get(name)
  if (!tool) throw new Refusal(INVALID_PARAMS, `Unknown tool: ${name.slice(0, 200)}`)
  return tool
}

function needsTasks({ callback }: ServedTool, { era }: Peer): CallToolResult {
  const text = `${NOTHING_RAN} Tool "${callback.definition.name}" takes long: its calls are tasks, and this client does not declare that it takes them.`
  if (era === 'legacy') return errorResult(text)
  throw withoutTasks(text)
}
