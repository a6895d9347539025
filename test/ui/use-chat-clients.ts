/** The clients of both versions of the AI SDK, of which the tests use what is the same in both. */
import * as ai6 from 'ai'
import { Chat as Chat6 } from 'ai-sdk-react-v3'
import { Chat as Chat7 } from 'ai-sdk-react-v4'
import * as ai7 from 'ai-v7'

/** A part of a message, whatever its kind. */
export interface Part {
  readonly type: string
  readonly state?: string
  readonly toolCallId?: string
  readonly [key: string]: unknown
}

export interface PageChat {
  readonly messages: readonly {
    readonly id: string
    readonly role: string
    readonly parts: readonly Part[]
    readonly metadata?: unknown
  }[]
  readonly status: string
  readonly error: Error | undefined
  sendMessage(
    message?: { text: string; files?: readonly object[] },
    options?: object,
  ): Promise<void>
  addToolApprovalResponse(response: {
    id: string
    approved: boolean
    reason?: string
    options?: object
  }): Promise<void>
  addToolOutput(output: { tool: string; toolCallId: string; output: unknown }): Promise<void>
  regenerate(): Promise<void>
  resumeStream(): Promise<void>
  stop(): Promise<void>
}

export interface PageChatOptions {
  readonly url: string
  readonly id?: string
  readonly onData?: (part: unknown) => void
  /** Sends by itself once nothing of the last step is open. */
  readonly sends?: 'approvals' | 'outputs'
  readonly messages?: readonly object[]
}

export interface AiSdk {
  readonly version: string
  chat(options: PageChatOptions): PageChat
  /** Rejects what the SDK's own schema of chunks refuses. */
  checkChunk(chunk: unknown): Promise<void>
  /** Rejects messages that the SDK would not take back. */
  checkMessages(messages: readonly unknown[]): Promise<void>
}

type Sdk = typeof ai7

const sdk = (version: string, ai: Sdk, Chat: new (init: never) => unknown): AiSdk => ({
  version,
  chat({ url, id = 'c-1', sends, ...rest }) {
    const when = {
      approvals: ai.lastAssistantMessageIsCompleteWithApprovalResponses,
      outputs: ai.lastAssistantMessageIsCompleteWithToolCalls,
    }
    return new Chat({
      id,
      transport: new ai.DefaultChatTransport({ api: `${url}/api/chat` }),
      ...(sends && { sendAutomaticallyWhen: when[sends] }),
      ...rest,
    } as never) as PageChat
  },
  async checkChunk(chunk) {
    const { validate } = ai.uiMessageChunkSchema()
    const checked = (await validate!(chunk)) as { success: boolean; error?: Error }
    if (!checked.success) throw checked.error!
  },
  checkMessages: async (messages) => void (await ai.validateUIMessages({ messages })),
})

export const AI_SDKS: readonly AiSdk[] = [
  sdk('ai 6', ai6 as unknown as Sdk, Chat6),
  sdk('ai 7', ai7, Chat7),
]
