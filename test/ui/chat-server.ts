/** What a program writes to serve a chat to `useChat`: a POST for messages and decisions, a GET to come back. */
import type { ChatRequest, PendingRun } from 'toolwright'
import {
  fromUiMessages,
  inMemoryStreams,
  readPageBody,
  replayStream,
  toErrorResponse,
  toUiMessageStream,
  type UiMessageStreamOptions,
} from 'toolwright/ui'
import type { Mode } from '../e2e/scenario.ts'
import type { WebHandler } from './http-server.ts'
import type { Scene } from './scene.ts'

export interface ChatServerOptions extends UiMessageStreamOptions {
  readonly mode?: Mode
  readonly resumable?: boolean
  readonly maxBytes?: number
  readonly request?: (request: ChatRequest) => ChatRequest
}

export function chatServer(
  { client, runStore }: Pick<Scene, 'client' | 'runStore'>,
  options: ChatServerOptions = {},
): WebHandler {
  const { mode = 'stream', resumable, maxBytes, request: change = (r) => r, ...rest } = options
  const store = inMemoryStreams()
  const post = async (request: Request): Promise<Response> => {
    const body = await readPageBody(request, maxBytes === undefined ? {} : { maxBytes })
    const conversation = String((body as { readonly id?: unknown }).id)
    const { runs } = await runStore.list({ conversation })
    const waiting: PendingRun | undefined = runs.at(-1)
    const { messages, decisions, continuation } = fromUiMessages(body, {
      pending: waiting?.pending,
    })
    const asked =
      continuation && waiting
        ? client.resume(waiting.state, decisions)
        : client.prompt(messages).conversation(conversation)
    const run = change(asked)[mode]()
    const replay = resumable ? { replay: { store, key: conversation }, state: waiting?.state } : {}
    return toUiMessageStream(run, { continuation, ...replay, ...rest })
  }
  return async (request) => {
    const [, , , chat] = new URL(request.url).pathname.split('/')
    if (request.method === 'GET') return replayStream({ store, key: chat! })
    return post(request).catch(toErrorResponse)
  }
}
