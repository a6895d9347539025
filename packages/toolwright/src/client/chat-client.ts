/** The way in: a model with defaults, ready to be asked. */
import { clientSettings, type ChatClientOptions, type ClientSettings } from './client-settings.ts'
import { ChatRequest, promptParts } from './chat-request.ts'
import type { Message } from '../messages/message.ts'
import type { Decisions, RunState } from '../messages/run-state.ts'
import type { ChatModel, Prompt } from '../model/chat-model.ts'

export class ChatClient {
  readonly #settings: ClientSettings

  private constructor(settings: ClientSettings) {
    this.#settings = settings
  }

  /**
   * A client of this model.
   *
   * @example
   * const client = ChatClient.create(openaiCompatible('llama', { baseUrl }), { system: 'Be brief.' })
   */
  static create(model: ChatModel, options: ChatClientOptions = {}): ChatClient {
    return new ChatClient(clientSettings(model, options))
  }

  /** Starts a request. */
  prompt(prompt?: string | readonly Message[] | Prompt): ChatRequest {
    return this.#request(promptParts(prompt))
  }

  /** Goes on with a suspended run: set its tools and context again, then `.call()` or `.stream()`. */
  resume(state: RunState, decisions: Decisions): ChatRequest {
    return this.#request({ messages: [], options: {}, resume: { state, decisions } })
  }

  /** A client with changed defaults. */
  with(options: ChatClientOptions): ChatClient {
    return ChatClient.create(this.#settings.model, { ...this.#settings.given, ...options })
  }

  #request(
    said: Pick<
      ConstructorParameters<typeof ChatRequest>[0],
      'messages' | 'options' | 'user' | 'resume'
    >,
  ): ChatRequest {
    const { given } = this.#settings
    return new ChatRequest({
      client: this.#settings,
      ...(given.system !== undefined && { system: given.system }),
      addedTools: [],
      addedToolNames: [],
      toolContext: {},
      addedAdvisors: [],
      params: {},
      toolCalling: given.toolCalling,
      ...said,
    })
  }
}
