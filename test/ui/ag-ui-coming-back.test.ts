/** Clients of AG-UI that lose their connection or are loaded again, by a subclass of `HttpAgent` that can connect. */
import {
  buildResumeArray,
  HttpAgent,
  runHttpRequest,
  transformHttpEventStream,
  type Interrupt,
  type Message,
} from '@ag-ui/client'
import { ChatClient, inMemoryRunStore, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { describe, expect, it } from 'vitest'
import { agentServer } from './agent-server.ts'
import { eventually } from './eventually.ts'
import { serveInTest } from './serve-in-test.ts'

const serve = serveInTest()

/** As the guide has it. */
class ComingBack extends HttpAgent {
  /** What the page had before the run, which a replay gives from its beginning. */
  #before: Message[] = []
  #replay: Response | undefined

  override async runAgent(...given: Parameters<HttpAgent['runAgent']>) {
    this.#before = structuredClone(this.messages)
    return super.runAgent(...given)
  }

  protected override connect() {
    return transformHttpEventStream(runHttpRequest(() => Promise.resolve(this.#replay!)))
  }

  /** Whether something still runs; if not, the server has the end of it. */
  async comeBack(): Promise<boolean> {
    this.#replay = await fetch(`${this.url}/${this.threadId}`)
    if (this.#replay.status === 204) return false
    this.setMessages(structuredClone(this.#before))
    // What was answered waits no more; what waits again is at the end of the replay.
    this.pendingInterrupts = []
    await this.connectAgent()
    return true
  }
}

function waitingStage() {
  let letGo = (): void => {}
  const gate = new Promise<void>((resolve) => (letGo = resolve))
  const log: string[] = []
  const wait = tool({
    name: 'wait',
    approval: ({ long }: { long?: boolean }) => long === true,
    input: { type: 'object', properties: { long: { type: 'boolean' } } },
    async execute() {
      log.push('waits')
      await gate
      return 'waited'
    },
  })
  return { wait, log, letGo, runStore: inMemoryRunStore() }
}

describe('HttpAgent', () => {
  it('comes back to a run and has everything once', async () => {
    const { wait, log, letGo, runStore } = waitingStage()
    const model = scriptedModel([
      { text: 'One moment.', toolCalls: [{ name: 'wait', id: 'w1' }] },
      'Here I am.',
    ])
    const client = ChatClient.create(model, { tools: [wait], runStore })
    const server = await serve(agentServer({ client, runStore }, { resumable: true }))
    const agent = new ComingBack({ url: server.url, threadId: 't-1' })
    agent.addMessage({ id: 'u1', role: 'user', content: 'Go' })
    const running = agent.runAgent({ runId: 'r1' })
    await eventually(() => log).toEqual(['waits'])
    await eventually(() => agent.messages.length).toBe(2)
    // Of a connection that is cut HttpAgent 1.0.0 leaves a rejection that nobody can handle.
    agent.abortRun()
    await running

    const back = agent.comeBack()
    await eventually(() => server.sent.length).toBe(2)
    letGo()
    await back
    expect(agent.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'One moment.', toolCalls: [{ id: 'w1' }] },
      { role: 'tool', toolCallId: 'w1', content: 'waited' },
      { role: 'assistant', content: 'Here I am.' },
    ])
    expect(await agent.comeBack()).toBe(false)
    expect(agent.messages).toHaveLength(4)
  })

  it('is loaded again while a run waits, and comes back to it when it goes on', async () => {
    const { wait, log, letGo, runStore } = waitingStage()
    const form = {
      mode: 'form',
      message: 'Where to? api_key=sk-123456789',
      requestedSchema: { type: 'object', properties: { city: { type: 'string' } } },
    } as const
    const ask = tool({ name: 'ask', execute: (_input, { suspend }) => suspend(form) })
    const model = scriptedModel([
      {
        text: 'One moment.',
        toolCalls: [
          { name: 'wait', id: 'w1', arguments: { long: true } },
          { name: 'ask', id: 'a1' },
        ],
      },
      'Here I am.',
    ])
    const client = ChatClient.create(model, { tools: [wait, ask], runStore })
    const server = await serve(agentServer({ client, runStore }, { resumable: true }))
    const first = new ComingBack({ url: server.url, threadId: 't-1' })
    first.addMessage({ id: 'u1', role: 'user', content: 'Go' })
    await first.runAgent({ runId: 'r1' })

    const outcome: unknown = await (await fetch(`${server.url}/t-1/waits`)).json()
    expect(outcome).toEqual({ type: 'interrupt', interrupts: first.pendingInterrupts })
    const { interrupts } = outcome as { interrupts: Interrupt[] }
    expect(interrupts.find(({ id }) => id === 'a1')).toMatchObject({
      reason: 'question',
      message: 'Where to? api_key=[redacted]',
      responseSchema: form.requestedSchema,
    })
    const { messages: initialMessages } = first
    const agent = new ComingBack({ url: server.url, threadId: 't-1', initialMessages })
    agent.pendingInterrupts = interrupts
    await expect(agent.runAgent({ runId: 'r2' })).rejects.toThrow('2 pending interrupt(s)')

    const resume = buildResumeArray(interrupts, {
      w1: { status: 'resolved', payload: { approved: true, input: { long: false } } },
      a1: { status: 'resolved', payload: { city: 'Oslo' } },
    })
    const running = agent.runAgent({ runId: 'r3', resume })
    await eventually(() => log).toEqual(['waits'])
    agent.abortRun()
    await running
    const back = agent.comeBack()
    await eventually(() => server.sent.length).toBe(4)
    letGo()
    await back
    expect(agent.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'One moment.', toolCalls: [{ id: 'w1' }, { id: 'a1' }] },
      { role: 'tool', toolCallId: 'a1', content: '{"city":"Oslo"}' },
      // What ran is not what the model asked for.
      { role: 'tool', toolCallId: 'w1', metadata: { input: { long: false } } },
      { role: 'assistant', content: 'Here I am.' },
    ])
    expect(agent.pendingInterrupts).toEqual([])
  })
})
