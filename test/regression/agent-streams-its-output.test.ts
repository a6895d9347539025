/** An agent's answer streams: its output as it grows, its calls, and what happens while they run. */
import { describe, expect, expectTypeOf, it } from 'vitest'
import { RunAbandonedError, RunLimitError, RunSuspendedError, type ChatModel } from 'toolwright'
import {
  Agent,
  agentRegistry,
  runAgent,
  streamAgent,
  type AgentConfig,
  type AgentEvent,
  type AgentMessage,
  type AgentStream,
  type OutputSource,
} from 'toolwright/agent'
import { manualClock, scriptedModel, type ScriptedStep } from 'toolwright/testing'
import { z } from 'zod'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'
import { registryWith, stepOf, SUMMARY, type Answer } from '../e2e/agent/agent-stage.ts'

const weather: AgentMessage = {
  type: 'tool',
  tool: {
    weather: {
      type: 'object',
      description: 'Returns degrees',
      properties: { town: { type: 'string' } },
      required: ['town'],
    },
  },
}
const context: readonly AgentMessage[] = [weather, { type: 'text', text: 'How warm is it?' }]
const registry = () => registryWith({ weather: () => 4 })
const CALL = { calls: [{ _tool: 'weather', town: 'Oslo' }] }
const DONE = { output: { summary: 'It is four degrees in Oslo.' } }

/** How a model's answers arrive. */
const ways = {
  'character by character': (text: string) => ({ text, chunks: text.split('') }),
  'word by word': (text: string) => ({ text }),
  'in a fence, in pieces': (text: string) => ({
    chunks: ['```json\n', ...text.match(/[^]{1,5}/g)!, '\n```'],
  }),
  'after thoughts': (text: string) => ({ chunks: ['<think>{"output"', ': 1}</think>', text] }),
} as const

const scriptOf = (
  way: (text: string) => ScriptedStep,
  answers: readonly Answer[],
): readonly ScriptedStep[] => answers.map((answer) => way(stepOf(answer) as string))

const configOf = (model: ChatModel, more: Partial<AgentConfig> = {}): AgentConfig => ({
  model,
  registry: registry(),
  clock: manualClock(),
  ids: countingIds(),
  ...more,
})

async function read<Output extends OutputSource>(
  stream: AgentStream<Output>,
): Promise<AgentEvent<Output>[]> {
  const events: AgentEvent<Output>[] = []
  for await (const event of stream.events()) events.push(event)
  return events
}

const outputsOf = <Output extends OutputSource>(events: readonly AgentEvent<Output>[]) =>
  events.flatMap((event) => (event.type === 'output-delta' ? [event.output] : []))

/** A model whose stream has no deltas: the answer comes whole, at the end. */
function withoutDeltas(model: ChatModel): ChatModel {
  return {
    ...model,
    async *stream(prompt, run) {
      yield { type: 'response', response: await model.call(prompt, run) }
    },
  }
}

/** A model whose pieces arrive one by one, each in a turn of its own. */
function slowly(model: ChatModel): ChatModel {
  return {
    ...model,
    async *stream(prompt, run) {
      for await (const event of model.stream(prompt, run)) {
        await new Promise((resolve) => setImmediate(resolve))
        yield event
      }
    },
  }
}

describe.each(Object.entries(ways))('an answer that arrives %s', (_name, way) => {
  describe.each([
    ['held to a schema', { structuredOutput: true }],
    ['asked by words', {}],
  ] as const)('from a model that is %s', (_kind, capabilities) => {
    it('shows its output as it grows, between its calls and its end', async () => {
      const model = scriptedModel(scriptOf(way, [CALL, DONE]), { capabilities })
      const stream = streamAgent(configOf(model), SUMMARY, context)
      const events = await read(stream)
      const outputs = outputsOf(events)
      const texts = outputs.map(({ summary = '' }) => summary)
      expect(texts.every((text, index) => text.startsWith(texts[index - 1] ?? ''))).toBe(true)
      expect(outputs.at(-1)).toEqual(DONE.output)
      const kinds = events.map(({ type }) => type).filter((type) => type !== 'output-delta')
      expect(kinds).toEqual([
        'round-end',
        'tool-call-start',
        'tool-call',
        'tool-execution-start',
        'tool-result',
        'round-end',
        'response',
      ])
      const rounds = events.flatMap((event) => (event.type === 'output-delta' ? [event.round] : []))
      expect(new Set(rounds)).toEqual(new Set([2]))
    })

    it('gives the result that runAgent gives', async () => {
      const run = () => configOf(scriptedModel(scriptOf(way, [CALL, DONE]), { capabilities }))
      const called = await runAgent(run(), SUMMARY, context)
      const stream = streamAgent(run(), SUMMARY, context)
      await read(stream)
      expect(await stream.result()).toEqual(called)
      expect(await Agent.stream(run(), SUMMARY, context).result()).toEqual(called)
    })
  })
})

it('an answer in many pieces is shown many times, each time anew', async () => {
  const model = scriptedModel(scriptOf(ways['character by character'], [DONE]))
  const outputs = outputsOf(await read(streamAgent(configOf(model), SUMMARY, context)))
  const { summary } = DONE.output
  expect(outputs).toEqual([
    {},
    ...summary.split('').map((_char, index) => ({ summary: summary.slice(0, index + 1) })),
  ])
})

it('a model without deltas shows its output once', async () => {
  const model = withoutDeltas(scriptedModel([CALL, DONE].map(stepOf)))
  const stream = streamAgent(configOf(model), SUMMARY, context)
  expect(outputsOf(await read(stream))).toEqual([DONE.output])
  expect((await stream.result()).output).toEqual(DONE.output)
})

it('an answer that does not fit starts anew in the next round', async () => {
  const bad = { output: { title: 'No' } }
  const model = scriptedModel(scriptOf(ways['word by word'], [bad, DONE]))
  const events = await read(streamAgent(configOf(model), SUMMARY, context))
  const rounds = events.flatMap((event) =>
    event.type === 'output-delta' ? [[event.round, event.output] as const] : [],
  )
  expect(rounds.filter(([round]) => round === 1).at(-1)![1]).toEqual(bad.output)
  expect(rounds.at(-1)).toEqual([2, DONE.output])
})

it('an output that is read leniently is shown as it is read', async () => {
  const schema = { type: 'object', properties: { n: { type: 'number' } } } as const
  const model = scriptedModel([stepOf({ output: { n: '42' } })])
  const stream = streamAgent(configOf(model), schema, context)
  expect(outputsOf(await read(stream)).at(-1)).toEqual({ n: 42 })
  expect((await stream.result()).output).toEqual({ n: 42 })
})

it('an output of a library is shown as written, and given as converted', async () => {
  const schema = z.object({ at: z.iso.date().transform((text) => text.length) })
  const model = scriptedModel([stepOf({ output: { at: '2025-01-02' } })])
  const stream = streamAgent(configOf(model), schema, context)
  const outputs = outputsOf(await read(stream))
  expectTypeOf(outputs).toEqualTypeOf<{ at?: string }[]>()
  expect(outputs).toEqual([{}, { at: '2025-01-02' }].slice(-outputs.length))
  expect((await stream.result()).output).toEqual({ at: 10 })
})

it('the result of a tool that is the output is shown', async () => {
  const direct = agentRegistry()
  direct.activity('weather', () => ({ summary: 'direct' }), { returnDirect: true })
  const model = scriptedModel([stepOf(CALL)])
  const stream = streamAgent(configOf(model, { registry: direct }), SUMMARY, context)
  expect(outputsOf(await read(stream))).toEqual([{ summary: 'direct' }])
})

it('progress of activities and events of delegates are told', async () => {
  const busy = agentRegistry()
  busy.activity('weather', function* () {
    yield 'asking'
    return 4
  })
  const title = {
    type: 'object' as const,
    properties: { _output: { type: 'string' } },
    _delegate: 'anonymous',
  }
  const model = scriptedModel(
    [{ calls: [...CALL.calls, { _tool: 'title' }] }, { output: 'T' }, DONE].map(stepOf),
  )
  const seen: string[] = []
  const config = configOf(model, { registry: busy, onEvent: ({ type }) => void seen.push(type) })
  const events = await read(
    streamAgent(config, SUMMARY, [...context, { type: 'tool', tool: { title } }]),
  )
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'tool-progress', progress: 'asking' }),
  )
  const inner = events.filter((event) => event.parentCallId !== undefined)
  expect(inner.map(({ type, parentCallId }) => [type, parentCallId])).toEqual([
    ['round-end', 'call_1_2'],
  ])
  expect(seen).toEqual(events.map(({ type }) => type).filter((type) => type !== 'output-delta'))
})

describe('a run that ends badly', () => {
  it('rejects both the events and the result, as runAgent does', async () => {
    const failing = () => configOf(scriptedModel(['no JSON', 'none', 'none']))
    const called: unknown = await runAgent(failing(), SUMMARY, context).catch(
      (error: unknown) => error,
    )
    const stream = streamAgent(failing(), SUMMARY, context)
    await expect(read(stream)).rejects.toMatchObject({ code: 'invalid-answer' })
    await expect(stream.result()).rejects.toEqual(called)
  })

  it('rejects with a provider’s failure after what was shown', async () => {
    const chunks = ['{"output":{"summary":"It', ' is']
    const model = scriptedModel([{ chunks, error: new Error('gone') }])
    const stream = streamAgent(configOf(model), SUMMARY, context)
    const outputs: unknown[] = []
    await expect(
      (async () => {
        for await (const event of stream.events())
          if (event.type === 'output-delta') outputs.push(event.output)
      })(),
    ).rejects.toThrow('gone')
    expect(outputs).toEqual([{ summary: 'It' }, { summary: 'It is' }])
    await expect(stream.result()).rejects.toThrow('gone')
  })

  it('rejects the result at a limit, and when it is suspended', async () => {
    const model = scriptedModel([stepOf(CALL)])
    const limited = streamAgent(configOf(model, { maxTurns: 1 }), SUMMARY, context)
    expect((await read(limited)).at(-1)).toMatchObject({ type: 'response' })
    await expect(limited.result()).rejects.toBeInstanceOf(RunLimitError)
    const asking = agentRegistry()
    asking.activity('weather', () => 4, { approval: true })
    const config = configOf(scriptedModel([stepOf(CALL), stepOf(DONE)]), { registry: asking })
    const suspended = streamAgent(config, SUMMARY, context)
    expect((await read(suspended)).map(({ type }) => type)).toContain('suspended')
    const error: unknown = await suspended.result().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RunSuspendedError)
    const { state } = (error as RunSuspendedError).result
    const resume = { state: state!, decisions: { call_1_1: 'approve' as const } }
    const resumed = streamAgent({ ...config, resume }, SUMMARY, context)
    expect(outputsOf(await read(resumed)).at(-1)).toEqual(DONE.output)
  })

  it('rejects for a config that is wrong, and starts nothing', async () => {
    const model = scriptedModel([])
    const stream = streamAgent({ model, temprature: 1 } as never, SUMMARY, context)
    await expect(read(stream)).rejects.toMatchObject({ code: 'unknown-option' })
    await expect(stream.result()).rejects.toMatchObject({ code: 'unknown-option' })
    expect(model.prompts).toEqual([])
  })

  it('ends with what a listener throws', async () => {
    const model = scriptedModel([stepOf(CALL), stepOf(DONE)])
    const config = configOf(model, {
      onEvent: () => {
        throw new Error('listener')
      },
    })
    await expect(streamAgent(config, SUMMARY, context).result()).rejects.toThrow('listener')
  })
})

describe('readers', () => {
  const hanging = () => {
    const aborted: unknown[] = []
    const model = scriptedModel([{ chunks: ['{"output":{"summary":"It'], hang: true }])
    const watched: ChatModel = {
      ...model,
      stream(prompt, run) {
        run?.signal?.addEventListener('abort', () => aborted.push(run.signal!.reason))
        return model.stream(prompt, run)
      },
    }
    return { aborted, stream: streamAgent(configOf(watched), SUMMARY, context) }
  }

  it('that leave abort the run', async () => {
    const { aborted, stream } = hanging()
    for await (const event of stream.events()) if (event.type === 'output-delta') break
    expect(aborted).toEqual([expect.any(RunAbandonedError)])
    await expect(stream.result()).rejects.toBeInstanceOf(RunAbandonedError)
  })

  it('that leave while they wait do so at once', async () => {
    const { aborted, stream } = hanging()
    const events = stream.events()
    await events.next()
    const waiting = events.next()
    await events.return()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(aborted).toHaveLength(1)
  })

  it('that stay keep it going, and each gets all of it', async () => {
    const model = scriptedModel(scriptOf(ways['word by word'], [CALL, DONE]))
    const stream = streamAgent(configOf(model), SUMMARY, context)
    const first = stream.events()
    await first.next()
    const all = read(stream)
    await first.return()
    const events = await all
    expect(outputsOf(events).at(-1)).toEqual(DONE.output)
    expect(await read(stream)).toEqual(events)
    expect(model.prompts).toHaveLength(2)
  })

  it('that ask several times at once get the events in order', async () => {
    const script = () => slowly(scriptedModel(scriptOf(ways['character by character'], [DONE])))
    const wanted = await read(streamAgent(configOf(script()), SUMMARY, context))
    const events = streamAgent(configOf(script()), SUMMARY, context).events()
    const steps = await Promise.all(Array.from({ length: wanted.length + 1 }, () => events.next()))
    expect(steps.map(({ value }) => value)).toEqual([...wanted, undefined])
  })

  it('hear of an abort by the caller', async () => {
    const abort = new AbortController()
    const model = scriptedModel([{ chunks: ['{"output":{"summary":"It'], hang: true }])
    const stream = streamAgent(configOf(model, { signal: abort.signal }), SUMMARY, context)
    const events = stream.events()
    await events.next()
    abort.abort(new Error('enough'))
    await expect(
      (async () => {
        for await (const _event of events);
      })(),
    ).rejects.toThrow('enough')
    await expect(stream.result()).rejects.toThrow('enough')
  })

  it('are needed: nothing starts by itself', async () => {
    const model = scriptedModel([stepOf(DONE)])
    streamAgent(configOf(model), SUMMARY, context)
    await new Promise((resolve) => setImmediate(resolve))
    expect(model.prompts).toEqual([])
  })
})
