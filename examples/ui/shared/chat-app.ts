/** A chat for `useChat` without its server: memory and waiting runs in SQLite, approvals in the page. */
import type { IncomingMessage } from 'node:http'
import { openDatabase, sqlMemoryRepository, sqlRunStore } from '@toolwright/sql'
import { ChatClient, chatMemoryAdvisor, messageWindowMemory, tool } from 'toolwright'
import { scriptedModel, type ScriptedStep } from 'toolwright/testing'
import {
  fromUiMessages,
  inMemoryStreams,
  PageError,
  readPageBody,
  replayStream,
  toErrorResponse,
  toUiMessages,
  toUiMessageStream,
} from 'toolwright/ui'
import { z } from 'zod'
import { OneAtATime, untilEnd } from './one-at-a-time.ts'

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
  /** With `replay` a page that stops only leaves: this ends the run. */
  stop(chat: string): Promise<Response>
  close(): Promise<void>
}

/** @param steps stand for a language model; `openai('gpt-5.4')` would stand here */
export async function chatApp(address: string, steps: readonly ScriptedStep[]): Promise<ChatApp> {
  const database = await openDatabase(address)
  const repository = sqlMemoryRepository(database)
  const memory = messageWindowMemory({ repository })
  const runStore = sqlRunStore(database)
  const store = inMemoryStreams()
  const nameOf = (chat: string) => JSON.stringify(keyOf(chat))
  const replay = (chat: string) => ({ store, key: nameOf(chat) })
  const client = ChatClient.create(scriptedModel(steps), {
    tools: [pay],
    // With the calls, so that a page that is loaded again shows them.
    advisors: [chatMemoryAdvisor(memory, { storeToolExchange: true })],
    runStore,
    stateSecret: 'at least sixteen characters',
  })
  const waitingIn = async (chat: string) => (await runStore.list(keyOf(chat))).runs.at(-1)

  const turns = new OneAtATime()

  /** What runs when the page has sent this. */
  async function asked(id: string, body: unknown) {
    const waiting = await waitingIn(id)
    const { pending, state } = waiting ?? {}
    const { messages, decisions, continuation, trigger } = fromUiMessages(body, { pending })
    if (continuation && state)
      return { request: client.resume(state, decisions), continuation, state }
    // Another run would not know of the one that waits, and the page would show only one of them.
    if (state) throw new PageError('page-decision', 'Something waits to be decided first.')
    if (trigger === 'regenerate-message') await forgetLast(id)
    return { request: client.prompt(messages).conversation(keyOf(id)) }
  }

  /** What is said again takes the place of what was said and answered. */
  async function forgetLast(id: string): Promise<void> {
    const known = await repository.find(keyOf(id))
    const last = known.findLastIndex(({ role }) => role === 'user')
    await repository.replace(keyOf(id), known.slice(0, Math.max(last, 0)))
  }

  async function answered(id: string, body: unknown): Promise<Response> {
    const { signal, end } = turns.begin(nameOf(id))
    try {
      const { request, ...goesOn } = await asked(id, body)
      const events = untilEnd(request.signal(signal).stream(), end)
      return toUiMessageStream(events, { ...goesOn, replay: replay(id) })
    } catch (error) {
      end()
      throw error
    }
  }

  return {
    async post(request) {
      try {
        const body = await readPageBody(request)
        const named = z.object({ id: z.string() }).safeParse(body)
        if (!named.success) throw new PageError('page-body', 'The chat has no id.')
        return await answered(named.data.id, body)
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
    async stop(chat) {
      await turns.stop(nameOf(chat))
      return new Response(null, { status: 204 })
    },
    close: () => database.close(),
  }
}
