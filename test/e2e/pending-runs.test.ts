/** Runs that wait, as a run store keeps them. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  clientTool,
  inMemoryRunStore,
  tool,
  toolCallingManager,
  type ChatClientOptions,
  type ConversationKey,
  type PendingRun,
  type RunResult,
  type RunStore,
} from 'toolwright'
import { manualClock, scriptedModel, type ManualClock, type ScriptedStep } from 'toolwright/testing'
import { eventsOf, scenario, typesOf } from './scenario.ts'

const modes = ['call', 'stream'] as const
const pay = tool({ name: 'pay', approval: true, execute: () => 'paid' })
const PAY: ScriptedStep = { toolCalls: [{ name: 'pay' }] }

const clientWith = (
  runStore: RunStore,
  script: readonly ScriptedStep[],
  options: ChatClientOptions = {},
): ChatClient => ChatClient.create(scriptedModel(script), { runStore, tools: [pay], ...options })

const result = (
  client: ChatClient,
  mode: 'call' | 'stream',
  conversation?: ConversationKey,
): Promise<RunResult> => {
  const request = client.prompt('Pay')
  return (conversation === undefined ? request : request.conversation(conversation))
    [mode]()
    .result()
}

describe.each(modes)('a run that waits, in %s', (mode) => {
  it('is kept until it is resumed, and again when it waits again', async () => {
    const store = inMemoryRunStore()
    const clock = manualClock()
    const client = clientWith(store, [PAY, PAY, 'Done.'], { clock })
    const first = await result(client, mode, { tenant: 't', conversation: 'c' })
    const { runId, id: stateId } = first.state!
    const kept: PendingRun = {
      runId,
      stateId,
      conversation: { tenant: 't', conversation: 'c' },
      pending: first.pending!,
      state: first.state!,
      savedAt: clock.now(),
    }
    expect(await store.find(runId)).toEqual(kept)
    expect(await store.list({ tenant: 't' })).toEqual({ runs: [kept] })
    expect(await store.list({ conversation: 'c' })).toEqual({ runs: [] })

    const found = (await store.find(runId))!
    const decisions = { [found.pending[0]!.callId]: 'approve' as const }
    const second = await client.resume(found.state, decisions)[mode]().result()
    expect(second.status).toBe('suspended')
    expect(second.state!.id).not.toBe(stateId)
    const { runs } = await store.list({})
    expect(runs).toEqual([
      { ...kept, stateId: second.state!.id, pending: second.pending, state: second.state },
    ])

    const again = { [second.pending![0]!.callId]: { deny: 'No.' } }
    const last = await client.resume(runs[0]!.state, again)[mode]().result()
    expect(last.status).toBe('done')
    expect(await store.find(runId)).toBeUndefined()
    expect(await store.list({})).toEqual({ runs: [] })
  })

  it('stays when a resume is refused before it begins', async () => {
    const store = inMemoryRunStore()
    const client = clientWith(store, [PAY])
    const { state } = await result(client, mode)
    await expect(client.resume(state!, { other: 'approve' })[mode]().result()).rejects.toThrow()
    expect((await store.list({})).runs).toHaveLength(1)
  })

  it('names its conversation only if the request named one', async () => {
    const store = inMemoryRunStore()
    const odd = clientWith(store, [PAY]).prompt('Pay').param('conversation', { id: 7 })
    await odd[mode]().result()
    await result(clientWith(store, [PAY]), mode)
    const { runs } = await store.list({})
    expect(runs).toHaveLength(2)
    for (const run of runs) expect(run).not.toHaveProperty('conversation')
  })

  it('of a client inside a tool is kept once: by the run around it', async () => {
    const store = inMemoryRunStore()
    const inner = clientWith(store, [PAY, 'Paid.'])
    const ask = clientTool(inner, { name: 'ask', description: 'Pays' })
    const outer = clientWith(
      store,
      [{ toolCalls: [{ name: 'ask', arguments: { prompt: 'x' } }] }, 'Done.'],
      { tools: [ask] },
    )
    const { state, pending } = await result(outer, mode)
    const { runs } = await store.list({})
    expect(runs.map(({ runId }) => runId)).toEqual([state!.runId])
    expect(runs[0]!.pending).toEqual(pending)
    expect(JSON.stringify(runs[0]!.pending)).not.toContain('signature')
    const question = pending![0]!.question as { pending: readonly { callId: string }[] }
    const answer = { [question.pending[0]!.callId]: 'approve' }
    const done = await outer
      .resume(runs[0]!.state, { [pending![0]!.callId]: { answer } })
      [mode]()
      .result()
    expect(done.status).toBe('done')
    expect(await store.list({})).toEqual({ runs: [] })
  })

  it('is saved before anybody hears of it, and once when it is replayed', async () => {
    const inner = inMemoryRunStore()
    const heard: string[] = []
    const store: RunStore = {
      ...inner,
      save: async (run) => (heard.push(`save ${run.stateId}`), inner.save(run)),
    }
    const records = new Map<string, string>()
    const durability = {
      async step<T>(key: string, run: () => Promise<T>): Promise<T> {
        if (!records.has(key)) records.set(key, JSON.stringify(await run()))
        return JSON.parse(records.get(key)!) as T
      },
    }
    const ids = {
      next: (prefix: string) => (prefix === 'run' ? 'run_1' : `${prefix}_${records.size}`),
    }
    for (const _time of [1, 2]) {
      const client = clientWith(store, [{ toolCalls: [{ name: 'pay', id: 'p' }] }], {
        durability,
        ids,
      })
      for await (const event of client.prompt('Pay')[mode]())
        if (event.type === 'suspended') heard.push(`suspended ${event.state.id}`)
    }
    const { stateId } = (await inner.list({})).runs[0]!
    expect(heard).toEqual([`save ${stateId}`, `suspended ${stateId}`, `suspended ${stateId}`])
  })
})

describe('a store that does not keep the run', () => {
  const refused = (name: string, save: (clock: ManualClock) => Promise<void>, why: RegExp): void =>
    scenario(name, {
      script: [PAY, 'Done.'],
      client: ({ clock }) => ({
        runStore: { ...inMemoryRunStore(), save: () => save(clock) },
        tools: [pay],
      }),
      resume: [({ pending }) => ({ [pending![0]!.callId]: 'approve' })],
      check({ legs, result }) {
        const [first] = legs
        expect(first!.result).toMatchObject({ status: 'suspended', state: { version: 1 } })
        const notices = eventsOf(first!.events, 'notice')
        expect(notices).toHaveLength(1)
        expect(notices[0]).toMatchObject({
          code: 'run-not-saved',
          message: expect.stringMatching(why),
          runId: 'run_1',
          round: 1,
        })
        expect(typesOf(first!.events).slice(-3)).toEqual(['notice', 'suspended', 'response'])
        expect(result.status).toBe('done')
      },
    })

  refused(
    'says why, without its secrets',
    () => Promise.reject(new Error('no connection with password=sk-abcdefghijklmnop1234')),
    /^The run store did not keep the suspended run: no connection with (?!.*sk-abc)/,
  )
  refused(
    'also if it throws at once',
    () => {
      throw new Error('closed')
    },
    /run: closed$/,
  )
  refused(
    'also if it never answers',
    (clock) => {
      setImmediate(() => void clock.advance(60_000))
      return new Promise(() => {})
    },
    /did not answer within 60000 ms/,
  )

  it('does not hold up an abort', async () => {
    const abort = new AbortController()
    const runStore: RunStore = {
      ...inMemoryRunStore(),
      save: () => (abort.abort(new Error('enough')), new Promise(() => {})),
    }
    for (const mode of modes) {
      const run = clientWith(runStore, [PAY]).prompt('Pay').signal(abort.signal)[mode]()
      await expect(run.result()).rejects.toThrow('enough')
    }
  })
})

it('the default store keeps no runs, so that programs that store states by themselves do not fill the memory', () => {
  expect(toolCallingManager().settings!.runStore.save).toBeUndefined()
})
