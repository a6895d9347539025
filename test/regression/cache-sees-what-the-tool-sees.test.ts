/**
 * Two calls share a cached result only if the tool could not have told them apart; and each gets a result of its
 * own. Cached results once ignored the history, answers and tenant, and were one object for everybody.
 */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ChatClient,
  tool,
  toolCallingManager,
  type ChatEvent,
  type ChatRequest,
  type RunResult,
  type ToolCallback,
} from 'toolwright'
import { manualClock, scriptedModel, type ScriptedStep } from 'toolwright/testing'

const cache = { ttlMs: 60_000 }

const clientOf = (steps: readonly ScriptedStep[], tools: readonly ToolCallback[]): ChatClient =>
  ChatClient.create(scriptedModel(steps), { tools, clock: manualClock() })

/** A model that calls the tool with no arguments, once in each run. */
const calling = (name: string, runs: number): ScriptedStep[] =>
  Array.from({ length: runs }, () => [{ toolCalls: [{ name }] }, 'Ok.']).flat()

const toldIn = ({ messages }: RunResult): unknown =>
  messages.findLast((message) => message.role === 'tool')!.responses[0]!.content

const tell = async (request: ChatRequest): Promise<unknown> => toldIn(await request.call().result())

async function valueOf(request: ChatRequest): Promise<unknown> {
  const events: ChatEvent[] = []
  for await (const event of request.stream()) events.push(event)
  const result = events.find((event) => event.type === 'tool-result')
  return result?.type === 'tool-result' ? result.value : undefined
}

describe('a cached result is not shared', () => {
  it('by a tool that reads the history', async () => {
    const last = tool({
      name: 'last',
      needs: ['history'],
      cache,
      execute: (_input, { history }) => history!.at(-1),
    })
    const client = clientOf(calling('last', 2), [last])
    expect(await tell(client.prompt('My PIN is 1234'))).toMatch(/1234/)
    expect(await tell(client.prompt('What is my PIN?'))).not.toMatch(/1234/)
  })

  it('by a call whose question was answered, so that the next one asks again', async () => {
    const pay = tool({
      name: 'pay',
      cache,
      execute: (_input, { suspend }) => `paid: ${String(suspend('Sure?'))}`,
    })
    const client = clientOf(calling('pay', 3), [pay])
    const first = await client.prompt('Pay').call().result()
    const [asked] = first.pending!
    const answered = client.resume(first.state!, { [asked!.callId]: { answer: 'yes' } })
    expect(await tell(answered)).toBe('paid: yes')
    const second = await client.prompt('Pay').call().result()
    expect(second.pending).toMatchObject([{ kind: 'question', question: 'Sure?' }])
  })

  it('by a call that somebody approved: approved is run', async () => {
    let runs = 0
    const pay = tool({ name: 'pay', approval: true, cache, execute: () => `paid ${++runs}` })
    const client = clientOf(calling('pay', 2), [pay])
    for (const expected of ['paid 1', 'paid 2']) {
      const { state, pending } = await client.prompt('Pay').call().result()
      expect(await tell(client.resume(state!, { [pending![0]!.callId]: 'approve' }))).toBe(expected)
    }
  })

  it('with a call that nobody had to approve', async () => {
    let runs = 0
    const pay = tool({
      name: 'pay',
      input: z.object({ amount: z.number() }),
      approval: ({ amount }) => amount > 10,
      cache,
      execute: ({ amount }) => `paid ${amount}, ${++runs}`,
    })
    const asks = (amount: number): ScriptedStep => ({
      toolCalls: [{ name: 'pay', arguments: { amount } }],
    })
    const client = clientOf([asks(99), 'Ok.', asks(5), 'Ok.', asks(5), 'Ok.'], [pay])
    const { state, pending } = await client.prompt('Pay').call().result()
    const edited = client.resume(state!, { [pending![0]!.callId]: { edit: { amount: 5 } } })
    expect(await tell(edited)).toMatch(/^paid 5, 1/)
    expect(await tell(client.prompt('Pay'))).toBe('paid 5, 2')
    expect(await tell(client.prompt('Pay'))).toBe('paid 5, 2')
  })

  it('between tenants', async () => {
    let runs = 0
    const look = tool({ name: 'look', cache, execute: () => ++runs })
    const client = clientOf(calling('look', 3), [look])
    const of = (tenant: string, conversation: string): Promise<unknown> =>
      tell(client.prompt('Go').conversation({ tenant, conversation }))
    expect(await of('a', '1')).toBe('1')
    expect(await of('b', '1')).toBe('2')
    expect(await of('a', '2')).toBe('1')
  })

  it('once a context value has changed inside', async () => {
    const who = tool({
      name: 'who',
      cache,
      execute: (_input, { values }) => JSON.stringify(values),
    })
    const session = { user: { name: 'ada' }, rights: new Set(['read']) }
    const client = clientOf(calling('who', 4), [who])
    const ask = (): Promise<unknown> => tell(client.prompt('Go').toolContext({ session }))
    expect(await ask()).toMatch(/ada/)
    session.user.name = 'bob'
    expect(await ask()).toMatch(/bob/)
  })

  it('when a context value hides what it knows', async () => {
    class Session {
      #user = 'ada'
      login(user: string): void {
        this.#user = user
      }
      get user(): string {
        return this.#user
      }
    }
    const session = new Session()
    const who = tool({
      name: 'who',
      cache,
      execute: (_input, { values }) => (values.session as Session).user,
    })
    const client = clientOf(calling('who', 2), [who])
    const ask = (): Promise<unknown> => tell(client.prompt('Go').toolContext({ session }))
    expect(await ask()).toBe('ada')
    session.login('bob')
    expect(await ask()).toBe('bob')
  })

  it('by callbacks from scratch that share a definition', async () => {
    const { definition, metadata } = tool({ name: 'balance', cache, execute: () => '' })
    const balanceOf = (user: string): ToolCallback => ({
      definition,
      metadata,
      call: async () => `balance of ${user}`,
    })
    const manager = toolCallingManager()
    const model = scriptedModel(calling('balance', 2))
    for (const user of ['ada', 'bob']) {
      const client = ChatClient.create(model, { manager, tools: [balanceOf(user)] })
      expect(await tell(client.prompt('Go'))).toBe(`balance of ${user}`)
    }
  })

  it('by a tool that calls tools itself: they are permitted anew, and may be cached', () => {
    const look = tool({ name: 'look', cache, execute: () => 1 })
    const composite = { tools: [look] }
    expect(() => tool({ name: 'program', cache, composite, execute: () => 1 })).toThrow(
      expect.objectContaining({ code: 'invalid-tool' }),
    )
  })
})

describe('a cached result is a copy', () => {
  it('for each call: changing one changes no other, nor does the tool', async () => {
    const list = { items: [{ id: 1 }], seen: new Map([['a', 1]]) }
    let runs = 0
    const read = tool({ name: 'read', cache, execute: () => (runs++, list) })
    const client = clientOf(calling('read', 4), [read])
    const first = (await valueOf(client.prompt('Go'))) as typeof list
    first.items.push({ id: 99 })
    const second = (await valueOf(client.prompt('Go'))) as typeof list
    expect(second).toEqual({ items: [{ id: 1 }], seen: new Map([['a', 1]]) })
    second.items[0]!.id = 98
    second.seen.clear()
    const third = (await valueOf(client.prompt('Go'))) as typeof list
    expect(third).toEqual({ items: [{ id: 1 }], seen: new Map([['a', 1]]) })
    expect(runs).toBe(1)
  })

  it('of parts, too: what the model reads does not change', async () => {
    const read = tool({ name: 'read', cache, execute: () => [{ type: 'text', text: 'as it was' }] })
    const client = clientOf(calling('read', 2), [read])
    const { messages } = await client.prompt('Go').call().result()
    const told = messages.findLast((message) => message.role === 'tool')!
    ;(told.responses[0]!.content[0] as { text: string }).text = 'changed'
    expect(await tell(client.prompt('Go'))).toEqual([{ type: 'text', text: 'as it was' }])
  })

  it('and what cannot be copied is not kept', async () => {
    class Money {
      readonly cents = 5
      toJSON(): number {
        return this.cents
      }
    }
    let runs = 0
    const read = tool({ name: 'read', cache, execute: () => (runs++, new Money()) })
    const client = clientOf(calling('read', 2), [read])
    for (let run = 0; run < 2; run++)
      expect(await valueOf(client.prompt('Go'))).toBeInstanceOf(Money)
    expect(runs).toBe(2)
  })
})

it('a renamed or redefined tool of ours keeps its cache', async () => {
  let runs = 0
  const look = tool({ name: 'look', cache, execute: () => ++runs })
  const client = ChatClient.create(scriptedModel(calling('look', 3)))
  for (let run = 0; run < 3; run++) {
    const definition = { ...look.definition, description: `Looks, version ${run}` }
    expect(await tell(client.prompt('Go').tools({ ...look, definition }))).toBe('1')
  }
})

it('nameless tools of a record keep their cache and their rate over runs', async () => {
  let runs = 0
  const look = tool({ cache, execute: () => ++runs })
  const client = ChatClient.create(scriptedModel(calling('look', 3)), { tools: [{ look }] })
  for (let run = 0; run < 3; run++) expect(await tell(client.prompt('Go'))).toBe('1')
})
