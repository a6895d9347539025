/** A conversation with a model: its tools, its memory, turn after turn. It knows nothing about screens. */
import {
  ChatClient,
  chatMemoryAdvisor,
  messageWindowMemory,
  type ChatEvent,
  type ChatMemory,
  type ChatMemoryRepository,
  type ChatModel,
  type RunResult,
  type ToolCallback,
} from 'toolwright'
import type { ChatTools, Reload } from './chat-tools.ts'
import { runTurn, type Turn } from './run-turn.ts'

export interface ChatSessionOptions {
  readonly model: ChatModel
  readonly tools: ChatTools
  readonly system?: string | undefined
  /** The id of a conversation that is kept. Without one, the conversation ends with the process. */
  readonly conversation?: string | undefined
  readonly repository: ChatMemoryRepository
}

/** Enough for a long conversation with tools; whole turns are dropped, oldest first. */
const REMEMBERED_MESSAGES = 200
const UNNAMED = 'this-process'

export class ChatSession {
  readonly conversation: string | undefined
  /** `provider:model`, or one name if both are the same. */
  readonly modelName: string
  readonly #tools: ChatTools
  readonly #memory: ChatMemory
  readonly #client: ChatClient

  constructor(options: ChatSessionOptions) {
    const { model, tools, system, conversation, repository } = options
    this.conversation = conversation
    this.modelName = [...new Set([model.provider, model.model])].join(':')
    this.#tools = tools
    this.#memory = messageWindowMemory({ maxMessages: REMEMBERED_MESSAGES, repository })
    this.#client = ChatClient.create(model, {
      ...(system !== undefined && { system }),
      // The next question may be about tool results, so they are stored.
      advisors: [chatMemoryAdvisor(this.#memory, { storeToolExchange: true })],
    })
  }

  /** As they were last loaded and listed. */
  get tools(): readonly ToolCallback[] {
    return this.#tools.tools
  }

  /** As they are now, as far as servers answer soon. */
  listTools(): Promise<readonly ToolCallback[]> {
    return this.#tools.list()
  }

  /** Asks a question. Yields every event and returns how the turn ended. */
  turn(turn: Pick<Turn, 'prompt' | 'signal' | 'decide'>): AsyncGenerator<ChatEvent, RunResult> {
    return runTurn(this.#client, { ...turn, tools: this.#tools.sources, conversation: this.#key })
  }

  /** Reloads tools that changed. Returns undefined if none did. */
  refresh(signal?: AbortSignal): Promise<Reload | undefined> {
    return this.#tools.refresh(signal)
  }

  /** Clears the conversation, also where it is kept. */
  clear(): Promise<void> {
    return this.#memory.clear(this.#key)
  }

  get #key(): string {
    return this.conversation ?? UNNAMED
  }
}
