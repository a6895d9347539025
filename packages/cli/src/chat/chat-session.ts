/** A conversation with a model: its tools, its memory, turn after turn. Knows nothing of screens. */
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
  /** Remembered in a file; without an id the conversation ends with the process. */
  readonly conversation?: string | undefined
  readonly env: { readonly [name: string]: string | undefined }
  /** Told what the memory could not read. */
  warn(message: string): void
}

/** Enough for a long talk with tools; whole turns leave, oldest first. */
const REMEMBERED_MESSAGES = 200
const UNNAMED = 'this-process'

export class ChatSession {
  readonly conversation: string | undefined
  /** `provider:model`, or only the one when they are the same. */
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
      // What tools gave is what the next question is about.
      advisors: [chatMemoryAdvisor(this.#memory, { storeToolExchange: true })],
    })
  }

  get tools(): readonly ToolCallback[] {
    return this.#tools.tools
  }

  /** Asks; yields every event, gives how it ended. */
  turn(turn: Pick<Turn, 'prompt' | 'signal' | 'decide'>): AsyncGenerator<ChatEvent, RunResult> {
    return runTurn(this.#client, { ...turn, tools: this.tools, conversation: this.#key })
  }

  /** Loads tools again that changed. Undefined: none did. */
  refresh(signal?: AbortSignal): Promise<Reload | undefined> {
    return this.#tools.refresh(signal)
  }

  /** Forgets what was said, also in the file. */
  clear(): Promise<void> {
    return this.#memory.clear(this.#key)
  }

  get #key(): string {
    return this.conversation ?? UNNAMED
  }
}

/** The folder of everything the command keeps: TOOLWRIGHT_HOME, or `.toolwright` at home. */
function conversationFiles({ env, warn }: ChatSessionOptions): ChatMemoryRepository {
  const home = env['TOOLWRIGHT_HOME'] || join(homedir(), '.toolwright')
  let known = 0
  return fileMemoryRepository({
    folder: join(home, 'conversations'),
    onDamaged(file, lines) {
      if (lines > known)
        warn(`${file} is damaged: lines that cannot be read are left out (${lines}).`)
      known = lines
    },
  })
}
