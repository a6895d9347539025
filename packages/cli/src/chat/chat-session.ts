/** A conversation with a model: its tools, its memory, turn after turn. It knows nothing about screens. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import {
  ChatClient,
  chatMemoryAdvisor,
  inMemoryRepository,
  messageWindowMemory,
  type ChatEvent,
  type ChatMemory,
  type ChatMemoryRepository,
  type ChatModel,
  type RunResult,
  type ToolCallback,
} from 'toolwright'
import type { ChatTools, Reload } from './chat-tools.ts'
import { fileMemoryRepository } from './file-memory-repository.ts'
import { runTurn, type Turn } from './run-turn.ts'

export interface ChatSessionOptions {
  readonly model: ChatModel
  readonly tools: ChatTools
  readonly system?: string | undefined
  /** The id of a conversation that is kept in a file. Without one, the conversation ends with the process. */
  readonly conversation?: string | undefined
  readonly env: { readonly [name: string]: string | undefined }
  /** Reports what the memory could not read. */
  warn(message: string): void
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
    const { model, tools, system, conversation } = options
    this.conversation = conversation
    this.modelName = [...new Set([model.provider, model.model])].join(':')
    this.#tools = tools
    this.#memory = messageWindowMemory({
      maxMessages: REMEMBERED_MESSAGES,
      repository: conversation === undefined ? inMemoryRepository() : conversationFiles(options),
    })
    this.#client = ChatClient.create(model, {
      ...(system !== undefined && { system }),
      // The next question may be about tool results, so they are stored.
      advisors: [chatMemoryAdvisor(this.#memory, { storeToolExchange: true })],
    })
  }

  get tools(): readonly ToolCallback[] {
    return this.#tools.tools
  }

  /** Asks a question. Yields every event and returns how the turn ended. */
  turn(turn: Pick<Turn, 'prompt' | 'signal' | 'decide'>): AsyncGenerator<ChatEvent, RunResult> {
    return runTurn(this.#client, { ...turn, tools: this.tools, conversation: this.#key })
  }

  /** Reloads tools that changed. Returns undefined if none did. */
  refresh(signal?: AbortSignal): Promise<Reload | undefined> {
    return this.#tools.refresh(signal)
  }

  /** Clears the conversation, including its file. */
  clear(): Promise<void> {
    return this.#memory.clear(this.#key)
  }

  get #key(): string {
    return this.conversation ?? UNNAMED
  }
}

/** The folder for everything that the command keeps: TOOLWRIGHT_HOME, or `.toolwright` in the home folder. */
function conversationFiles({ env, warn }: ChatSessionOptions): ChatMemoryRepository {
  const home = env['TOOLWRIGHT_HOME'] || join(homedir(), '.toolwright')
  let reported = 0
  return fileMemoryRepository({
    folder: join(home, 'conversations'),
    onDamaged(file, lines) {
      if (lines > reported)
        warn(`${file} is damaged: lines that cannot be read are left out (${lines}).`)
      reported = lines
    },
  })
}
