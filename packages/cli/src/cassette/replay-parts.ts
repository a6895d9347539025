/** The model and the tools of a conversation that was had: they say and give again what they did then. */
import {
  checkJson,
  tool,
  toolCallsOf,
  type AssistantMessage,
  type ChatModel,
  type ChatResponse,
  type Decision,
  type Decisions,
  type Json,
  type JsonSchema,
  type PendingCall,
  type ToolCallback,
  type ToolResponse,
} from 'toolwright'
import { standIn } from 'toolwright/testing'
import { CommandError } from '../command/command-error.ts'
import type { Turn } from './turns-of.ts'

/** Plays one turn after another. */
export class ReplayParts {
  readonly model: ChatModel
  readonly tools: readonly ToolCallback[]
  #said: AssistantMessage[] = []
  #responses: ToolResponse[] = []
  /** Ids of calls that somebody changed. */
  readonly #edited = new Set<string>()

  /** @param own the user's tools; without any, tools of the names that were called */
  constructor(turns: readonly Turn[], own: readonly ToolCallback[]) {
    const call = async (): Promise<ChatResponse> => this.#say()
    this.model = {
      provider: 'conversation',
      model: 'conversation',
      capabilities: {},
      options: {},
      call,
      async *stream() {
        yield { type: 'response', response: await call() }
      },
    }
    this.tools = (own.length > 0 ? own : namedTools(turns)).map((each) =>
      standIn(each, (_input, { callId, toolName }) => this.#give(callId, toolName)),
    )
  }

  /** What was not asked for of the turn before is forgotten: its tools may have given the answer. */
  begin({ said, responses }: Turn): void {
    this.#said = [...said]
    this.#responses = [...responses]
  }

  /** What was decided then, as far as the responses show it. */
  decide(pending: readonly PendingCall[]): Decisions {
    return Object.fromEntries(pending.map((call) => [call.callId, this.#decision(call)]))
  }

  #decision({ callId, toolName, kind }: PendingCall): Decision {
    const found = this.#responses.find(({ id }) => id === callId)
    const text = typeof found?.content === 'string' ? found.content : ''
    const denied = found?.isError ? DENIED.exec(text) : null
    if (denied) return { deny: denied[1]! }
    if (kind === 'result') return { result: this.#supply(callId, toolName) }
    const edit = found && editIn(found.content)?.input
    // One that secrets were taken out of may not fit any more.
    if (edit === undefined || !checkJson(this.#schemaOf(toolName), edit).ok) return 'approve'
    this.#edited.add(callId)
    return { edit }
  }

  #schemaOf(toolName: string): JsonSchema {
    return this.tools.find(({ definition }) => definition.name === toolName)!.definition.inputSchema
  }

  #supply(callId: string, toolName: string): unknown {
    const given = this.#give(callId, toolName)
    const known = this.tools.find(({ definition }) => definition.name === toolName)
    const schema = known?.definition.outputSchema
    return schema && typeof given === 'string' ? suppliedValue(given, schema) : given
  }

  #say(): ChatResponse {
    const message = this.#said.shift()
    if (!message)
      throw new CommandError(
        'With these tools the model would be asked more often than it answered in the conversation. Give the tools that it was had with.',
      )
    const finishReason = toolCallsOf(message).length > 0 ? 'tool-calls' : 'stop'
    return { results: [{ message, finishReason, metadata: {} }], usage: {}, metadata: {} }
  }

  #give(callId: string, toolName: string): ToolResponse['content'] {
    const named = this.#responses.findIndex(({ name }) => name === toolName)
    const at = this.#responses.findIndex(({ id }) => id === callId)
    const [found] = this.#responses.splice(
      at === -1 ? named : at,
      at === -1 && named === -1 ? 0 : 1,
    )
    if (!found) return 'Done'
    // The library adds the note again.
    const edit = this.#edited.has(callId) ? editIn(found.content) : undefined
    const content = edit ? edit.output : found.content
    if (found.isError && typeof content === 'string') throw new Error(content)
    return content
  }
}

/** Models read values as JSON, so the text of one that the tool takes only as a value is what was made of it. */
function suppliedValue(text: string, schema: JsonSchema): unknown {
  if (checkJson(schema, text).ok) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** How the library tells a model that somebody denied a call. */
const DENIED = /^Not run: denied\. ?([^]*)$/

/** How the library tells a model that somebody changed a call, after what the tool gave. */
const EDITED = /(?:^|\n\n)The arguments were changed before it ran: (.+)$/gm

interface Edit {
  readonly input: Json
  /** What the tool gave, without the note. */
  readonly output: ToolResponse['content']
}

/** The arguments that a call was approved with, if they were others. */
function editIn(content: ToolResponse['content']): Edit | undefined {
  const last = typeof content === 'string' ? content : content.at(-1)
  const text = typeof last === 'string' ? last : last?.type === 'text' ? last.text : ''
  const note = [...text.matchAll(EDITED)].at(-1)
  if (!note) return undefined
  const [whole, input] = note
  const output =
    typeof content === 'string'
      ? text.slice(0, note.index) + text.slice(note.index + whole.length)
      : content.slice(0, -1)
  try {
    return { input: JSON.parse(input!) as Json, output }
  } catch {
    return undefined
  }
}

/** How the library tells a model that it called a tool that was not offered. */
const NOT_OFFERED = /^Not run: there is no tool called /

/** Tools that the conversation had and that are in no file, such as the one that runs programs. */
export function toolsBesides(
  turns: readonly Turn[],
  own: readonly ToolCallback[],
): readonly ToolCallback[] {
  if (own.length === 0) return []
  const known = new Set(own.map(({ definition }) => definition.name))
  const had = turns
    .flatMap(({ responses }) => responses)
    .filter(({ isError, content }) => !isError || !NOT_OFFERED.test(String(content)))
  const names = new Set(had.map(({ name }) => name))
  return namedTools(turns).filter(({ definition: { name } }) => names.has(name) && !known.has(name))
}

function namedTools(turns: readonly Turn[]): readonly ToolCallback[] {
  const calls = turns.flatMap(({ said }) => said.flatMap((message) => toolCallsOf(message)))
  return [...new Set(calls.map(({ name }) => name))].map((name) =>
    tool({ name, input: { type: 'object', additionalProperties: true }, execute: () => '' }),
  )
}
