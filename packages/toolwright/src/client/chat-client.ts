/** The way in: a model with defaults, ready to be asked. `Names` are those of its typed registry, else any. */
import {
  clientSettings,
  hasManagerOptions,
  type ChatClientOptions,
  type ClientSettings,
} from './client-settings.ts'
import { ChatRequest, promptParts } from './chat-request.ts'
import type { RequestSpec } from './request-spec.ts'
import { toolsOf } from './start-run.ts'
import { NONE, NOTHING } from '../internal/nothing.ts'
import type { Message } from '../messages/message.ts'
import type { Decisions, RunState } from '../messages/run-state.ts'
import type { ChatModel, Prompt } from '../model/chat-model.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'

type Said = Pick<RequestSpec, 'messages' | 'options' | 'user' | 'saidBy' | 'resume'>

export class ChatClient<Names extends string = string> {
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
  static create<Names extends string = string>(
    model: ChatModel,
    options: ChatClientOptions<Names> = {},
  ): ChatClient<Names> {
    return new ChatClient(clientSettings(model, options))
  }

  /** Starts a request. */
  prompt(prompt?: string | readonly Message[] | Prompt): ChatRequest<Names> {
    return this.#request(promptParts(prompt))
  }

  /** Goes on with a suspended run: set its tools and context again, then `.call()` or `.stream()`. */
  resume(state: RunState, decisions: Decisions): ChatRequest<Names> {
    return this.#request({ messages: NONE, options: NOTHING, resume: { state, decisions } })
  }

  /**
   * The tools that a request without tools of its own offers: the client's, `toolNames` resolved and providers asked
   * now; else those of the model's options. Rejects as such a request would.
   */
  offeredTools(): Promise<readonly ToolCallback[]> {
    return toolsOf(this.#spec(promptParts(undefined)), this.#settings.chain)
  }

  /**
   * A client with changed defaults: what is given replaces, everything else stays. Locks, rates and cached
   * results stay shared, unless an option of the manager changes.
   */
  with<Other extends string = string>(
    options: ChatClientOptions<Other> & Required<Pick<ChatClientOptions<Other>, 'resolver'>>,
  ): ChatClient<Other>
  with<Other extends string = Names>(options: ChatClientOptions<Other>): ChatClient<Other>
  with<Other extends string>(options: ChatClientOptions<Other>): ChatClient<Other> {
    const { model, given, manager } = this.#settings
    const changed = { ...given, ...options } as ChatClientOptions<Other>
    return new ChatClient(
      clientSettings(model, changed, hasManagerOptions(options) ? undefined : manager),
    )
  }

  #request(said: Said): ChatRequest<Names> {
    return new ChatRequest(this.#spec(said))
  }

  #spec(said: Said): RequestSpec {
    const { given } = this.#settings
    return {
      client: this.#settings,
      ...(given.system !== undefined && { system: given.system }),
      addedTools: NONE,
      addedToolNames: NONE,
      toolContext: NOTHING,
      addedAdvisors: NONE,
      params: NOTHING,
      toolCalling: given.toolCalling,
      ...said,
    }
  }
}
