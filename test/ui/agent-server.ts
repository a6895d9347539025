/** What a program writes to serve a chat to clients of AG-UI. */
import type { PendingRun } from 'toolwright'
import {
  fromAgUiInput,
  readPageBody,
  toAgUiStream,
  toErrorResponse,
  type PageStreamOptions,
} from 'toolwright/ui'
import type { Mode } from '../e2e/scenario.ts'
import type { WebHandler } from './http-server.ts'
import type { Scene } from './scene.ts'

export interface AgentServerOptions extends PageStreamOptions {
  readonly mode?: Mode
}

export function agentServer(
  { client, runStore }: Pick<Scene, 'client' | 'runStore'>,
  { mode = 'stream', ...options }: AgentServerOptions = {},
): WebHandler {
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
    return toAgUiStream(run[mode](), { threadId, runId, continuation, ...options })
  }
  return (request) => post(request).catch(toErrorResponse)
}
