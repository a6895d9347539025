/**
 * What a trace keeps of events. Written out kind by kind: a new field or a new event stays out of files until it is
 * added here, as a fact or as content. Text that streams is not kept: its pieces cannot be redacted, and the
 * answer has it.
 */
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { PendingCall } from '../../messages/run-state.ts'
import type { ObservedEvent } from '../../observation/observer.ts'
import { NOT_OFFERED, type TraceEventFacts } from '../trace-line.ts'
import { contentOf } from '../../observation/content-of.ts'

export interface KeptOf {
  readonly content: boolean
  /** Whether the run offers a tool of this name; other names are made up by a model. */
  isOffered(name: string): boolean
}

/** Undefined: the event is not kept. */
export function eventFacts(event: ChatEvent, kept: KeptOf): TraceEventFacts | undefined {
  const { content } = kept
  switch (event.type) {
    case 'tool-call-start':
      return { type: event.type, callId: event.id, toolName: nameOf(event.name, kept) }
    case 'tool-call':
      return { ...callFacts(event, kept), characters: event.toolCall.arguments.length }
    case 'part':
      return { type: event.type, of: event.part.type }
    case 'tool-execution-start':
      return { ...callFacts(event, kept), ...(content && dataOf(event.input)) }
    case 'tool-progress':
      return { ...callFacts(event, kept), ...(content && dataOf(event.progress)) }
    case 'tool-result':
      return { ...callFacts(event, kept), isError: event.response.isError === true }
    case 'suspended':
      return { type: event.type, pending: event.pending.map((each) => pendingFacts(each, content)) }
    case 'notice':
      return { ...noticeFacts(event, content, content), type: event.type }
    case 'round-end':
      return { type: event.type }
    // The end of the run says it all; deltas are counted; what an advisor made up is its own.
    default:
      return undefined
  }
}

/** What an observation is told besides the events of its run. What these say is made of names and numbers of ours. */
export const observedFacts = (event: ObservedEvent, content: boolean): TraceEventFacts => ({
  ...noticeFacts(event, content, content || FACTS_ALONE.includes(event.code)),
  type: 'observed',
})

const FACTS_ALONE: readonly string[] = ['waited', 'retry']

const nameOf = (name: string, { content, isOffered }: KeptOf): string =>
  content || isOffered(name) ? name : NOT_OFFERED

function callFacts(event: Extract<ChatEvent, { toolCall: object }>, kept: KeptOf): TraceEventFacts {
  const { id, name } = event.toolCall
  return { type: event.type, callId: id, toolName: nameOf(name, kept) }
}

function dataOf(value: unknown): { readonly data?: Json } {
  const data = contentOf(value)
  return data === undefined ? {} : { data }
}

function pendingFacts(pending: PendingCall, content: boolean) {
  const { callId, parentCallId, line, toolName, kind, input, reason, preview, question } = pending
  const known = {
    callId,
    ...(parentCallId !== undefined && { parentCallId }),
    ...(line !== undefined && { line }),
    toolName,
    kind,
  }
  if (!content) return known
  // Not what the tool keeps for itself while it waits.
  return { ...known, ...(contentOf({ input, reason, preview, question }) as JsonObject) }
}

function noticeFacts({ code, message, data }: ObservedEvent, content: boolean, hasData: boolean) {
  const { callId } = Object(data) as { readonly callId?: unknown }
  return {
    code,
    ...(typeof callId === 'string' && { callId }),
    ...(content && { message: contentOf(message) as string }),
    ...(hasData && data !== undefined && dataOf(data)),
  }
}
