/**
 * Writes the events of a run as lines of JSON. A stranger gets the public projection (public-event.ts), a trusted
 * reader everything. Loaded with the first stream that is asked for.
 */
import { ToolExecutionError, ToolwrightError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import { publicJson } from '../internal/public-json.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import { addUsage, type ChatResponse } from '../messages/chat-response.ts'
import type { Json } from '../messages/json.ts'
import type {
  AssistantMessage,
  AssistantPart,
  ToolResponse,
  UserPart,
} from '../messages/message.ts'
import type { PendingCall } from '../messages/run-state.ts'
import { jsonOf } from '../tools/result-converter.ts'
import type {
  ErrorLine,
  PublicEvent,
  PublicPart,
  PublicResponse,
  ReadableStreamOptions,
} from './public-event.ts'
import type { RunIterator } from './run-reader.ts'

/** Enqueues the next line; at the end closes, after a line that tells of a failure. */
export async function pullLine(
  events: RunIterator<ChatEvent>,
  controller: ReadableStreamDefaultController<Uint8Array>,
  options: LineOptions,
): Promise<void> {
  const write = (line: string): void => controller.enqueue(encoder.encode(`${line}\n`))
  try {
    // A stream asks again only after it was given something.
    for (let step = await events.next(); !step.done; step = await events.next()) {
      const line = lineOf(step.value, options)
      if (line !== undefined) return write(line)
    }
  } catch (thrown) {
    await events.return()
    write(JSON.stringify(errorLine(thrown, options)))
  }
  controller.close()
}

export interface LineOptions extends ReadableStreamOptions {
  /** Whether the run failed with this because its signal was aborted. */
  readonly isAbort: (thrown: unknown) => boolean
}

const encoder = new TextEncoder()

function lineOf(event: ChatEvent, options: ReadableStreamOptions): string | undefined {
  if (!options.full) return JSON.stringify(publicEvent(event, options))
  // What a tool took, returned or reported may have no JSON form, or endless text.
  const isOfTool = 'value' in event || 'input' in event || 'progress' in event
  return JSON.stringify(isOfTool ? jsonOf(event) : event)
}

type Origin = Pick<ChatEvent, 'runId' | 'parentCallId' | 'round'>

/** Written out kind by kind: a new field or a new event is private until somebody decides otherwise. */
function publicEvent(
  event: ChatEvent,
  { reasoning = false }: ReadableStreamOptions,
): PublicEvent | undefined {
  const { runId, parentCallId, round } = event
  // JSON leaves out what is undefined.
  const origin = { runId, parentCallId, round } as Origin
  switch (event.type) {
    case 'text-delta':
      return { type: event.type, ...origin, text: event.text }
    case 'reasoning-delta':
      return reasoning ? { type: event.type, ...origin, text: event.text } : undefined
    case 'tool-call-start':
      return { type: event.type, ...origin, id: event.id, name: event.name }
    case 'part': {
      const [part] = publicParts([event.part], reasoning)
      return part && { type: event.type, ...origin, part }
    }
    case 'tool-execution-start':
      return { type: event.type, ...origin, toolCall: named(event.toolCall) }
    case 'tool-progress': {
      if (event.label?.private) return undefined
      const progress = publicJson(event.progress)
      return { type: event.type, ...origin, toolCall: named(event.toolCall), progress }
    }
    case 'tool-result': {
      const response = publicResult(event.response)
      return { type: event.type, ...origin, toolCall: named(event.toolCall), response }
    }
    case 'suspended':
      return { type: event.type, ...origin, pending: event.pending.map(publicPending) }
    case 'notice': {
      const { code, message } = event
      return { type: event.type, ...origin, code, message: redact(message) }
    }
    case 'round-end':
      return { type: event.type, ...origin }
    case 'response':
      return { type: event.type, ...origin, response: publicResponse(event.response, reasoning) }
    // The arguments of a call are between the model and the tool; other events are nobody's but the program's.
    default:
      return undefined
  }
}

const named = ({ id, name }: { readonly id: string; readonly name: string }) => ({ id, name })

function publicResult({ content, isError, label }: ToolResponse) {
  const shown = typeof content === 'string' ? content : publicParts(content.filter(isPublic), false)
  return { ...(!label?.private && { content: shown }), ...(isError && { isError: true as const }) }
}

const isPublic = ({ label }: UserPart | AssistantPart): boolean => !label?.private

/** What a provider did itself, its signatures, and settings for it are not for the page. */
function publicParts(
  parts: readonly (AssistantPart | UserPart)[],
  reasoning: boolean,
): readonly PublicPart[] {
  return parts.flatMap((part): PublicPart | readonly PublicPart[] => {
    if (part.type === 'text') return { type: part.type, text: part.text }
    if (part.type === 'reasoning')
      return reasoning ? { type: part.type, text: part.text } : NO_PARTS
    if (part.type === 'tool-call' || part.type === 'provider') return NO_PARTS
    const { type, mediaType, data, url, name } = part
    return { type, mediaType, data, url, name } as PublicPart
  })
}

const NO_PARTS: readonly PublicPart[] = []

function publicResponse({ results, usage }: ChatResponse, reasoning: boolean): PublicResponse {
  return {
    results: results.map(({ message, finishReason }) => ({
      message: { role: 'assistant', content: publicContent(message, reasoning) },
      finishReason,
    })),
    // Known counts only.
    usage: addUsage({}, usage ?? {}),
  }
}

function publicContent(
  { content, label }: AssistantMessage,
  reasoning: boolean,
): PublicResponse['results'][number]['message']['content'] {
  if (label?.private) return ''
  return typeof content === 'string' ? content : publicParts(content.filter(isPublic), reasoning)
}

function publicPending(pending: PendingCall): PendingCall {
  const { callId, parentCallId, line, toolName, kind, reason, input, preview, question } = pending
  return {
    callId,
    ...(parentCallId !== undefined && { parentCallId }),
    ...(line !== undefined && { line }),
    toolName,
    kind,
    input: publicJson(input) as Json,
    ...(reason !== undefined && { reason: redact(reason) }),
    ...(preview !== undefined && { preview: publicJson(preview) as Json }),
    ...(question !== undefined && { question: publicJson(question) as Json }),
  }
}

/** The last line of a run that failed. Never a stack, never a cause. */
function errorLine(thrown: unknown, { full, isAbort }: LineOptions): ErrorLine {
  // What a tool threw is told to the model or the program, in its own words; those may be private.
  if (thrown instanceof ToolExecutionError && !full)
    return { type: 'error', code: thrown.code, message: `Tool "${thrown.toolName}" failed.` }
  if (ToolwrightError.is(thrown))
    return { type: 'error', code: thrown.code, message: redact(thrown.message) }
  const isAborted = isAbort(thrown)
  const words = isAborted ? 'The run was aborted.' : 'The run failed.'
  const message = full ? redact(messageOfThrown(thrown)) : words
  return { type: 'error', code: isAborted ? 'aborted' : 'run-failed', message }
}
