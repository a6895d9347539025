/** A chat for `useChat` without its server: memory and waiting runs in SQLite, approvals in the page. */
import type { IncomingMessage } from 'node:http'
import { openDatabase, sqlMemoryRepository, sqlRunStore } from '@toolwright/sql'
import { ChatClient, chatMemoryAdvisor, messageWindowMemory, tool } from 'toolwright'
import { scriptedModel, type ScriptedStep } from 'toolwright/testing'
import {
  fromUiMessages,
  inMemoryStreams,
  readPageBody,
  replayStream,
  toErrorResponse,
  toUiMessages,
  toUiMessageStream,
} from 'toolwright/ui'
import { z } from 'zod'

const pay = tool({
  name: 'pay',
  description: 'Pay an invoice',
  input: z.object({ amount: z.number() }),
  approval: true,
  preview: ({ amount }) => ({ says: `Pays ${amount} from the main account` }),
  execute: ({ amount }) => ({ paid: amount }),
})

/** Whose conversation it is comes from the session, never from the body. */
const keyOf = (chat: string) => ({ tenant: 'user-7', conversation: chat })

export interface ChatApp {
  /** What the page sends: words of the user, or what was decided. */
  post(request: Request | IncomingMessage): Promise<Response>
  /** What `useChat({ messages })` begins with. */
  load(chat: string): Promise<Response>
  /** What `useChat({ resume: true })` asks for. */
  resume(chat: string): Promise<Response>
  close(): Promise<void>
}

/** @param steps stand for a language model; `openai('gpt-5.4')` would stand here */
export async function chatApp(address: string, steps: readonly ScriptedStep[]): Promise<ChatApp> {
  const database = await openDatabase(address)
  const memory = messageWindowMemory({ repository: sqlMemoryRepository(database) })
  const runStore = sqlRunStore(database)
  const store = inMemoryStreams()
  const replay = (chat: string) => ({ store, key: JSON.stringify(keyOf(chat)) })
  const client = ChatClient.create(scriptedModel(steps), {
    tools: [pay],
    // With the calls, so that a page that is loaded again shows them.
    advisors: [chatMemoryAdvisor(memory, { storeToolExchange: true })],
    runStore,
    stateSecret: 'at least sixteen characters',
  })
  const waitingIn = async (chat: string) => (await runStore.list(keyOf(chat))).runs.at(-1)

  return {
    async post(request) {
      try {
        const body = await readPageBody(request)
        const { id } = z.object({ id: z.string() }).parse(body)
        const waiting = await waitingIn(id)
        const asked = fromUiMessages(body, { pending: waiting?.pending })
        const { messages, decisions, continuation } = asked
        const run =
          continuation && waiting
            ? client.resume(waiting.state, decisions)
            : client.prompt(messages).conversation(keyOf(id))
        const { state } = waiting ?? {}
        return toUiMessageStream(run.stream(), { continuation, state, replay: replay(id) })
      } catch (error) {
        return toErrorResponse(error)
      }
    },
    async load(chat) {
      const waiting = await waitingIn(chat)
      return Response.json(
        waiting
          ? toUiMessages(waiting.state.messages, waiting.state)
          : toUiMessages(await memory.get(keyOf(chat))),
      )
    },
    resume: (chat) => replayStream(replay(chat)),
    close: () => database.close(),
  }
}
