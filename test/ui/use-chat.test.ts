/** The real `Chat` of `@ai-sdk/react`, of `ai` 6 and 7, over real HTTP, with runs that are called and streamed. */
import {
  ChatClient,
  chatMemoryAdvisor,
  inMemoryRunStore,
  messageWindowMemory,
  tool,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { toUiMessages, type UiMessage } from 'toolwright/ui'
import { describe, expect, it } from 'vitest'
import { asks, fanOut } from '../e2e/composite/program.ts'
import { chatServer } from './chat-server.ts'
import { chunksIn } from './chunk-keys.ts'
import { eventually } from './eventually.ts'
import { serveInTest } from './serve-in-test.ts'
import { ENDING, OPENING, scene } from './scene.ts'
import { AI_SDKS, type PageChat, type Part } from './use-chat-clients.ts'

const serve = serveInTest()

const partOf = (chat: PageChat, callId: string): Part =>
  chat.messages.at(-1)!.parts.find(({ toolCallId }) => toolCallId === callId)!

const partsIn = (parts: readonly object[]): readonly string[] =>
  (parts as readonly Part[])
    .map(({ type, toolCallId, state, data, output }) =>
      JSON.stringify({
        type,
        toolCallId,
        data,
        output,
        ...(toolCallId !== undefined && { state }),
      }),
    )
    .sort()

describe.each(AI_SDKS)('useChat of $version', (sdk) => {
  it('loads no message without parts, which it would refuse', async () => {
    const label = { private: true, trust: 'trusted' } as const
    const messages = toUiMessages([
      { role: 'user', content: [{ type: 'text', text: 'hunter2', label }] },
      { role: 'user', content: 'Hello' },
    ])
    expect(messages).toEqual([
      { id: 'm-0', role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
    ])
    await sdk.checkMessages(messages)
  })

  describe.each(['call', 'stream'] as const)('%s', (mode) => {
    it('goes through the whole scene in one message', async () => {
      const stage = scene()
      const server = await serve(chatServer(stage, { mode }))
      const chat = sdk.chat({ url: server.url, sends: 'approvals' })
      await chat.sendMessage({ text: 'Do it all' })
      expect(chat.error).toBeUndefined()
      expect(partOf(chat, 'w1')).toMatchObject({
        state: 'output-available',
        output: { degrees: 3 },
      })
      expect(partOf(chat, 'b1')).toMatchObject({ errorText: 'Tool "boom" failed.' })
      expect(partOf(chat, 'p1')).toMatchObject({
        state: 'approval-requested',
        input: { amount: 5 },
        approval: { id: 'p1', descriptor: { says: 'pays 5' } },
      })
      expect(partOf(chat, 'c1')).toMatchObject({ state: 'input-available' })

      await chat.addToolApprovalResponse({ id: 'p1', approved: true })
      await chat.addToolApprovalResponse({ id: 'p2', approved: false, reason: 'too much' })
      await chat.addToolOutput({ tool: 'pick', toolCallId: 'c1', output: 'red' })
      await eventually(() => `${chat.status} ${stage.model.remaining}`).toBe('ready 0')

      expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
      const [, answer] = chat.messages
      const states = ['w1', 'b1', 'p1', 'p2', 'c1'].map((id) => partOf(chat, id).state)
      expect(states).toEqual([
        ...['output-available', 'output-error', 'output-available'],
        ...['output-denied', 'output-available'],
      ])
      const said = answer!.parts.filter(({ type }) => type === 'text' || type === 'reasoning')
      expect(said).toMatchObject([
        { type: 'reasoning', text: 'The user wants it all.', state: 'done' },
        { type: 'text', text: 'I look at it.', state: 'done' },
        { type: 'text', text: 'All is done.', state: 'done' },
      ])
      expect(answer!.parts.filter(({ type }) => type === 'step-start')).toHaveLength(2)
      expect(answer!.metadata).toEqual({
        finishReason: 'stop',
        usage: { inputTokens: 30, outputTokens: 8 },
      })
      expect(stage.paid).toEqual([5])

      const chunks = server.sent.flatMap(chunksIn)
      expect(server.sent).toHaveLength(2)
      for (const chunk of chunks) await sdk.checkChunk(chunk)
      await sdk.checkMessages(chat.messages)
      expect(server.sent.join('')).not.toMatch(/hunter2|sealed/)
      const preliminary = chunks.filter(({ preliminary }) => preliminary)
      expect(preliminary).toMatchObject([{ toolCallId: 'w1', output: { asked: 'the station' } }])
    })

    it('asks a question of the page, and takes its answer', async () => {
      const stage = scene([{ toolCalls: [{ name: 'book' }] }, 'Booked.'])
      const server = await serve(chatServer(stage, { mode }))
      const chat = sdk.chat({ url: server.url, sends: 'outputs' })
      await chat.sendMessage({ text: 'A table' })
      expect(chat.messages[1]!.parts).toContainEqual({
        type: 'data-question',
        id: 'call_1',
        data: {
          toolCallId: 'call_1',
          toolName: 'book',
          kind: 'question',
          question: 'At what time?',
        },
      })
      await chat.addToolOutput({ tool: 'book', toolCallId: 'call_1', output: '19:30' })
      await eventually(() => `${chat.status} ${stage.model.remaining}`).toBe('ready 0')
      expect(partOf(chat, 'call_1')).toMatchObject({ output: 'booked at 19:30' })
      for (const chunk of server.sent.flatMap(chunksIn)) await sdk.checkChunk(chunk)
      await sdk.checkMessages(chat.messages)
    })

    it('has two calls when a model gives both the same id', async () => {
      const say = tool({
        name: 'say',
        input: { type: 'object', properties: { word: { type: 'string' } } },
        execute: ({ word }) => word,
      })
      const calls = ['a', 'b'].map((word) => ({ name: 'say', id: 'same', arguments: { word } }))
      const runStore = inMemoryRunStore()
      const model = scriptedModel([{ toolCalls: calls }, 'Said.'])
      const client = ChatClient.create(model, { tools: [say], runStore })
      const server = await serve(chatServer({ client, runStore }, { mode }))
      const chat = sdk.chat({ url: server.url })
      await chat.sendMessage({ text: 'Say both' })
      expect(chat.error).toBeUndefined()
      const parts = chat.messages[1]!.parts.filter(({ type }) => type === 'dynamic-tool')
      expect(parts).toMatchObject([
        { toolCallId: 'same', state: 'output-available', input: { word: 'a' }, output: 'a' },
        { state: 'output-available', input: { word: 'b' }, output: 'b' },
      ])
      await sdk.checkMessages(chat.messages)
    })

    it('is loaded again while the run waits, and decides then', async () => {
      const stage = scene()
      const server = await serve(chatServer(stage, { mode }))
      await sdk.chat({ url: server.url }).sendMessage({ text: 'Do it all' })
      const [run] = (await stage.runStore.list({})).runs
      const messages = toUiMessages(run!.state.messages, run!.state)
      await sdk.checkMessages(messages)
      expect(JSON.stringify(messages)).not.toMatch(/hunter2|sealed/)

      const chat = sdk.chat({ url: server.url, sends: 'approvals', messages })
      expect(partOf(chat, 'w1')).toMatchObject({ output: { degrees: 3 } })
      expect(partOf(chat, 'p1')).toMatchObject({ approval: { descriptor: { says: 'pays 5' } } })
      await chat.addToolApprovalResponse({ id: 'p1', approved: true })
      await chat.addToolOutput({ tool: 'pick', toolCallId: 'c1', output: { colour: 'red' } })
      await chat.addToolApprovalResponse({ id: 'p2', approved: false })
      await eventually(() => `${chat.status} ${stage.model.remaining}`).toBe('ready 0')
      expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
      expect(partOf(chat, 'p2').state).toBe('output-denied')
      expect(partOf(chat, 'c1')).toMatchObject({ output: { colour: 'red' } })
      expect(stage.paid).toEqual([5])
      await sdk.checkMessages(chat.messages)
    })

    it('is loaded again with what tools made and asked, as the stream showed it', async () => {
      const runStore = inMemoryRunStore()
      const why = { ask: 'It costs, api_key=sk-123456789' }
      const pay = tool({ name: 'pay', execute: () => 'paid' })
      const book = tool({
        name: 'book',
        execute: (_input, { suspend }) => `booked at ${String(suspend('At what time?'))}`,
      })
      const { toolCalls: inside } = asks('pay', 'book')
      const model = scriptedModel([
        { text: 'I do.', toolCalls: [...inside, { name: 'book', id: 'q1' }] },
        'Done.',
      ])
      const client = ChatClient.create(model, {
        tools: [fanOut([pay, book]), book],
        policy: ({ toolName }) => (toolName === 'pay' ? why : 'allow'),
        runStore,
      })
      const server = await serve(chatServer({ client, runStore }, { mode }))
      const first = sdk.chat({ url: server.url })
      await first.sendMessage({ text: 'Go' })
      const [run] = (await runStore.list({})).runs
      const messages = toUiMessages(run!.state.messages, run!.state)
      await sdk.checkMessages(messages)
      // In another order: a loaded page has what stands in no message at its end.
      expect(partsIn(messages[1]!.parts)).toEqual(partsIn(first.messages[1]!.parts))

      const chat = sdk.chat({ url: server.url, sends: 'approvals', messages })
      expect(partOf(chat, 'p')).toMatchObject({ output: { waitsFor: ['p/0', 'p/1'] } })
      const { requestReason } = partOf(chat, 'p/0')['approval'] as { requestReason: string }
      expect(requestReason).toBe('It costs, api_key=[redacted]')
      await chat.addToolOutput({ tool: 'book', toolCallId: 'q1', output: '19:30' })
      await chat.addToolOutput({ tool: 'book', toolCallId: 'p/1', output: '20:00' })
      await chat.addToolApprovalResponse({ id: 'p/0', approved: true })
      await eventually(() => `${chat.status} ${model.remaining}`).toBe('ready 0')
      expect(partOf(chat, 'p')).toMatchObject({ output: ['paid', 'booked at 20:00'] })
      expect(partOf(chat, 'q1')).toMatchObject({ output: 'booked at 19:30' })
      await sdk.checkMessages(chat.messages)
    })

    it('approves what a tool inside of a tool asks, also when it is loaded again', async () => {
      const runStore = inMemoryRunStore()
      const pay = tool({ name: 'pay', approval: true, execute: () => 'paid' })
      const calls = asks({ name: 'inner', input: { calls: [{ name: 'pay' }] } })
      const model = scriptedModel([calls, 'Done.', calls, 'Done.'])
      const tools = [fanOut([fanOut([pay], 'inner')])]
      const client = ChatClient.create(model, { tools, runStore })
      const server = await serve(chatServer({ client, runStore }, { mode }))
      for (const isLoaded of [false, true]) {
        const url = server.url
        const asking = sdk.chat({ url, sends: 'approvals' })
        await asking.sendMessage({ text: 'Go' })
        const state = (await runStore.list({})).runs[0]!.state
        const messages = toUiMessages(state.messages, state)
        const chat = isLoaded ? sdk.chat({ url, sends: 'approvals', messages }) : asking
        expect(partOf(chat, 'p')).toMatchObject({ output: { waitsFor: ['p/0/0'] } })
        await chat.addToolApprovalResponse({ id: 'p/0/0', approved: true })
        await eventually(() => `${chat.status} ${model.remaining}`).toBe(
          `ready ${isLoaded ? 0 : 2}`,
        )
        expect(partOf(chat, 'p')).toMatchObject({ output: [['paid']] })
      }
    })

    it('is loaded again after somebody said no, which is no failure', async () => {
      const memory = messageWindowMemory()
      const pay = tool({ name: 'pay', approval: true, execute: () => 'paid' })
      const ask = tool({ name: 'ask', execute: (_input, { suspend }) => suspend('Which?') })
      const forbidden = tool({ name: 'forbidden', execute: () => 'never' })
      const calls = Object.entries({ no: 'pay', yes: 'pay', later: 'pay', ask: 'ask', forbidden: 'forbidden' }) // prettier-ignore
      const model = scriptedModel([
        { toolCalls: calls.map(([id, name]) => ({ id, name })) },
        'Done.',
      ])
      const client = ChatClient.create(model, {
        tools: [pay, ask, forbidden],
        policy: ({ toolName }) => (toolName === 'forbidden' ? 'deny' : 'allow'),
        advisors: [chatMemoryAdvisor(memory, { storeToolExchange: true })],
      })
      const states = async (messages: readonly UiMessage[]): Promise<object> => {
        await sdk.checkMessages(messages)
        const parts = messages.flatMap((message) => message.parts)
        return Object.fromEntries(
          parts.flatMap(({ toolCallId, state }) => (toolCallId ? [[toolCallId, state]] : [])),
        )
      }
      const { state } = await client.prompt('Go').conversation('c')[mode]().result()
      const first = { no: { deny: 'too much' }, yes: 'approve', ask: { deny: '' } } as const
      const { state: open } = await client.resume(state!, first)[mode]().result()
      const so = {
        no: 'output-denied',
        yes: 'output-available',
        ask: 'output-error',
        forbidden: 'output-error',
      }
      expect(await states(toUiMessages(open!.messages, open))).toEqual({
        ...so,
        later: 'approval-requested',
      })
      await client
        .resume(open!, { later: { deny: 'no' } })
        [mode]()
        .result()
      const messages = toUiMessages(await memory.get('c'))
      expect(await states(messages)).toEqual({ ...so, later: 'output-denied' })
      expect(JSON.stringify(messages)).not.toContain('too much')
      const part = messages[1]!.parts.find(({ toolCallId }) => toolCallId === 'no')
      expect(part).toMatchObject({ approval: { id: 'no', approved: false } })
    })

    it('edits what it approves, and decides one thing after the other', async () => {
      const stage = scene([OPENING, ENDING])
      const server = await serve(chatServer(stage, { mode }))
      const chat = sdk.chat({ url: server.url })
      await chat.sendMessage({ text: 'Do it all' })
      const decide = (decisions: object): Promise<void> =>
        chat.sendMessage(undefined, { body: { decisions } })
      await decide({ p1: { edit: { amount: 4 } } })
      expect(partOf(chat, 'p1')).toMatchObject({
        state: 'output-available',
        input: { amount: 4 },
        output: expect.stringContaining('{"paid":4}') as string,
      })
      expect(partOf(chat, 'p2').state).toBe('approval-requested')
      await decide({ p2: { deny: 'no' }, c1: { result: 'red' } })
      expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
      expect(['p2', 'c1'].map((id) => partOf(chat, id).state)).toEqual([
        ...['output-denied', 'output-available'],
      ])
      expect(stage.paid).toEqual([4])
    })

    it('sends files, and asks again for another answer', async () => {
      const stage = scene([ENDING, 'Another.'])
      const server = await serve(chatServer(stage, { mode }))
      const chat = sdk.chat({ url: server.url })
      const url = 'data:image/png;base64,iVBORw0KGgo='
      const files = [{ type: 'file', mediaType: 'image/png', filename: 'a.png', url }]
      await chat.sendMessage({ text: 'Look', files })
      await chat.regenerate()
      expect(chat.error).toBeUndefined()
      expect(chat.messages[1]!.parts.at(-1)).toMatchObject({ text: 'Another.' })
      const asked = stage.model.prompts.map(({ messages }) => messages)
      expect(asked[1]).toEqual(asked[0])
      expect(asked[0]).toMatchObject([
        {
          role: 'user',
          content: expect.arrayContaining([
            { type: 'text', text: 'Look' },
            { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=', name: 'a.png' },
          ]) as object,
          label: { trust: 'untrusted' },
        },
      ])
    })
  })
})
