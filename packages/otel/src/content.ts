/**
 * The one way by which content gets into a span: only where it was asked for, secrets taken out by the library's
 * redaction, then cut. Messages take the shape of OpenTelemetry's conventions, as JSON text.
 */
import {
  redact,
  toolCallsOf,
  type ChatResponse,
  type Message,
  type ModelInfo,
  type ToolResponse,
} from 'toolwright'

/** Characters of one attribute. Most backends cut or drop what is much longer. */
const MOST_CHARACTERS = 32 * 1024

/** Text as it may be recorded. */
export function recorded(text: string): string {
  const clean = redact(text)
  if (clean.length <= MOST_CHARACTERS) return clean
  const left = clean.length - MOST_CHARACTERS
  return `${clean.slice(0, MOST_CHARACTERS).toWellFormed()}… [${left} characters left out]`
}

/** What an error says; some throw when they are read. */
export function errorText(error: unknown): string | undefined {
  try {
    return error instanceof Error ? recorded(String(error.message)) : undefined
  } catch {
    return undefined
  }
}

interface Part {
  readonly type: string
  readonly [key: string]: unknown
}

interface RecordedMessage {
  readonly role: string
  readonly parts: readonly Part[]
  readonly finish_reason?: string
}

/** A list has room for one attribute, but for its first element: of the rest it is said how many there are. */
function fitting<Element>(
  list: readonly Element[],
  note: (words: string) => Element,
): readonly Element[] {
  let room = MOST_CHARACTERS
  const end = list.findIndex((each) => (room -= JSON.stringify(each).length) < 0)
  if (end < 0 || list.length === 1) return list
  const kept = list.slice(0, Math.max(end, 1))
  return [...kept, note(`… [${list.length - kept.length} left out]`)]
}

const textPart = (content: string): Part => ({ type: 'text', content })

/** What the system messages say: bare parts. */
export function systemText(messages: readonly Message[]): string | undefined {
  const parts = messages
    .filter((message) => message.role === 'system')
    .map(({ content }) => textPart(recorded(content as string)))
  return parts.length > 0 ? JSON.stringify(fitting(parts, textPart)) : undefined
}

/** The conversation, without the system messages. Of a long one the newest messages, and how many are missing. */
export function inputText(messages: readonly Message[]): string {
  const said = messages.filter(({ role }) => role !== 'system')
  const kept: RecordedMessage[] = []
  let room = MOST_CHARACTERS
  for (const message of said.toReversed()) {
    const shown = { role: message.role, parts: partsOf(message) }
    room -= JSON.stringify(shown).length
    if (room < 0 && kept.length > 0) break
    kept.unshift(shown)
  }
  const left = said.length - kept.length
  // No other message here is the system's, so it is not taken for a part of the conversation.
  const note = { role: 'system', parts: [textPart(`… [${left} earlier messages left out]`)] }
  return JSON.stringify(left > 0 ? [note, ...kept] : kept)
}

export function outputText({ results }: ChatResponse): string {
  const messages = results.map(({ message, finishReason }): RecordedMessage => ({
    role: message.role,
    parts: partsOf(message),
    finish_reason: finishWord(finishReason),
  }))
  const note = (words: string): RecordedMessage => ({ role: 'assistant', parts: [textPart(words)] })
  return JSON.stringify(fitting(messages, note))
}

export const resultText = (content: ToolResponse['content']): string =>
  typeof content === 'string'
    ? recorded(content)
    : JSON.stringify(fitting(contentParts(content), textPart))

/** The tools that were offered. */
export function toolsText(tools: NonNullable<ModelInfo['tools']>): string | undefined {
  if (tools.length === 0) return undefined
  const shown = tools.map(({ name, description, inputSchema }): Part => ({
    type: 'function',
    name,
    description: recorded(description),
    parameters: parsed(recorded(JSON.stringify(inputSchema))),
  }))
  return JSON.stringify(fitting(shown, textPart))
}

/** As the conventions spell the reasons that they know. */
export const finishWord = (reason: string): string =>
  reason === 'tool-calls' ? 'tool_call' : reason.replaceAll('-', '_')

const partsOf = (message: Message): readonly Part[] => fitting(allPartsOf(message), textPart)

function allPartsOf(message: Message): readonly Part[] {
  if (message.role === 'tool')
    return message.responses.map(({ id, content }) => ({
      type: 'tool_call_response',
      id,
      response: resultText(content),
    }))
  const calls = toolCallsOf(message).map(({ id, name, arguments: text }) => ({
    type: 'tool_call',
    id,
    name,
    arguments: parsed(recorded(text)),
  }))
  return [...contentParts(message.content), ...calls]
}

/** Media by their type only: their bytes belong in no span. */
function contentParts(content: string | readonly { readonly type: string }[]): readonly Part[] {
  if (typeof content === 'string') return [textPart(recorded(content))]
  return content.flatMap((part): Part | readonly Part[] => {
    if (part.type === 'tool-call') return []
    const { text, mediaType } = part as { readonly text?: string; readonly mediaType?: string }
    if (typeof text === 'string') return { type: part.type, content: recorded(text) }
    return { type: part.type, ...(mediaType !== undefined && { mime_type: mediaType }) }
  })
}

/** Arguments as an object; what was cut or is no JSON stays text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
