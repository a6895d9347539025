/** A chat model for an engine that speaks no dialect of the library. */
import {
  aggregate,
  mergeOptions,
  ModelResponseError,
  ProviderError,
  toolCallingManager,
  type AssistantPart,
  type ChatEvent,
  type ChatModel,
  type ChatOptions,
  type ChatResponse,
  type ModelRun,
  type Prompt,
  type ToolCall,
} from 'toolwright'
import type { Engine, EnginePiece, EngineRequest } from './engine.ts'

const provider = 'engine'

export function engineModel(engine: Engine, options: ChatOptions = {}): ChatModel {
  async function* stream(prompt: Prompt, run: ModelRun = {}): AsyncIterable<ChatEvent> {
    const { signal } = run
    signal?.throwIfAborted()
    const request = await toEngine(prompt, options)
    const answer = new Answer()
    try {
      for await (const piece of engine.generate(request, signal)) yield* answer.take(piece)
    } catch (cause) {
      signal?.throwIfAborted()
      throw new ProviderError('provider-rejected', String(cause), { provider, cause })
    }
    yield* answer.end()
  }
  return {
    provider,
    model: 'small',
    capabilities: { tools: true },
    options,
    stream,
    call: (prompt, run) => aggregate(stream(prompt, run)),
  }
}

const manager = toolCallingManager()

/** The model's own options are overlaid by the prompt's, and the two kinds of tools are one field. */
async function toEngine(prompt: Prompt, own: ChatOptions): Promise<EngineRequest> {
  const options = mergeOptions(own, prompt.options)
  const { temperature, maxTokens } = options
  // Finds tools by name, asks providers, and refuses what nobody knows, before anything is sent.
  const tools = await manager.resolveToolDefinitions(options)
  return { messages: prompt.messages, tools, temperature, maxTokens }
}

/** One answer: makes events of the pieces, and the response of the whole. */
class Answer {
  readonly #parts: AssistantPart[] = []
  #end: Extract<EnginePiece, { end: unknown }> | undefined;

  *take(piece: EnginePiece): Iterable<ChatEvent> {
    if ('text' in piece) {
      yield* this.#completed()
      const last = this.#parts.at(-1)
      if (last?.type === 'text')
        this.#parts.splice(-1, 1, { ...last, text: last.text + piece.text })
      else this.#parts.push({ type: 'text', text: piece.text })
      yield { type: 'text-delta', text: piece.text }
    } else if ('name' in piece) {
      yield* this.#completed()
      const { call: id, name } = piece
      this.#open = { type: 'tool-call', id, name, arguments: '' }
      yield { type: 'tool-call-start', id, name }
    } else if ('arguments' in piece && this.#open) {
      const { call: id, arguments: delta } = piece
      this.#open = { ...this.#open, arguments: this.#open.arguments + delta }
      yield { type: 'tool-call-delta', id, delta }
    } else if ('end' in piece) this.#end = piece
  }

  *end(): Iterable<ChatEvent> {
    if (!this.#end)
      throw new ModelResponseError('incomplete-stream', 'The engine stopped in the middle.')
    yield* this.#completed()
    yield { type: 'response', response: this.#response(this.#end) }
  }

  /** The call whose arguments are arriving. It is told as a whole when something else begins. */
  #open: ToolCall | undefined;

  *#completed(): Iterable<ChatEvent> {
    const toolCall = this.#open
    if (!toolCall) return
    this.#open = undefined
    this.#parts.push(toolCall)
    yield { type: 'tool-call', toolCall }
  }

  #response({ end, tokens }: Extract<EnginePiece, { end: unknown }>): ChatResponse {
    const called = this.#parts.some((part) => part.type === 'tool-call')
    const finishReason = end === 'too long' ? 'length' : called ? 'tool-calls' : 'stop'
    const message = { role: 'assistant' as const, content: this.#parts }
    const [inputTokens, outputTokens] = tokens
    return {
      results: [{ message, finishReason, rawFinishReason: end, metadata: {} }],
      usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
      metadata: {},
    }
  }
}
