/** What a resume asks of a program before its state is used up, and that the program then goes on from there. */
import { quickJsSandbox, type OpenProgram, type Sandbox } from '@toolwright/code-mode'
import { afterAll, describe, expect, it, vi } from 'vitest'
import {
  ChatClient,
  tool,
  toolRunOf,
  type Decisions,
  type Json,
  type JsonObject,
  type RunState,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { toldByTools } from '../e2e/scenario.ts'
import { program, programs, WAYS } from './ways.ts'

const sandbox = quickJsSandbox()
afterAll(() => sandbox.close())
const stateSecret = 'a secret of this test'
const pay = tool({ name: 'pay', approval: true, execute: () => 'paid' })

type Mode = 'call' | 'stream'
const MODES: readonly Mode[] = ['call', 'stream']

const resumed = (client: ChatClient, mode: Mode, [state, decisions]: [RunState, Decisions]) => {
  const request = client.resume(state, decisions)
  return mode === 'call' ? request.call().result() : request.stream().result()
}

/** Counts how often a program was given a place, and which places are still taken. */
function counting(): {
  readonly sandbox: Sandbox
  readonly opened: string[]
  readonly taken: Set<OpenProgram>
} {
  const opened: string[] = []
  const taken = new Set<OpenProgram>()
  const counted: Sandbox = {
    engine: sandbox.engine,
    async open(given) {
      opened.push(given.code)
      const open = await sandbox.open(given)
      const own: OpenProgram = {
        start: () => open.start(),
        deliver: (deliveries) => open.deliver(deliveries),
        dispose: () => (taken.delete(own), open.dispose()),
      }
      taken.add(own)
      return own
    },
    close: () => sandbox.close(),
  }
  return { sandbox: counted, opened, taken }
}

describe('a program that goes on', () => {
  for (const mode of MODES) {
    it(`is brought back once (${mode})`, async () => {
      const { sandbox: counted, opened, taken } = counting()
      const model = scriptedModel([program('console.log(1)\nreturn [await tools.pay()]'), 'Done.'])
      const tools = [programs([pay], { sandbox: counted })]
      const client = ChatClient.create(model, { tools, stateSecret })
      const { state } = await client.prompt('Go').call().result()
      expect([opened.length, taken.size]).toEqual([1, 0])
      const { messages } = await resumed(client, mode, [state!, { 'p/0': 'approve' }])
      expect([opened.length, taken.size]).toEqual([2, 0])
      expect(toldByTools({ messages })[0]!.content).toBe('{"result":["paid"],"console":["1"]}')
    })

    it(`keeps its place for a moment after a check, and then no longer (${mode})`, async () => {
      const { sandbox: counted, opened, taken } = counting()
      const model = scriptedModel([program('return tools.pay()'), 'Done.'])
      const tools = [programs([pay], { sandbox: counted })]
      const client = ChatClient.create(model, { tools, stateSecret })
      const { state } = await client.prompt('Go').call().result()
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      try {
        await client.resume(state!, { 'p/0': 'approve' }).check()
        expect([opened.length, taken.size]).toEqual([2, 1])
        vi.advanceTimersByTime(5_000)
        expect(taken.size).toBe(0)
      } finally {
        vi.useRealTimers()
      }
      const { status } = await resumed(client, mode, [state!, { 'p/0': 'approve' }])
      expect([status, opened.length, taken.size]).toEqual(['done', 3, 0])
    })

    it(`goes on in the place that a check has brought it to (${mode})`, async () => {
      const { sandbox: counted, opened, taken } = counting()
      const model = scriptedModel([program('return tools.pay()'), 'Done.'])
      const tools = [programs([pay], { sandbox: counted })]
      const client = ChatClient.create(model, { tools, stateSecret })
      const { state } = await client.prompt('Go').call().result()
      const request = client.resume(state!, { 'p/0': 'approve' })
      await request.check()
      await request.check()
      expect([opened.length, taken.size]).toEqual([2, 1])
      const { messages } = await resumed(client, mode, [state!, { 'p/0': 'approve' }])
      expect([opened.length, taken.size]).toEqual([2, 0])
      expect(toldByTools({ messages })[0]!.content).toBe('{"result":"paid"}')
    })

    it(`has a place of its own where another waits that was told something else (${mode})`, async () => {
      const { sandbox: counted, opened, taken } = counting()
      let looks = 0
      const look = tool({ name: 'look', execute: () => ++looks })
      const code = 'return [await tools.look(), await tools.pay()]'
      const model = scriptedModel([program(code), program(code), 'Done.', 'Done.'])
      const tools = [programs([look, pay], { sandbox: counted })]
      const client = ChatClient.create(model, { tools, stateSecret })
      const { state } = await client.prompt('Go').call().result()
      const { state: other } = await client.prompt('Go').call().result()
      const decisions: Decisions = { 'p/1': 'approve' }
      await client.resume(state!, decisions).check()
      const { messages } = await resumed(client, mode, [other!, decisions])
      expect(toldByTools({ messages })[0]!.content).toBe('{"result":[2,"paid"]}')
      expect([opened.length, taken.size]).toEqual([4, 1])
      await resumed(client, mode, [state!, decisions])
      expect([opened.length, taken.size]).toEqual([4, 0])
    })

    it(`may be longer than programs may be that begin now (${mode})`, async () => {
      const model = scriptedModel([program('return tools.pay()'), 'Done.'])
      const withLimits = (codeBytes: number): ChatClient =>
        ChatClient.create(model, {
          tools: [programs([pay], { limits: { codeBytes } })],
          stateSecret,
        })
      const { state } = await withLimits(100).prompt('Go').call().result()
      const { messages } = await resumed(withLimits(5), mode, [state!, { 'p/0': 'approve' }])
      expect(toldByTools({ messages })[0]!.content).toBe('{"result":"paid"}')
    })

    it(`may be told as much as when it began, or as now if that is more (${mode})`, async () => {
      const look = tool({ name: 'look', execute: () => 'x'.repeat(100) })
      const code = 'await tools.look()\nawait tools.pay()\nreturn (await tools.look()).length'
      const model = scriptedModel([program(code), 'Done.', program(code), 'Done.'])
      const withLimits = (journalBytes: number): ChatClient =>
        ChatClient.create(model, {
          tools: [programs([look, pay], { limits: { journalBytes } })],
          stateSecret,
        })
      for (const [before, now] of [
        [1_000, 10],
        [200, 1_000],
      ] as const) {
        // prettier-ignore
        const { state } = await withLimits(before).prompt('Go').call().result()
        const { messages } = await resumed(withLimits(now), mode, [state!, { 'p/1': 'approve' }])
        expect(toldByTools({ messages })[0]!.content).toBe('{"result":100}')
      }
    })

    it(`is left again when its run is aborted (${mode})`, async () => {
      const controller = new AbortController()
      const slow = tool({
        name: 'slow',
        execute: () => (controller.abort(new Error('Enough.')), new Promise(() => {})),
      })
      const model = scriptedModel([program('await tools.pay()\nreturn tools.slow()'), 'Done.'])
      const tools = [programs([pay, slow], { sandbox })]
      const client = ChatClient.create(model, { tools, stateSecret })
      const { state } = await client.prompt('Go').call().result()
      const request = client.resume(state!, { 'p/0': 'approve' }).signal(controller.signal)
      const running = mode === 'call' ? request.call().result() : request.stream().result()
      await expect(running).rejects.toThrow('Enough.')
    })
  }
})

describe('a result that somebody supplies and that does not fit', () => {
  const measured = tool({
    name: 'measure',
    output: { type: 'object', properties: { cm: { type: 'number' } }, required: ['cm'] },
  })

  for (const way of WAYS)
    for (const mode of MODES)
      it(`is refused, and the state can still be used: ${way.name} (${mode})`, async () => {
        const model = scriptedModel([...way.script([[{ name: 'measure' }]])])
        const client = ChatClient.create(model, { tools: way.offered([measured]), stateSecret })
        const { state, pending } = await client.prompt('Go').call().result()
        const id = way.id(0)
        expect(pending).toMatchObject([{ callId: id, kind: 'result' }])
        const wrong: Decisions = { [id]: { result: { cm: 'long' } } }
        const code = 'decision-invalid-result'
        await expect(client.resume(state!, wrong).check()).rejects.toMatchObject({ code })
        await expect(resumed(client, mode, [state!, wrong])).rejects.toMatchObject({ code })
        const { messages } = await resumed(client, mode, [state!, { [id]: { result: { cm: 3 } } }])
        expect(toldByTools({ messages })[0]!.content).toContain('"cm":3')
      })
})

describe('a tool inside a tool', () => {
  it('is asked whether it can go on, with its input, before the state is used up', async () => {
    const asked: (readonly [Json, Json])[] = []
    let canGoOn = false
    const inner = tool({
      name: 'inner',
      input: { type: 'object', properties: { n: { type: 'number' } } },
      composite: {
        tools: [pay],
        reopen(input: Json, journal: Json) {
          asked.push([input, journal])
          if (!canGoOn) throw new Error('Not now.')
        },
      },
      execute: (_input, context) => callOf(context, 'pay', {}),
    })
    const outer = tool({
      name: 'outer',
      composite: { tools: [inner] },
      execute: (_input, context) => callOf(context, 'inner', { n: 7 }),
    })
    const callOf = async (
      context: Parameters<typeof toolRunOf>[0],
      name: string,
      input: JsonObject,
    ) => {
      const run = toolRunOf(context)
      const outcome = await run.call({ index: 0, name, arguments: input })
      return 'pending' in outcome ? run.suspend({ of: name }) : outcome
    }
    const model = scriptedModel([{ toolCalls: [{ name: 'outer', id: 'o' }] }, 'Done.'])
    const client = ChatClient.create(model, { tools: [outer], stateSecret })
    const { state } = await client.prompt('Go').call().result()
    const decided: Decisions = { 'o/0/0': 'approve' }
    await expect(client.resume(state!, decided).call().result()).rejects.toThrow('Not now.')
    expect(asked).toEqual([[{ n: 7 }, { of: 'pay' }]])
    canGoOn = true
    expect((await client.resume(state!, decided).call().result()).status).toBe('done')
  })
})
