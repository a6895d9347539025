/**
 * Turns an answer back into what the declared schemas mean: the text by the schema of the answer, the arguments of
 * calls by those of the tools. Used by `call` and by `stream`, so that both show the same.
 */
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse, Generation } from '../../messages/chat-response.ts'
import type { AssistantPart, ToolCall } from '../../messages/message.ts'
import type { JsonRaiser } from '../../schema/lowering/json-raiser.ts'
import type { ChatDialect, WireQuestion } from './chat-dialect.ts'

/** Events that hold calls. */
const WHOLE: ReadonlySet<ChatEvent['type']> = new Set(['tool-call', 'response'])

export class RaisedAnswer {
  readonly #question: WireQuestion
  readonly #dialect: ChatDialect
  /** Of the text that is streamed; undefined if it is shown as it comes. */
  readonly #streamed: JsonRaiser | undefined
  #shown = ''

  constructor(dialect: ChatDialect, question: WireQuestion) {
    this.#question = question
    this.#dialect = dialect
    this.#streamed = this.#raiser()
  }

  /** All text shown so far, where it differs from what came. */
  get partial(): string | undefined {
    return this.#streamed && this.#shown
  }

  /** The response; the same object where nothing changes. */
  response(response: ChatResponse): ChatResponse {
    const results = response.results.map((generation) => this.#generation(generation))
    const isSame = results.every((generation, index) => generation === response.results[index])
    return isSame ? response : { ...response, results }
  }

  /** The events of a stream. What the text holds back comes before the response, which ends it. */
  events(events: readonly ChatEvent[]): readonly ChatEvent[] {
    // Most of a stream is pieces that pass as they are.
    const isTouched = this.#streamed !== undefined || events.some(({ type }) => WHOLE.has(type))
    return isTouched ? events.flatMap((event) => this.#event(event)) : events
  }

  #event(event: ChatEvent): readonly ChatEvent[] {
    switch (event.type) {
      case 'text-delta':
        return this.#streamed ? this.#text(this.#streamed.push(event.text)) : [event]
      case 'tool-call': {
        const toolCall = this.#call(event.toolCall)
        return [toolCall === event.toolCall ? event : { ...event, toolCall }]
      }
      case 'response':
        return [
          ...this.#text(this.#streamed?.end() ?? ''),
          { ...event, response: this.response(event.response) },
        ]
      default:
        return [event]
    }
  }

  #text(text: string): readonly ChatEvent[] {
    this.#shown += text
    return text === '' ? [] : [{ type: 'text-delta', text }]
  }

  #generation(generation: Generation): Generation {
    const { message } = generation
    const raiser = this.#raiser()
    const { content } = message
    const raised =
      typeof content === 'string'
        ? raiser
          ? raiser.push(content) + raiser.end()
          : content
        : this.#parts(content, raiser)
    return raised === content
      ? generation
      : { ...generation, message: { ...message, content: raised } }
  }

  /** All texts of a message are one to the raiser, as they are in a stream; the last has what is left. */
  #parts(
    parts: readonly AssistantPart[],
    raiser: JsonRaiser | undefined,
  ): readonly AssistantPart[] {
    const last = parts.findLastIndex(({ type }) => type === 'text')
    const raised = parts.map((part, at) => {
      if (part.type === 'tool-call') return this.#call(part)
      if (part.type !== 'text' || !raiser) return part
      const text = raiser.push(part.text) + (at === last ? raiser.end() : '')
      return text === part.text ? part : { ...part, text }
    })
    return raised.every((part, index) => part === parts[index]) ? parts : raised
  }

  #call(call: ToolCall): ToolCall {
    const { tools, capabilities } = this.#question
    const tool = tools.find(({ definition }) => definition.name === call.name)
    const json =
      tool && this.#dialect.toolSchema?.(tool.definition, capabilities).raise(call.arguments)
    return json === undefined || json === call.arguments ? call : { ...call, arguments: json }
  }

  #raiser(): JsonRaiser | undefined {
    const { outputSchema } = this.#question.options
    return outputSchema && this.#dialect.output?.schemas.raiser(outputSchema)
  }
}
