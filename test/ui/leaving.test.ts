/** Browsers that leave, stop, lose their connection and come back. */
import { HttpAgent } from '@ag-ui/client'
import { ChatClient, inMemoryRunStore, tool } from 'toolwright'
import {
  inMemoryStreams,
  replayStream,
  toUiMessageStream,
  type PageStreamOptions,
  type StreamStore,
} from 'toolwright/ui'
import { scriptedModel } from 'toolwright/testing'
import { describe, expect, it } from 'vitest'
import { agentServer } from './agent-server.ts'
import { chatServer } from './chat-server.ts'
import { chunksIn } from './chunk-keys.ts'
import { eventually } from './eventually.ts'
import { serveInTest } from './serve-in-test.ts'
import { AI_SDKS, type PageChat } from './use-chat-clients.ts'

const serve = serveInTest()

/** A tool that waits until it is let go, or aborted. */
function waitingStage() {
  const log: string[] = []
  let letGo = (): void => {}
  const gate = new Promise<void>((resolve) => (letGo = resolve))
  const wait = tool({
    name: 'wait',
    async execute(_input: unknown, { signal }) {
      log.push('waits')
      const aborted = new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => {
          log.push('aborted')
          resolve()
        }),
      )
      await Promise.race([gate, aborted])
      log.push('goes on')
      return 'waited'
    },
  })
  const model = scriptedModel([
    { text: 'One moment.', toolCalls: [{ name: 'wait' }] },
    'Here I am.',
  ])
  const runStore = inMemoryRunStore()
  const client = ChatClient.create(model, { tools: [wait], runStore })
  return { client, runStore, model, log, letGo, gate }
}

describe.each(AI_SDKS)('useChat of $version', (sdk) => {
  it('aborts the run when it stops', async () => {
    const stage = waitingStage()
    const server = await serve(chatServer(stage))
    const chat = sdk.chat({ url: server.url })
    const sending = chat.sendMessage({ text: 'Go' })
    await eventually(() => stage.log).toEqual(['waits'])
    await chat.stop()
    await sending
    await eventually(() => stage.log).toContain('aborted')
    expect(stage.model.remaining).toBe(1)
  })

  it('lets the run finish without it, if it is to', async () => {
    const stage = waitingStage()
    const server = await serve(chatServer(stage, { onLeave: 'finish' }))
    const chat = sdk.chat({ url: server.url })
    const sending = chat.sendMessage({ text: 'Go' })
    await eventually(() => stage.log).toEqual(['waits'])
    await chat.stop()
    await sending
    stage.letGo()
    await eventually(() => stage.model.remaining).toBe(0)
    expect(stage.log).toEqual(['waits', 'goes on'])
  })

  it('comes back after its connection was cut, and has everything once', async () => {
    const stage = waitingStage()
    const server = await serve(chatServer(stage, { resumable: true }))
    const chat = sdk.chat({ url: server.url })
    const sending = chat.sendMessage({ text: 'Go' })
    await eventually(() => stage.log).toEqual(['waits'])
    await eventually(() => chat.messages.length).toBe(2)
    server.cut()
    await sending
    expect(chat.status).toBe('error')

    const resuming = chat.resumeStream()
    await eventually(() => server.sent.length).toBe(2)
    stage.letGo()
    await resuming
    expect(chat.status).toBe('ready')
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    const texts = chat.messages[1]!.parts.filter(({ type }) => type === 'text')
    expect(texts.map(({ text }) => text)).toEqual(['One moment.', 'Here I am.'])
    expect(chunksIn(server.sent[1]!)[0]).toMatchObject({ type: 'start' })
    // Nothing runs any more, so there is nothing to come back to.
    expect((await fetch(`${server.url}/api/chat/c-1/stream`)).status).toBe(204)
  })
})

it('HttpAgent of AG-UI aborts the run when it stops', async () => {
  const stage = waitingStage()
  const server = await serve(agentServer(stage))
  const agent = new HttpAgent({ url: server.url, threadId: 't-1' })
  agent.addMessage({ id: 'u1', role: 'user', content: 'Go' })
  const running = agent.runAgent({ runId: 'r1' })
  await eventually(() => stage.log).toEqual(['waits'])
  agent.abortRun()
  await running
  await eventually(() => stage.log).toContain('aborted')
  expect(stage.model.remaining).toBe(1)
})

/** A run that goes on after an approval, and then waits inside of its tool. */
function payingStage() {
  const { log, letGo, gate, runStore } = waitingStage()
  const pay = tool({
    name: 'pay',
    approval: true,
    async execute() {
      log.push('pays')
      await gate
      return 'paid'
    },
  })
  const look = tool({ name: 'look', execute: () => ({ due: 2 }) })
  const bank = tool({
    name: 'bank',
    execute() {
      throw new Error('closed')
    },
  })
  const calls = Object.entries({ l: 'look', b: 'bank', p1: 'pay', p2: 'pay', p3: 'pay' })
  const model = scriptedModel([
    { text: 'I look.', toolCalls: [{ name: 'look', id: 'l0' }] },
    { text: 'Two are due.', toolCalls: calls.map(([id, name]) => ({ id, name })) },
    'One is paid.',
    'The other too.',
  ])
  const client = ChatClient.create(model, { tools: [pay, look, bank], runStore })
  return { client, runStore, model, log, letGo }
}

describe.each(AI_SDKS)('useChat of $version comes back to a run that goes on', (sdk) => {
  const ALL = [
    ...['l0 output-available', 'l output-available', 'b output-error'],
    ...['p1 output-available', 'p2 output-denied', 'p3 approval-requested'],
  ]
  const statesIn = (chat: PageChat): readonly string[] =>
    chat.messages[1]!.parts.flatMap(({ toolCallId, state }) =>
      toolCallId === undefined ? [] : [`${toolCallId} ${state}`],
    )
  const textsIn = (chat: PageChat): readonly unknown[] =>
    chat.messages[1]!.parts.flatMap(({ type, text }) => (type === 'text' ? [text] : []))

  /** Leaves while a tool runs that was approved. */
  const left = async (options: PageStreamOptions = {}) => {
    const stage = payingStage()
    const server = await serve(chatServer(stage, { resumable: true, ...options }))
    const chat = sdk.chat({ url: server.url })
    await chat.sendMessage({ text: 'Pay' })
    const decisions = { p1: 'approve', p2: { deny: 'no' } }
    const sending = chat.sendMessage(undefined, { body: { decisions } })
    await eventually(() => stage.log).toEqual(['pays'])
    await eventually(() => server.sent[1]).toContain('tool-output-denied')
    expect(server.sent[1]).not.toContain('Two are due.')
    server.cut()
    await sending
    expect(chat.status).toBe('error')
    return { stage, server, chat }
  }

  it.each(['in the same tab', 'after the page was loaded again'])('%s', async (where) => {
    const { stage, server, chat: old } = await left()
    const messages = old.messages.slice(0, 1)
    const isSame = where === 'in the same tab'
    const chat = isSame ? old : sdk.chat({ url: server.url, messages })
    const resuming = chat.resumeStream()
    await eventually(() => server.sent.length).toBe(3)
    stage.letGo()
    await resuming
    expect(chat.error).toBeUndefined()
    expect(chat.status).toBe('ready')
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(statesIn(chat)).toEqual(ALL)
    expect(textsIn(chat)).toEqual(['I look.', 'Two are due.'])
    for (const chunk of chunksIn(server.sent[2]!)) await sdk.checkChunk(chunk)

    await chat.sendMessage(undefined, { body: { decisions: { p3: 'approve' } } })
    expect(statesIn(chat).at(-1)).toBe('p3 output-available')
    expect(textsIn(chat)).toEqual(['I look.', 'Two are due.', 'One is paid.'])
    expect(chat.messages[1]!.parts.filter(({ type }) => type === 'step-start')).toHaveLength(3)
  })

  it('and reads no earlier result of which the program chooses what a page reads', async () => {
    const { stage, server, chat } = await left({ output: () => 'chosen' })
    const resuming = chat.resumeStream()
    await eventually(() => server.sent.length).toBe(3)
    stage.letGo()
    await resuming
    expect(chat.error).toBeUndefined()
    const outputs = chat.messages[1]!.parts.map(({ toolCallId, output }) => [toolCallId, output])
    expect(outputs).toContainEqual(['l', null])
    expect(outputs).toContainEqual(['p1', 'chosen'])
    expect(server.sent.join('')).not.toContain('"due"')
  })

  it('not without its state: the page keeps what it has', async () => {
    const stage = payingStage()
    const server = await serve(chatServer(stage, { resumable: true, state: undefined }))
    const chat = sdk.chat({ url: server.url })
    await chat.sendMessage({ text: 'Pay' })
    const decisions = { p1: 'approve', p2: { deny: 'no' }, p3: { deny: 'no' } }
    const sending = chat.sendMessage(undefined, { body: { decisions } })
    await eventually(() => stage.log).toEqual(['pays'])
    server.cut()
    await sending
    await chat.resumeStream()
    expect(chat.error).toBeUndefined()
    expect(textsIn(chat)).toEqual(['I look.', 'Two are due.'])
    stage.letGo()
    await eventually(() => stage.model.remaining).toBe(1)
  })
})

describe('streams kept in memory', () => {
  const textOf = async (store: StreamStore, key: string): Promise<string> =>
    (await replayStream({ store, key })).text()

  it('are read from the beginning by any number, until they end', async () => {
    const store = inMemoryStreams()
    const kept = store.begin('a')
    void kept.write('one ')
    const first = textOf(store, 'a')
    void kept.write('two ')
    const second = textOf(store, 'a')
    void kept.write('three')
    void kept.end()
    expect(await Promise.all([first, second])).toEqual(['one two three', 'one two three'])
    expect(store.read('a')).toBeUndefined()
  })

  it('are forgotten when there are too many, the oldest first', async () => {
    const store = inMemoryStreams({ maxStreams: 2 })
    for (const key of ['a', 'b', 'c']) void store.begin(key).write(key)
    expect(store.read('a')).toBeUndefined()
    expect(store.read('b')).toBeDefined()
    expect(store.read('c')).toBeDefined()
  })

  it('are forgotten when one is too long', async () => {
    const store = inMemoryStreams({ maxLength: 10 })
    const kept = store.begin('a')
    void kept.write('12345')
    const reading = textOf(store, 'a')
    void kept.write('123456')
    expect(store.read('a')).toBeUndefined()
    await reading
  })

  it('begin anew under the same key, and the end of the old one is not theirs', async () => {
    const store = inMemoryStreams()
    const old = store.begin('a')
    const kept = store.begin('a')
    void old.end()
    void kept.write('new')
    const reading = textOf(store, 'a')
    void kept.end()
    expect(await reading).toBe('new')
  })

  it('end when the browser has left before the run began', async () => {
    const store = inMemoryStreams()
    const model = scriptedModel(['Never said.'])
    const run = ChatClient.create(model).prompt('Hi').stream()
    const options = { replay: { store, key: 'a' }, onLeave: 'abort' } as const
    await toUiMessageStream(run, options).body!.cancel()
    expect(store.read('a')).toBeUndefined()
    expect(model.remaining).toBe(1)
  })

  it.each(['throws', 'rejects'])(
    'may fail (%s): the page has its stream, the program the error',
    async (how) => {
      const fail = (): Promise<void> => {
        const error = new Error('The store is down.')
        if (how === 'throws') throw error
        return Promise.reject(error)
      }
      const store: StreamStore = {
        begin: () => ({ write: fail, end: fail }),
        read: () => undefined,
      }
      const errors: unknown[] = []
      const run = ChatClient.create(scriptedModel(['Hello.']))
        .prompt('Hi')
        .stream()
      const response = toUiMessageStream(run, {
        replay: { store, key: 'a' },
        onError: (error) => errors.push(error),
      })
      expect(chunksIn(await response.text()).at(-1)).toMatchObject({ type: 'finish' })
      expect(errors).toContainEqual(new Error('The store is down.'))
    },
  )
})
