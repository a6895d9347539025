/** The real `HttpAgent` of AG-UI over real HTTP, with runs that are called and streamed. */
import { buildResumeArray, HttpAgent, type Interrupt } from '@ag-ui/client'
import { ChatClient, clientTool, inMemoryRunStore, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { describe, expect, it } from 'vitest'
import { agentServer } from './agent-server.ts'
import { eventsIn } from './ag-ui-keys.ts'
import type { HttpServer } from './http-server.ts'
import { serveInTest } from './serve-in-test.ts'
import { ENDING, scene } from './scene.ts'

const serve = serveInTest()

function agentOf(server: HttpServer): HttpAgent {
  const agent = new HttpAgent({ url: server.url, threadId: 't-1' })
  agent.addMessage({ id: 'u1', role: 'user', content: 'Do it all' })
  return agent
}

/** What the last run of the agent ended with. */
function outcomeIn(server: HttpServer): {
  readonly type: string
  readonly interrupts?: Interrupt[]
} {
  const last = eventsIn(server.sent.at(-1)!).at(-1)!
  expect(last.type).toBe('RUN_FINISHED')
  return last['outcome'] as { readonly type: string }
}

describe.each(['call', 'stream'] as const)('%s', (mode) => {
  it('goes through the whole scene', async () => {
    const stage = scene()
    const server = await serve(agentServer(stage, { mode }))
    const agent = agentOf(server)
    await agent.runAgent({ runId: 'r1' })
    const { interrupts = [] } = outcomeIn(server)
    expect(interrupts).toMatchObject([
      { id: 'p1', reason: 'approval', toolCallId: 'p1', metadata: { preview: { says: 'pays 5' } } },
      { id: 'p2', reason: 'approval', metadata: { input: { amount: 900 } } },
      { id: 'c1', reason: 'result' },
    ])
    const resume = buildResumeArray(interrupts, {
      p1: { status: 'resolved', payload: { approved: true } },
      p2: { status: 'resolved', payload: { approved: false, reason: 'too much' } },
      c1: { status: 'resolved', payload: 'red' },
    })
    await agent.runAgent({ runId: 'r2', resume })
    expect(outcomeIn(server)).toEqual({ type: 'success' })
    expect(stage.paid).toEqual([5])

    const roles = agent.messages.map(({ role }) => role)
    expect(roles.filter((role) => role !== 'activity')).toEqual([
      ...['user', 'reasoning', 'assistant', 'tool', 'tool', 'tool', 'tool', 'tool', 'assistant'],
    ])
    expect(agent.messages.find(({ role }) => role === 'activity')).toMatchObject({
      activityType: 'tool-progress',
      content: { toolCallId: 'w1', progress: { asked: 'the station' } },
    })
    const assistants = agent.messages.filter(({ role }) => role === 'assistant')
    expect(assistants).toMatchObject([
      { content: 'I look at it.', toolCalls: { length: 5 } },
      { content: 'All is done.' },
    ])
    const results = agent.messages.filter(({ role }) => role === 'tool')
    expect(results.map(({ content }) => content).sort()).toEqual([
      ...['Tool "boom" failed.', 'Tool "pay" failed.', 'red', '{"degrees":3}', '{"paid":5}'],
    ])
    const metadata = Object.fromEntries(
      results.map((result) => [(result as { toolCallId: string }).toolCallId, result.metadata]),
    )
    expect(metadata['p2']).toEqual({ isError: true, denied: true })
    expect(metadata['b1']).toEqual({ isError: true })
    expect(metadata['p1']).toBeUndefined()
    expect(server.sent.join('')).not.toMatch(/hunter2|sealed/)
    const usage = server.sent.flatMap(eventsIn).at(-1)!['usage']
    expect(usage).toEqual([{ model: 'scripted', inputTokens: 30, outputTokens: 8 }])
  })

  it('lets a tool of the page alone be answered by a tool message', async () => {
    const stage = scene([{ toolCalls: [{ name: 'pick', id: 'c1' }] }, ENDING])
    const server = await serve(agentServer(stage, { mode }))
    const agent = agentOf(server)
    await agent.runAgent({ runId: 'r1' })
    expect(outcomeIn(server)).toEqual({ type: 'success', pendingToolCallIds: ['c1'] })
    agent.addMessage({ id: 't1', role: 'tool', toolCallId: 'c1', content: 'green' })
    await agent.runAgent({ runId: 'r2' })
    expect(stage.model.prompts[1]!.messages.at(-1)).toMatchObject({
      responses: [{ id: 'c1', content: 'green' }],
    })
    expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'All is done.' })
  })

  it('asks questions, takes edited arguments, and a cancelled interrupt for a no', async () => {
    const stage = scene([
      {
        toolCalls: [
          { name: 'book', id: 'q1' },
          { name: 'pay', id: 'p1', arguments: { amount: 5 } },
          { name: 'pay', id: 'p2', arguments: { amount: 6 } },
        ],
      },
      ENDING,
    ])
    const server = await serve(agentServer(stage, { mode }))
    const agent = agentOf(server)
    await agent.runAgent({ runId: 'r1' })
    const { interrupts = [] } = outcomeIn(server)
    expect(interrupts.find(({ id }) => id === 'q1')).toMatchObject({
      reason: 'question',
      message: 'At what time?',
    })
    const resume = buildResumeArray(interrupts, {
      q1: { status: 'resolved', payload: '19:30' },
      p1: { status: 'resolved', payload: { approved: true, input: { amount: 4 } } },
      p2: { status: 'cancelled' },
    })
    await agent.runAgent({ runId: 'r2', resume })
    expect(stage.paid).toEqual([4])
    expect(agent.messages).toContainEqual(
      expect.objectContaining({ toolCallId: 'q1', content: 'booked at 19:30' }),
    )
  })

  it('shows a client inside of a tool as a subagent, if it is to', async () => {
    const inner = ChatClient.create(
      scriptedModel([{ text: 'I ask.', toolCalls: [{ name: 'now', id: 'n1' }] }, 'It is noon.']),
      { tools: [tool({ name: 'now', execute: () => '12:00' })] },
    )
    const runStore = inMemoryRunStore()
    const client = ChatClient.create(
      scriptedModel([
        { toolCalls: [{ name: 'clerk', id: 'k1', arguments: { prompt: 'When?' } }] },
        ENDING,
      ]),
      { tools: [clientTool(inner, { name: 'clerk', description: 'Knows the time' })], runStore },
    )
    const server = await serve(agentServer({ client, runStore }, { mode, nested: true }))
    const agent = agentOf(server)
    await agent.runAgent({ runId: 'r1' })
    expect(outcomeIn(server)).toEqual({ type: 'success' })
    const events = server.sent.flatMap(eventsIn)
    const [started] = events.filter(({ type }) => type === 'SUBAGENT_STARTED')
    expect(started).toMatchObject({ name: 'clerk', parentToolCallId: 'k1' })
    const { subagentRunId } = started!
    const inside = agent.messages.filter(
      (message) => (message as { subagentRunId?: string }).subagentRunId === subagentRunId,
    )
    expect(inside).toMatchObject([
      { role: 'assistant', content: 'I ask.' },
      { role: 'tool', content: '12:00' },
      { role: 'assistant', content: 'It is noon.' },
    ])
  })
})
