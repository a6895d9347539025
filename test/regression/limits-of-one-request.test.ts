/** Limits could be set for a client only. */
import { describe, expect, it } from 'vitest'
import { ChatClient, tool } from 'toolwright'
import { manualClock, scriptedModel, type ScriptedStep } from 'toolwright/testing'
import { scenario, toldByTools, type Stage } from '../e2e/scenario.ts'

const step = (log: unknown[]) => tool({ name: 'step', execute: () => void log.push('step') })
const steps = (times: number): readonly ScriptedStep[] =>
  Array.from({ length: times }, () => ({ toolCalls: [{ name: 'step' }] }))
const slow = ({ clock, log }: Stage) =>
  tool({
    name: 'slow',
    execute: () =>
      new Promise<string>((resolve) => {
        log.push('start')
        clock.timer(100, () => resolve('late'))
      }),
  })

describe('.limits()', () => {
  scenario('holds for its request', {
    script: [...steps(2), 'Never asked.'],
    tools: ({ log }) => [step(log)],
    client: () => ({ limits: { rounds: 10 } }),
    request: (client) => client.prompt('Go').limits({ rounds: 2 }),
    check({ result, log, textError }) {
      expect(result.status).toBe('limit')
      expect(log).toHaveLength(2)
      expect(textError).toMatchObject({
        limit: 'rounds',
        message: expect.stringContaining('rounds = 2'),
      })
    },
  })

  scenario('keeps the other limits of the client', {
    script: [...steps(3), 'Done.'],
    tools: ({ log }) => [step(log)],
    client: () => ({ limits: { callsTotal: 1 }, onLimit: 'tell-model' }),
    request: (client) => client.prompt('Go').limits({ rounds: 5 }),
    check({ log, result }) {
      expect(log).toHaveLength(1)
      expect(result.status).toBe('done')
    },
  })

  scenario('repeated calls add up, the last word of each counts', {
    script: [...steps(2), 'Never asked.'],
    tools: ({ log }) => [step(log)],
    request: (client) =>
      client.prompt('Go').limits({ rounds: 9, identicalCalls: 'unlimited' }).limits({ rounds: 2 }),
    check: ({ result }) => void expect(result.rounds).toHaveLength(2),
  })

  scenario('takes a bound away', {
    script: [...steps(30), 'Done.'],
    tools: ({ log }) => [step(log)],
    request: (client) =>
      client.prompt('Go').limits({ rounds: 'unlimited', identicalCalls: 'unlimited' }),
    check: ({ result }) => void expect(result.rounds).toHaveLength(31),
  })

  scenario('toolTimeoutMs', {
    script: [{ toolCalls: [{ name: 'slow' }] }, 'Done.'],
    tools: (stage) => [slow(stage)],
    request: (client) => client.prompt('Go').limits({ toolTimeoutMs: 10 }),
    during: ({ clock }) => clock.advance(1000),
    check: ({ prompts }) =>
      void expect(toldByTools(prompts[1])).toEqual([
        { content: expect.stringContaining('10 ms'), isError: true },
      ]),
  })

  scenario('runTimeoutMs', {
    script: [{ toolCalls: [{ name: 'slow' }] }, 'Done.'],
    tools: (stage) => [slow(stage)],
    request: (client) => client.prompt('Go').limits({ runTimeoutMs: 10 }),
    during: ({ clock }) => clock.advance(1000),
    check({ result }) {
      expect(result.status).toBe('limit')
      expect(result.response.results[0]!.metadata['limit']).toBe('runTimeoutMs')
    },
  })

  scenario('parallel', {
    script: [{ toolCalls: [{ name: 'slow' }, { name: 'slow' }] }, 'Done.'],
    tools: (stage) => [slow(stage)],
    request: (client) => client.prompt('Go').limits({ parallel: 1 }),
    async during({ clock, log }) {
      await clock.advance(50)
      log.push('half')
      await clock.advance(1000)
    },
    check: ({ log }) => void expect(log).toEqual(['start', 'half', 'start']),
  })

  scenario('argumentBytes and resultBytes', {
    script: [
      { toolCalls: [{ name: 'echo', arguments: { text: 'x'.repeat(200) } }] },
      { toolCalls: [{ name: 'echo', arguments: { text: 'x' } }] },
      'Done.',
    ],
    tools: () => [
      tool({
        name: 'echo',
        input: { type: 'object', properties: { text: { type: 'string' } } },
        execute: () => 'y'.repeat(1000),
      }),
    ],
    request: (client) => client.prompt('Go').limits({ argumentBytes: 100, resultBytes: 300 }),
    check({ prompts }) {
      expect(toldByTools(prompts[1])[0]).toMatchObject({ isError: true })
      expect(String(toldByTools(prompts[2])[0]!.content).length).toBeLessThan(1000)
    },
  })

  it('holds together with advisors of the request, and with an entity', async () => {
    const wrong = ['{"n":"a"}', '{"n":"b"}', '{"n":"c"}']
    const model = scriptedModel(wrong)
    const request = ChatClient.create(model)
      .prompt('Go')
      .advisors({ name: 'none', order: 10, advise: (given, next) => next(given) })
      .limits({ rounds: 1 })
    const schema = { type: 'object', properties: { n: { type: 'number' } } } as const
    await expect(request.call().entity(schema)).rejects.toMatchObject({ code: 'invalid-answer' })
    expect(model.remaining).toBe(2)
  })

  for (const mode of ['call', 'stream'] as const)
    it(`can be set when a run is resumed (${mode})`, async () => {
      const pay = tool({ name: 'pay', approval: true, execute: () => 'ok' })
      const model = scriptedModel([{ toolCalls: [{ name: 'pay' }] }, ...steps(1), 'Never asked.'])
      const client = ChatClient.create(model, { tools: [pay, step([])], clock: manualClock() })
      const { state, pending } = await client.prompt('Go').call().result()
      const resumed = client
        .resume(state!, { [pending![0]!.callId]: 'approve' })
        .limits({ rounds: 2 })
      const result = await resumed[mode]().result()
      expect(result.status).toBe('limit')
      expect(model.remaining).toBe(1)
    })

  it('leaves the request and the client as they were', async () => {
    const model = scriptedModel([...steps(1), 'Done.', ...steps(1), 'Done.'])
    const client = ChatClient.create(model, { tools: [step([])] })
    const request = client.prompt('Go')
    expect((await request.limits({ rounds: 1 }).call().result()).status).toBe('limit')
    await scriptedRest(model)
    expect((await request.call().result()).status).toBe('done')
  })

  for (const [limits, code, words] of [
    [{ round: 3 }, 'unknown-option', /"round".*"rounds"/],
    [{ rounds: 0 }, 'invalid-option', /limits\.rounds/],
    [{ runTimeoutMs: 'none' }, 'invalid-option', /runTimeoutMs.*"none"/],
    [5, 'invalid-option', /object/],
  ] as const)
    it(`${JSON.stringify(limits)} is refused like a client's`, () => {
      const request = ChatClient.create(scriptedModel([])).prompt('Go')
      const refused = expect.objectContaining({ code, message: expect.stringMatching(words) })
      expect(() => request.limits(limits as never)).toThrow(refused)
    })
})

/** Takes the step that the limited run left over. */
async function scriptedRest(model: ReturnType<typeof scriptedModel>): Promise<void> {
  await model.call({ messages: [{ role: 'user', content: 'x' }] })
}
