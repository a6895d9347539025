/** What a program writes to serve a chat to clients of AG-UI. */
import type { PendingRun } from 'toolwright'
import {
  fromAgUiInput,
  inMemoryStreams,
  readPageBody,
  replayStream,
  toAgUiOutcome,
  toAgUiStream,
  toErrorResponse,
  type PageStreamOptions,
} from 'toolwright/ui'
import type { Mode } from '../e2e/scenario.ts'
import type { WebHandler } from './http-server.ts'
import type { Scene } from './scene.ts'

export interface AgentServerOptions extends PageStreamOptions {
  readonly mode?: Mode
  readonly resumable?: boolean
}

export function agentServer(
  { client, runStore }: Pick<Scene, 'client' | 'runStore'>,
  { mode = 'stream', resumable, ...options }: AgentServerOptions = {},
): WebHandler {
  const store = inMemoryStreams()
  const post = async (request: Request): Promise<Response> => {
    const body = await readPageBody(request)
    const conversation = String((body as { readonly threadId?: unknown }).threadId)
    const { runs } = await runStore.list({ conversation })
    const waiting: PendingRun | undefined = runs.at(-1)
    const asked = fromAgUiInput(body, { pending: waiting?.pending })
    const { threadId, runId, messages, decisions, continuation } = asked
    const run =
      continuation && waiting
        ? client.resume(waiting.state, decisions)
        : client.prompt(messages).conversation(threadId)
    const replay = resumable ? { replay: { store, key: threadId } } : {}
    return toAgUiStream(run[mode](), { threadId, runId, continuation, ...replay, ...options })
  }
  return async (request) => {
    const [, thread, what] = new URL(request.url).pathname.split('/')
    if (what === 'waits') {
      const { runs } = await runStore.list({ conversation: thread! })
      return Response.json(toAgUiOutcome(runs.at(-1)?.pending ?? []))
    }
    if (request.method === 'GET') return replayStream({ store, key: thread! })
    return post(request).catch(toErrorResponse)
  }
}
