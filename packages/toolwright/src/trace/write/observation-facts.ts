/**
 * What a trace keeps of observations. Written out field by field: a new one stays out of files until it is added
 * here, as a fact or as content.
 */
import { addUsage, type ChatResponse } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type {
  AnswerOutcome,
  ClientInfo,
  ModelInfo,
  ObservationInfo,
  ObservationOutcome,
  ToolInfo,
  ToolOutcome,
} from '../../observation/observer.ts'
import { NOT_OFFERED, type EndFacts, type StartFacts } from '../trace-line.ts'
import { contentOf } from '../../observation/content-of.ts'
import { failureOf } from './failure-of.ts'

/** `offered`: the tools of the client around it, which are not said again. */
export function startFacts(
  info: ObservationInfo,
  content: boolean,
  offered?: readonly string[],
): StartFacts {
  const { kind, name, runId } = info
  const facts = { kind, name, ...(runId !== undefined && { runId }) }
  switch (info.kind) {
    case 'client':
      return { ...facts, ...clientFacts(info) }
    case 'model':
      return { ...facts, ...modelFacts(info, content, offered) }
    case 'tool':
      return { ...facts, ...toolFacts(info, content) }
    case 'advisor':
      return { ...facts, order: info.order }
    case 'round':
      return { ...facts, round: info.round }
  }
}

function clientFacts({ mode, phase, provider, conversation, toolNames }: ClientInfo) {
  const named = conversation === undefined ? undefined : contentOf(conversation)
  return { mode, phase, provider, toolNames, ...(named !== undefined && { conversation: named }) }
}

function modelFacts(info: ModelInfo, content: boolean, offered?: readonly string[]) {
  const { mode, provider, round, toolNames } = info
  const isSame =
    offered?.length === toolNames.length &&
    toolNames.every((name, index) => name === offered[index])
  return {
    mode,
    provider,
    round,
    ...(!isSame && { toolNames }),
    options: optionsOf(info, content),
  }
}

/** Settings that hold no words of a program or a person. */
const PLAIN_OPTIONS = [
  'model',
  'temperature',
  'topP',
  'topK',
  'maxTokens',
  'seed',
  'toolChoice',
  'parallelToolCalls',
] as const

function optionsOf({ options }: ModelInfo, content: boolean): JsonObject {
  // The loop always sets this one.
  const { internalToolExecution: _own, ...given } = options
  const kept = content
    ? given
    : Object.fromEntries(PLAIN_OPTIONS.map((name) => [name, given[name]]))
  return (contentOf(kept) ?? {}) as JsonObject
}

function toolFacts({ callId, definition, edited, arguments: text }: ToolInfo, content: boolean) {
  const isOffered = definition !== undefined
  return {
    callId,
    isOffered,
    ...(!isOffered && !content && { name: NOT_OFFERED }),
    ...(edited && { edited }),
    ...(text !== undefined && content && { arguments: contentOf(text) as string }),
  }
}

export function endFacts(outcome: ObservationOutcome, content: boolean): EndFacts {
  const { failed, error } = outcome
  return {
    ...(failed && { failed }),
    ...(error !== undefined && { error: failureOf(error, content) }),
    ...(outcome.kind === 'tool' ? callFacts(outcome, content) : answerFacts(outcome, content)),
  }
}

function callFacts({ refused, refusal, suspended, result }: ToolOutcome, content: boolean) {
  return {
    ...(refused && { refused: true as const }),
    ...(refusal !== undefined && { refusal }),
    ...(suspended && { suspended: true as const }),
    ...(content && result !== undefined && { result: contentOf(result) as Json }),
  }
}

function answerFacts(outcome: AnswerOutcome, content: boolean) {
  const { kind, finishReason, usage, rounds, model, responseId, response } = outcome
  // What an advisor answers is what the model or the client does.
  const isKept = content && (kind === 'client' || kind === 'model')
  return {
    ...(finishReason !== undefined && { finishReason }),
    // Known counts only.
    ...(usage && { usage: addUsage({}, usage) }),
    ...(rounds !== undefined && { rounds }),
    ...(model !== undefined && { model }),
    ...(responseId !== undefined && { responseId }),
    ...(isKept && response && { answer: generationsOf(response) }),
  }
}

const generationsOf = ({ results }: ChatResponse): Json =>
  results.map(({ message, finishReason, rawFinishReason }) =>
    contentOf({ message, finishReason, rawFinishReason }),
  ) as Json
