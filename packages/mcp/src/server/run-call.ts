/**
 * One call through the library's own loop: checks, limits, policy, approval, timeouts, labels, observers and durability
 * apply as to a call of a model. There is no other way from a client to a tool.
 */
import {
  ChatClient,
  oneCallModel,
  redact,
  ResumeError,
  ToolwrightError,
  type ChatEvent,
  type ChatRequest,
  type Decisions,
  type ObservedFacts,
  type PendingCall,
  type RunState,
  type ToolResponse,
} from 'toolwright'
import { INVALID_PARAMS, Refusal } from './refusal.ts'
import { stateUsed } from './request-state.ts'
import { servedObserver } from './served-observer.ts'
import type { Principal } from './serve-tools-options.ts'
import type { Serving } from './serving.ts'
import type { ServedTool } from './tool-list.ts'
import type { Answered } from './to-result.ts'

export interface ServedCall {
  readonly tool: ServedTool
  readonly arguments: unknown
  readonly principal: Principal
  readonly signal: AbortSignal
  /** What is told of the request to those who observe its run. */
  readonly facts: ObservedFacts
  onProgress(progress: unknown): void
}

export type Outcome =
  | ({ readonly kind: 'answered' } & Answered)
  | {
      readonly kind: 'waiting'
      readonly pending: readonly PendingCall[]
      readonly state: RunState
    }

export const startCall = (serving: Serving, call: ServedCall): Promise<Outcome> =>
  outcomeOf(clientOf(serving, call).prompt('One call'), call)

export const resumeCall = (
  serving: Serving,
  call: ServedCall,
  { state, decisions }: { readonly state: RunState; readonly decisions: Decisions },
): Promise<Outcome> => outcomeOf(clientOf(serving, call).resume(state, decisions), call)

function clientOf(serving: Serving, call: ServedCall): ChatClient {
  const { tool, arguments: input, principal } = call
  const { callback } = tool
  const { options, runStore } = serving
  const { limits, clock, ids, random, logger, durability, stateSecret } = options
  const observer = servedObserver(options, call.facts)
  const { policy, exceptionProcessor, toolContext } = options
  const model = oneCallModel({
    tool: callback.definition.name,
    arguments: JSON.stringify(input ?? {}),
  })
  const given = { limits, clock, ids, random, observer, logger, durability, stateSecret }
  return ChatClient.create(model, {
    ...defined({ ...given, policy, exceptionProcessor }),
    runStore,
    tools: [callback],
    toolContext: { ...toolContext, ...principal.context },
  })
}

/** Without the options that were not given: a client checks those that are there. */
const defined = <Options extends object>(options: Options): Options =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options

async function outcomeOf(request: ChatRequest, call: ServedCall): Promise<Outcome> {
  const run = request.signal(call.signal).stream()
  try {
    const { answered, notKept } = await readEvents(run, call)
    if (answered) return { kind: 'answered', ...answered }
    const { pending, state } = await run.result()
    if (notKept !== undefined) return failed(call, `This call must wait, but ${notKept}`)
    if (pending && state) return { kind: 'waiting', pending, state }
    return failed(call, 'The call was ended by a limit of this server before it had a result.')
  } catch (thrown) {
    if (call.signal.aborted) throw thrown
    if (thrown instanceof ResumeError) throw refusalOf(thrown)
    // What the program lets through is no failure of the tool: its words stay here.
    if (!ToolwrightError.is(thrown)) throw thrown
    return failed(call, redact(thrown.message))
  }
}

interface Seen {
  answered?: Answered
  notKept?: string
}

/** Results of calls inside belong to the tool that made them. */
async function readEvents(events: AsyncIterable<ChatEvent>, call: ServedCall): Promise<Seen> {
  const seen: Seen = {}
  for await (const event of events) {
    if (event.type === 'tool-progress') call.onProgress(event.progress)
    if (event.type === 'notice' && event.code === 'run-not-saved') seen.notKept = event.message
    if (event.type !== 'tool-result' || event.parentCallId !== undefined) continue
    const { response, value } = event
    seen.answered = { response, value }
  }
  return seen
}

function failed({ tool }: ServedCall, text: string): Outcome {
  const { name } = tool.callback.definition
  const response: ToolResponse = { id: 'call', name, content: text, isError: true }
  return { kind: 'answered', response }
}

/** The store says of a used state only that it is used, not by which caller. */
const refusalOf = ({ code, message }: ResumeError): Refusal =>
  code === 'state-used'
    ? stateUsed()
    : new Refusal(INVALID_PARAMS, `The call cannot go on. ${message}`, { reason: code })
