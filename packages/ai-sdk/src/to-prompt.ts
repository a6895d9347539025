/** Messages as a language model of the AI SDK takes them. */
import {
  ConfigurationError,
  toolCallsOf,
  type AssistantMessage,
  type AssistantPart,
  type Json,
  type MediaPart,
  type Message,
  type ProviderPart,
  type ToolCall,
  type ToolMessage,
  type ToolResponse,
  type UserMessage,
  type UserPart,
} from 'toolwright'
import { OWN, ownData, sentOptions } from './own-data.ts'
import { KIND } from './from-content.ts'
import { received } from './received.ts'
import type {
  SentAssistantPart,
  SentCall,
  SentFile,
  SentJson,
  SentMessage,
  SentOutput,
  SentResult,
  SentText,
  SentUserPart,
  SpecVersion,
} from './sent-types.ts'
import type { Specification } from './specification.ts'

export interface PromptSettings<V extends SpecVersion> {
  readonly spec: Specification<V>
  /** Files in results of tools go where they are; elsewhere they follow in a message of the user. */
  readonly mediaInResults: boolean
}

export function toPrompt<V extends SpecVersion>(
  settings: PromptSettings<V>,
  messages: readonly Message[],
): SentMessage<V>[] {
  const calls = new Map<string, ToolCall>()
  return messages.flatMap((message): SentMessage<V>[] => {
    for (const call of toolCallsOf(message)) calls.set(call.id, call)
    if (message.role === 'tool') return toolMessages(settings, message, calls)
    if (message.role === 'user') return userMessages(settings, message)
    const options = sentOptions(message)
    if (message.role === 'system')
      return [{ role: 'system', content: whole(message.content), ...options }]
    return [{ role: 'assistant', content: assistantParts(settings, message), ...options }]
  })
}

/** Half a character, which a tool or a cut can leave, is refused by strict providers for the rest of the conversation. */
const whole = (text: string): string => text.toWellFormed()

const textPart = (text: string): SentText => ({ type: 'text', text: whole(text) })

/** A message may also carry decisions about calls that the provider waits to run. */
function userMessages<V extends SpecVersion>(
  settings: PromptSettings<V>,
  message: UserMessage,
): SentMessage<V>[] {
  const { approvals, ...own } = message.providerOptions?.[OWN] ?? {}
  const decided = Array.isArray(approvals) ? decisions(settings, approvals) : []
  const { content } = message
  if (decided.length > 0 && content.length === 0) return decided
  const parts =
    typeof content === 'string'
      ? [textPart(content)]
      : content.map((part) => userPart(settings, part))
  const options = sentOptions({ providerOptions: { ...message.providerOptions, [OWN]: own } })
  return [...decided, { role: 'user', content: parts, ...options }]
}

function decisions<V extends SpecVersion>(
  { spec }: PromptSettings<V>,
  approvals: readonly Json[],
): SentMessage<V>[] {
  const content = approvals.flatMap((decision) => spec.approval(received(decision)) ?? [])
  if (content.length === approvals.length) return [{ role: 'tool', content }]
  throw new ConfigurationError(
    'invalid-message',
    `A message has providerOptions.${OWN}.approvals, and this model is of a version without approvals.`,
  )
}

const userPart = <V extends SpecVersion>(
  settings: PromptSettings<V>,
  part: UserPart,
): SentUserPart<V> =>
  part.type === 'text' ? { ...textPart(part.text), ...sentOptions(part) } : filePart(settings, part)

function filePart<V extends SpecVersion>(
  { spec }: PromptSettings<V>,
  part: MediaPart,
): SentFile<V> {
  return {
    type: 'file',
    mediaType: part.mediaType,
    data: spec.fileData(contentOf(part)),
    ...(part.name !== undefined && { filename: part.name }),
    ...sentOptions(part),
  }
}

/** An address that holds the data itself becomes the data: only some providers read such addresses. */
function contentOf({ type, data, url }: MediaPart): string | URL {
  if (data !== undefined) return data
  const inline = /^data:[^,]*;base64,/i.exec(url ?? '')
  if (inline) return url!.slice(inline[0].length)
  if (url !== undefined && URL.canParse(url)) return new URL(url)
  const had = url === undefined ? 'neither data nor url' : 'a url that is no absolute address'
  throw new ConfigurationError('invalid-message', `A part of type ${type} has ${had}.`)
}

function assistantParts<V extends SpecVersion>(
  settings: PromptSettings<V>,
  { content }: AssistantMessage,
): SentAssistantPart<V>[] {
  if (typeof content === 'string') return content === '' ? [] : [textPart(content)]
  return content.flatMap((part) => assistantPart(settings, part) ?? [])
}

function assistantPart<V extends SpecVersion>(
  settings: PromptSettings<V>,
  part: AssistantPart,
): SentAssistantPart<V> | undefined {
  switch (part.type) {
    case 'text':
      return part.text === '' ? undefined : { ...textPart(part.text), ...sentOptions(part) }
    case 'reasoning': {
      // What another model thought is signed by another provider.
      const kept = ownData(part)
      return kept && { type: 'reasoning', text: whole(part.text), ...sentOptions(part, kept) }
    }
    case 'tool-call':
      return callPart(part)
    case 'provider':
      return providerPart(settings, part)
    default:
      return filePart(settings, part)
  }
}

const callPart = (call: ToolCall): SentCall => ({
  type: 'tool-call',
  toolCallId: call.id,
  toolName: call.name,
  input: inputOf(call.arguments),
  ...sentOptions(call, ownData(call)),
})

/** Arguments that are no JSON object were refused here, and would be refused there for the rest of the conversation. */
function inputOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text, (_key, item: unknown) =>
      typeof item === 'string' ? whole(item) : item,
    )
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}

/** What the provider did itself goes back as it came; sources and what another provider did stay here. */
function providerPart<V extends SpecVersion>(
  { spec }: PromptSettings<V>,
  { kind, data }: ProviderPart,
): SentAssistantPart<V> | undefined {
  if (!kind.startsWith(KIND)) return undefined
  const part = received(data)
  const { type, toolCallId, toolName, input, result, isError, providerMetadata } = part
  const options = sentOptions({}, providerMetadata as { [provider: string]: Json } | undefined)
  const called = { toolCallId: String(toolCallId), toolName: String(toolName), ...options }
  if (type === 'tool-call')
    return { type, ...called, input: inputOf(String(input)), providerExecuted: true }
  if (type !== 'tool-result') return spec.extraPart(part, options)
  const output = { type: isError ? 'error-json' : 'json', value: result as SentJson } as const
  return { type, ...called, output }
}

function toolMessages<V extends SpecVersion>(
  settings: PromptSettings<V>,
  message: ToolMessage,
  calls: ReadonlyMap<string, ToolCall>,
): SentMessage<V>[] {
  const results = message.responses.map((response): SentResult<V> => {
    const call = calls.get(response.id)
    return {
      type: 'tool-result',
      toolCallId: response.id,
      toolName: response.name,
      output: outputOf(settings, response),
      // Providers want what they said about a call back with its result too.
      ...sentOptions(response, call && ownData(call)),
    }
  })
  const told: SentMessage<V> = { role: 'tool', content: results, ...sentOptions(message) }
  const media = settings.mediaInResults
    ? []
    : message.responses.flatMap((response) => mediaOf(settings, response))
  return media.length === 0 ? [told] : [told, { role: 'user', content: media }]
}

function outputOf<V extends SpecVersion>(
  { spec, mediaInResults }: PromptSettings<V>,
  { content, isError }: ToolResponse,
): SentOutput<V> {
  const type = isError ? 'error-text' : 'text'
  if (typeof content === 'string') return { type, value: whole(content) }
  if (!mediaInResults || isError || content.every((part) => part.type === 'text'))
    return { type, value: whole(content.map(named).join('\n')) }
  const value = content.map((part) =>
    part.type === 'text' ? textPart(part.text) : (spec.resultFile(part) ?? textPart(named(part))),
  )
  return { type: 'content', value }
}

/** A part of a result in words. */
function named(part: UserPart): string {
  if (part.type === 'text') return part.text
  return `[${part.type}${part.name ? ` ${part.name}` : ''}: in the next user message]`
}

function mediaOf<V extends SpecVersion>(
  settings: PromptSettings<V>,
  { name, id, content }: ToolResponse,
): SentUserPart<V>[] {
  if (typeof content === 'string') return []
  const media = content.filter((part) => part.type !== 'text')
  if (media.length === 0) return []
  return [
    textPart(`Result of tool ${name} (${id}):`),
    ...media.map((part) => filePart(settings, part)),
  ]
}
